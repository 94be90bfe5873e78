/** Trial copies: a saved tree with the dependencies of the work tree; nothing is left of a copy afterwards. */
import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { makeTrial } from '../../../src/adapters/workcopies/trial.ts'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'

async function project(t: TestContext) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'loop-trial-')))
  t.after(() => rmSync(base, { recursive: true, force: true }))
  const [tree, store, place] = ['tree', 'store', 'trials'].map(name => join(base, name)) as [
    string,
    string,
    string,
  ]
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  put('.gitignore', 'node_modules\n.env\n')
  put('src/a.js', 'before\n')
  put('packages/own/index.js', 'own before\n')
  put('.env', 'KEY=1\n')
  put('node_modules/dep/index.js', 'dep\n')
  symlinkSync('../packages/own', join(tree, 'node_modules/own'))
  mkdirSync(join(tree, 'node_modules/@scope'))
  symlinkSync('../../packages/own', join(tree, 'node_modules/@scope/own'))
  const { signal } = new AbortController()
  const taken = await gitCheckpoints({ tree, store }).take({
    loop: 'a1',
    name: 'initial',
    since: null,
    signal,
  })
  assert.ok(taken.ok && taken.value.tree !== null)
  put('src/a.js', 'after\n')
  put('packages/own/index.js', 'own after\n')
  const made = await makeTrial(taken.value.tree, { tree, store, place })
  assert.ok(made.ok)
  return { tree, store, place, trial: made.value, saved: taken.value.tree }
}

test('the sources are those that were saved; ignored files and dependencies those of the tree', async t => {
  const { tree, trial } = await project(t)
  const read = (path: string) => readFileSync(join(trial.path, path), 'utf8')
  assert.deepEqual(
    [read('src/a.js'), read('.env'), read('node_modules/dep/index.js')],
    ['before\n', 'KEY=1\n', 'dep\n'],
  )
  assert.equal(realpathSync(join(trial.path, 'node_modules/dep')), join(tree, 'node_modules/dep'))
})

test('a package that lies in the tree is taken from the copy', async t => {
  const { trial } = await project(t)
  for (const name of ['own', '@scope/own'])
    assert.equal(
      readFileSync(join(trial.path, 'node_modules', name, 'index.js'), 'utf8'),
      'own before\n',
      name,
    )
})

test('removed, it leaves nothing, and nothing of the tree is gone', async t => {
  const { tree, store, place, trial } = await project(t)
  assert.ok((await trial.remove()).ok)
  assert.deepEqual(readdirSync(place), [])
  assert.deepEqual(
    readdirSync(store).filter(name => name.includes('trial-')),
    [],
  )
  assert.ok(existsSync(join(tree, 'node_modules/dep/index.js')))
})

test('leftovers of a killed check are removed after a day', async t => {
  const { tree, store, place, trial, saved } = await project(t)
  const home = dirname(trial.path)
  const old = Date.now() / 1_000 - 25 * 3_600
  utimesSync(home, old, old)
  const next = await makeTrial(saved, { tree, store, place })
  assert.ok(next.ok)
  assert.equal(existsSync(home), false)
})
