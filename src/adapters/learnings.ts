/**
 * Reads and writes learnings, maxims and decisions in the work tree: `.loop/learnings/<month>.jsonl`,
 * `.loop/maxims/*.md`, `.loop/decisions/*.md`. Anybody may have put these files there, so only plain files of bounded
 * size are read, and no links are followed. store/files/learning-notes decides whether they are used.
 */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fail, ok, type Result } from '../model/failure.ts'
import { type Learning, learning } from '../model/learning.ts'
import { underLock } from './task-files.ts'
import {
  appendFile,
  ensureLoopDirectory,
  inDirectory,
  makeDirectories,
  makeFirstFree,
  readPlain,
  replaceFile,
} from './tree-file.ts'

/** The text of `.loop/README.md`: the content of `.loop`, and the formats of learnings, maxims and decisions. */
const loopReadme = `# .loop

What loop keeps in this work tree. loop writes nothing into learnings, maxims or decisions without your consent.

| what | where | form |
|---|---|---|
| learnings | \`learnings/<year-month>.jsonl\` | one JSON object a line: \`{"id": "l-a1b2c3", "at": "2026-11-17T10:00:00Z", "kind": "failure" or "discovery", "text": "what to know next time", "before": "what was assumed", "found": "what was so", "adjustment": "what was done instead", "loop": "a1b2c3" or null}\`; before, found and adjustment may be left out |
| maxims | \`maxims/custom.md\`, \`maxims/*.md\` | one rule a line: \`- Prefer deleting code to configuring it\`; loaded before tasks are made |
| decisions | \`decisions/<date>-<name>.md\` | a title, a line \`Date: 2026-11-17. Status: accepted.\`, then why |
| runs | \`runs/<date>-<name>/\` | \`_meta.md\`, \`_context.md\`, and the documents of a plan; never overwritten |

\`loop learn\` shows the learnings, how often each was shown and whether that helped; \`loop recall "<text>"\` finds those
that fit a text. Learnings and maxims that came with a repository are used only after \`loop learn --trust\`.
`

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
  const written = inLoop(tree, 'learnings', dir => appendFile(dir, `${given.at.slice(0, 7)}.jsonl`, text))
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
  const written = inLoop(tree, 'maxims', dir => appendFile(dir, 'custom.md', `- ${text}\n`))
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
  const page = `# ${text}\n\nDate: ${date}. Status: accepted.\n`
  let name = `${date}-${slug}-99.md`
  const written = inLoop(tree, 'decisions', dir => {
    const made = makeFirstFree(dir, names, page)
    if (made === null) appendFile(dir, name, page)
    else name = made
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
    makeDirectories(root, name)
    if (!lstatSync(join(root, 'README.md'), { throwIfNoEntry: false }))
      replaceFile(root, 'README.md', loopReadme)
    return inDirectory(dir, at =>
      underLock(at('.lock'), () => {
        work(dir)
        return ok(null)
      }),
    )
  } catch (error) {
    return fail('system', {
      kind: 'learnings-unwritable',
      path: join(root, name),
      why: (error as Error).message,
    })
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
