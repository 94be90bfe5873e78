/** The numbers of added and removed lines are those of `git diff --numstat`, whether loop or git counts them. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { array, constantFrom, assert as holds, property, tuple } from 'fast-check'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { countLines } from '../../../src/checkpoints/git/changes.ts'
import { take } from './calls.ts'
import { openBox, sh } from './work-tree.ts'

const line = constantFrom('a\n', 'b\n', 'c\n', '\n', '}\n', 'long line\n', '\r\n')
const end = constantFrom('', '', 'a', 'no newline', 'a\0b')
const text = tuple(array(line, { maxLength: 12 }), end).map(([lines, last]) => lines.join('') + last)
/** Old and new text share a beginning and an end, as in real edits. */
const edit = tuple(text, text, text, text).map(([before, old, now, after]) => ({
  old: before + old + after,
  now: before + now + after,
}))

it('lines of a file, if there is only one possible answer', t => {
  const at = mkdtempSync(join(tmpdir(), 'loop-lines-'))
  t.after(() => rmSync(at, { recursive: true }))
  let counted = 0
  const numRuns = process.env['LOOP_LONG'] ? 3_000 : 300
  const isAsGitSays = property(edit, ({ old, now }) => {
    const mine = countLines(Buffer.from(old), Buffer.from(now))
    if (!mine) return
    counted += 1
    writeFileSync(join(at, 'old'), old)
    writeFileSync(join(at, 'now'), now)
    const { stdout } = spawnSync('git', ['diff', '--no-index', '--numstat', 'old', 'now'], {
      cwd: at,
      encoding: 'utf8',
    })
    const [added = '0', removed = '0'] = stdout === '' ? [] : stdout.split('\t')
    const same = { added: Number(added.replace('-', '0')), removed: Number(removed.replace('-', '0')) }
    assert.deepEqual(mine, same)
  })
  holds(isAsGitSays, { numRuns })
  assert.ok(counted > numRuns / 5, `${counted} of ${numRuns} were counted`)
})

const build = `seq 100 > lines; seq 3 > gone; echo x > mode; echo t > target; ln -s target link; printf 'a\\0b' > binary
  mkdir d; seq 5 > d/deep; seq 7 > moved; echo f > swap; seq 20 > twice`
const plain = `seq 101 > lines; rm gone; chmod +x mode; ln -sf lines link; printf 'c\\0d\\n' > binary; seq 6 > d/deep
  mv moved d/moved; printf 'no end' > made`
/** Changes that loop leaves to git: a file whose middle still has common lines, and a link that became a file. */
const tangled = `seq 20 | tac > twice; rm link; echo file > link; rm swap; mkdir swap; echo g > swap/in`

it('lines of a checkpoint, with files that come, go, change their mode, are links or binary', async () => {
  for (const change of [plain, tangled]) {
    const at = openBox()
    sh(at, build)
    const checkpoints = gitCheckpoints(at)
    const first = await take(checkpoints, 'iter-001')
    sh(at, change)
    const next = await take(checkpoints, 'iter-001-after', first.tree)
    const args = [
      '--git-dir',
      at.store,
      'diff-tree',
      '-r',
      '--numstat',
      '--no-renames',
      first.tree,
      next.tree,
    ]
    const rows = spawnSync('git', args, { encoding: 'utf8' }).stdout.trim().split('\n')
    const fields = rows.map(row => row.split('\t'))
    const sum = (n: number) => fields.reduce((total, row) => total + (Number(row[n]) || 0), 0)
    assert.deepEqual(next.changes, { added: sum(0), removed: sum(1), files: rows.length })
    assert.deepEqual(
      next.changed,
      fields.map(([, , name]) => name),
    )
  }
})
