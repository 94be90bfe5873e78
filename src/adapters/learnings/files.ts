/**
 * Reads and writes learnings, maxims and decisions in the work tree: `.loop/learnings/<month>.jsonl`,
 * `.loop/maxims/*.md`, `.loop/decisions/*.md`. Anybody may have put these files there, so only plain files of bounded
 * size are read, and no links are followed. store/files/learning-notes decides whether they are used.
 */
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import { type Learning, learning } from '../../model/learning.ts'
import { underLock } from '../tasks/lock.ts'
import { ensureLoopDirectory, readPlain, replaceFile } from '../tree-file.ts'
import { loopReadme } from './forms.ts'

const most = { files: 200, learnings: 2_000, bytes: 4_000_000 }

/** `line`: the exact text in the file. */
type WrittenLearning = { learning: Learning; file: string; line: string }

export function readLearnings(tree: string): WrittenLearning[] {
  const dir = join(tree, '.loop', 'learnings')
  return namesIn(dir, /\.jsonl$/)
    .flatMap(file => {
      const found = readPlain(dir, file, most.bytes)
      const lines = typeof found === 'string' ? [] : found.text.split('\n')
      return lines.flatMap(line => {
        const read = parseLearning(line)
        return read ? { learning: read, file, line } : []
      })
    })
    .slice(0, most.learnings)
}

/** Null for a line that is no learning. */
export function parseLearning(line: string): Learning | null {
  try {
    return learning.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null // not JSON
  }
}

export function appendLearning(tree: string, given: Learning): Result<null> {
  const text = `${learningLine(given)}\n`
  const written = inLoop(tree, 'learnings', dir => append(dir, `${given.at.slice(0, 7)}.jsonl`, text))
  return written.ok ? ok(null) : written
}

/** A learning as a line of its file. */
export function learningLine(given: Learning): string {
  return JSON.stringify(learning.parse(given))
}

/** False if there is no learning of this id. */
export function removeLearning(tree: string, id: string): Result<boolean> {
  const found = readLearnings(tree).filter(one => one.learning.id === id)
  const files = new Set(found.map(({ file }) => file))
  const removed = inLoop(tree, 'learnings', dir => {
    for (const file of files) {
      const before = readPlain(dir, file, most.bytes)
      if (typeof before === 'string') continue
      const kept = before.text.split('\n').filter(line => parseLearning(line)?.id !== id)
      replaceFile(dir, file, kept.join('\n'))
    }
  })
  return removed.ok ? ok(files.size > 0) : removed
}

/** A maxim is a line of `.loop/maxims/custom.md`; a decision is a page of its own. */
export function appendMaxim(tree: string, text: string): Result<string> {
  const written = inLoop(tree, 'maxims', dir => append(dir, 'custom.md', `- ${text}\n`))
  return written.ok ? ok('.loop/maxims/custom.md') : written
}

export function writeDecision(tree: string, { date, text }: { date: string; text: string }): Result<string> {
  const slug =
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 40) || 'decision'
  const names = [slug, ...Array.from({ length: 98 }, (_, at) => `${slug}-${at + 2}`)].map(
    name => `${date}-${name}.md`,
  )
  let name = ''
  const written = inLoop(tree, 'decisions', dir => {
    name = names.find(one => !existsSync(join(dir, one))) ?? `${date}-${slug}-99.md`
    append(dir, name, `# ${text}\n\nDate: ${date}. Status: accepted.\n`)
  })
  return written.ok ? ok(`.loop/decisions/${name}`) : written
}

/** `own`: the maxim is the user's, not the repository's. */
export type Maxim = { path: string; text: string; own: boolean }

/** In each directory `custom.md` comes first; the directory of the repository comes before that of the user. */
export function readMaxims(tree: string, userDir: string): Maxim[] {
  const places = [
    { dir: join(tree, '.loop', 'maxims'), own: false },
    { dir: join(tree, '.claude', 'pensieve', 'maxims'), own: false },
    { dir: userDir, own: true },
  ]
  return places.flatMap(({ dir, own }) => {
    const names = namesIn(dir, /\.md$/)
    const ordered = [
      ...names.filter(name => name === 'custom.md'),
      ...names.filter(name => name !== 'custom.md'),
    ]
    return ordered.flatMap(name => {
      const found = readPlain(dir, name, 64_000)
      return typeof found === 'string' ? [] : { path: join(dir, name), text: found.text, own }
    })
  })
}

function inLoop(tree: string, name: string, work: (dir: string) => void): Result<null> {
  const root = join(tree, '.loop')
  try {
    if (!ensureLoopDirectory(root)) return fail('system', { kind: 'not-a-directory', path: root })
    const dir = join(root, name)
    const there = lstatSync(dir, { throwIfNoEntry: false })
    if (there && !there.isDirectory()) return fail('system', { kind: 'not-a-directory', path: dir })
    mkdirSync(dir, { recursive: true })
    if (!lstatSync(join(root, 'README.md'), { throwIfNoEntry: false }))
      replaceFile(root, 'README.md', loopReadme)
    return underLock(join(dir, '.lock'), () => {
      work(dir)
      return ok(null)
    })
  } catch (error) {
    return fail('system', {
      kind: 'learnings-unwritable',
      path: join(root, name),
      why: (error as Error).message,
    })
  }
}

/** Appends in one write, never through a link. */
function append(dir: string, name: string, text: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants
  const fd = openSync(join(dir, name), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o644)
  try {
    const before = readPlain(dir, name, most.bytes)
    // The last line may lack its newline (a cut write, an editor): then the new line must not continue it.
    const gap = typeof before !== 'string' && before.text !== '' && !before.text.endsWith('\n') ? '\n' : ''
    writeSync(fd, `${gap}${text}`)
  } finally {
    closeSync(fd)
  }
}

function namesIn(dir: string, ending: RegExp): string[] {
  try {
    if (!lstatSync(dir).isDirectory()) return []
    return readdirSync(dir)
      .filter(name => ending.test(name) && !name.startsWith('.'))
      .sort()
      .slice(0, most.files)
  } catch {
    return [] // there are none
  }
}
