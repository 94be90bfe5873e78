/**
 * Files in `.loop` of a work tree: loop never writes through a link that an agent puts there, whenever the link
 * appears.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  appendFile,
  makeDirectories,
  makeFirstFree,
  putInLoopDirectory,
  readPlain,
  removeFiles,
  replaceFile,
} from '../../../src/adapters/tree-file.ts'

function place(t: TestContext) {
  const base = mkdtempSync(join(tmpdir(), 'loop-tree-file-'))
  t.after(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }))
  const [tree, victim] = [join(base, 'tree'), join(base, 'victim')]
  for (const dir of [tree, victim]) mkdirSync(dir)
  return { tree, victim, loop: join(tree, '.loop') }
}

test('a link in place of .loop, of a directory below it or of a file is not followed', t => {
  const { tree, victim, loop } = place(t)
  symlinkSync(victim, loop)
  assert.equal(putInLoopDirectory(loop, 'state.json', 'x'), false)
  assert.throws(() => replaceFile(loop, 'state.json', 'x'))
  assert.throws(() => makeDirectories(loop, 'runs/a'))
  rmSync(loop)
  assert.equal(putInLoopDirectory(loop, 'state.json', 'x'), true)
  symlinkSync(victim, join(loop, 'runs'))
  assert.throws(() => makeDirectories(loop, 'runs/a'))
  assert.throws(() => replaceFile(join(loop, 'runs'), 'a', 'x'))
  assert.equal(readPlain(join(loop, 'runs'), 'a'), 'broken')
  symlinkSync(join(victim, 'file'), join(loop, 'other.json'))
  replaceFile(loop, 'other.json', 'y')
  assert.equal(readFileSync(join(loop, 'other.json'), 'utf8'), 'y')
  assert.deepEqual(readdirSync(victim), [])
  assert.deepEqual(readdirSync(tree), ['.loop'])
})

test('a link that comes and goes while loop writes is not followed', async t => {
  const { tree, victim, loop } = place(t)
  mkdirSync(loop)
  const flip = `while :; do mv .loop aside && ln -s ${victim} .loop; rm -f .loop; mv aside .loop; done`
  const flipping = spawn('sh', ['-c', flip], { cwd: tree, stdio: 'ignore' })
  t.after(() => flipping.kill('SIGKILL'))
  let written = 0
  const until = performance.now() + (process.env['LOOP_LONG'] ? 20_000 : 1_500)
  while (performance.now() < until) {
    try {
      replaceFile(join(loop), 'state.json', 'x')
      written += 1
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      assert.ok(['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code), String(error))
    }
  }
  flipping.kill('SIGKILL')
  assert.deepEqual(readdirSync(victim), [])
  assert.ok(written > 0)
})

test('files of loop in a tree have the permissions of the umask', t => {
  const { loop } = place(t)
  const mask = process.umask(0o027)
  t.after(() => process.umask(mask))
  putInLoopDirectory(loop, 'state.json', 'x')
  assert.equal(statSync(join(loop, 'state.json')).mode & 0o777, 0o640)
  assert.equal(statSync(loop).mode & 0o777, 0o750)
})

test('nothing is removed, appended or made through a link', t => {
  const { victim, loop } = place(t)
  writeFileSync(join(victim, 'state.json'), 'theirs')
  symlinkSync(victim, loop)
  assert.equal(removeFiles(loop, ['state.json']), null)
  assert.throws(() => appendFile(loop, 'state.json', 'x'))
  assert.throws(() => makeFirstFree(loop, ['a'], 'x'))
  rmSync(loop)
  mkdirSync(loop)
  symlinkSync(join(victim, 'state.json'), join(loop, 'state.json'))
  assert.throws(() => appendFile(loop, 'state.json', 'x'))
  assert.equal(makeFirstFree(loop, ['state.json', 'b'], 'x'), 'b')
  assert.deepEqual(removeFiles(loop, ['state.json']), ['b'])
  assert.equal(readFileSync(join(victim, 'state.json'), 'utf8'), 'theirs')
})

test('a line that was written in part stays a line of its own', t => {
  const { tree } = place(t)
  appendFile(tree, 'a', 'one')
  appendFile(tree, 'a', 'two\n')
  appendFile(tree, 'a', 'three\n')
  assert.equal(readFileSync(join(tree, 'a'), 'utf8'), 'one\ntwo\nthree\n')
})

test('half-written files of a killed host are removed, those of a living one are not', t => {
  const { tree } = place(t)
  const old = new Date(Date.now() - 3_600_000)
  writeFileSync(join(tree, '.state.json.0a.loop-tmp'), 'half')
  utimesSync(join(tree, '.state.json.0a.loop-tmp'), old, old)
  writeFileSync(join(tree, '.state.json.0b.loop-tmp'), 'half')
  replaceFile(tree, 'state.json', 'x')
  assert.deepEqual(readdirSync(tree).sort(), ['.state.json.0b.loop-tmp', 'state.json'])
})
