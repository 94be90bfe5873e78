/** Protected files that the promise changes, not the agent: through the real program. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hook } from '../../rig/hook.ts'
import { loopProgram, makeRig, type Rig, readOr, startArgs } from '../../rig/rig.ts'

const honest =
  "require('node:test')('sum', () => require('node:assert').equal(require('../cart.js').total(), 10))\n"
const emptied = "require('node:test')('x', () => {})\n"
const manifest = '{ "scripts": { "test": "node --test" } }\n'
const protect = ['--protect', 'test/**', '--protect', 'package.json']

/** A cart with a mistake, and a test that fails because of it. */
function shop(rig: Rig): void {
  mkdirSync(join(rig.tree, 'test'))
  rig.write('test/cart.test.js', honest)
  rig.write('package.json', manifest)
  rig.write('cart.js', 'exports.total = () => 9\n')
}

/** An agent that leaves code which writes `text` to `path` as soon as the test runs it. */
function trap(rig: Rig, path: string, text: string): string {
  const file = join(rig.aside, 'cart.js')
  const write = `require('fs').writeFileSync(__dirname + '/${path}', ${JSON.stringify(text)})`
  writeFileSync(file, `${write}\nexports.total = () => 9\n`)
  return `cp "${file}" cart.js`
}

const kinds = (rig: Rig, id: string) => rig.events(id).map(({ kind }) => kind)

for (const [path, text] of [
  ['test/cart.test.js', emptied],
  ['package.json', '{ "scripts": { "test": "true" } }\n'],
] as const) {
  test(`code under test that rewrites ${path} when the promise runs it: paused, never completed`, async t => {
    const rig = makeRig(t)
    shop(rig)
    const ended = await rig.loop(startArgs(trap(rig, path, text), 'npm test', '-n', '2', ...protect))
    const [id = ''] = rig.loops()
    assert.equal(ended.code, 1, ended.stdout)
    assert.ok(
      ended.stdout.includes(
        `Loop ${id} paused: protected files were changed: ${path} (by the promise, not by the agent).\n`,
      ),
      ended.stdout,
    )
    assert.match(
      ended.stderr,
      new RegExp(`checkpoint iter-001-verified \\(.*the promise changed .*: ${path}\\)$`, 'm'),
    )
    assert.ok(!kinds(rig, id).includes('loop.completed'))
    const diff = await rig.loop(['diff', id, '1..iter-001-verified'])
    assert.ok(diff.stdout.includes(`+++ b/${path}\n`), diff.stdout)
    assert.equal((await rig.loop(['rollback', id, '1'])).code, 0)
    assert.equal(readFileSync(join(rig.tree, 'test/cart.test.js'), 'utf8'), honest)
    assert.equal(readFileSync(join(rig.tree, 'package.json'), 'utf8'), manifest)
  })
}

test('a promise that rewrites a protected file and passes runs again once the file is restored', async t => {
  const rig = makeRig(t)
  shop(rig)
  const agent = trap(rig, 'test/cart.test.js', emptied)
  const ended = await rig.loop(
    startArgs(agent, 'node cart.js && node --test', '-n', '1', '--no-baseline', ...protect),
  )
  const [id = ''] = rig.loops()
  assert.equal(ended.code, 1, ended.stdout)
  assert.match(ended.stderr, /^ {2}promise .*: PASS/m)
  assert.match(ended.stdout, /test\/cart\.test\.js \(by the promise, not by the agent\)\.\n/)
  rig.write('test/cart.test.js', honest)
  rig.write('cart.js', 'exports.total = () => 9\n')
  const resumed = await rig.loop(['resume', id])
  assert.notEqual(resumed.code, 0, 'the old verdict was about another tree')
  assert.ok(!kinds(rig, id).includes('loop.completed'))
  assert.equal(kinds(rig, id).filter(kind => kind === 'promise.verified').length, 2)
})

test('a resume after such a pause accepts the changed file', async t => {
  const rig = makeRig(t)
  shop(rig)
  const agent = trap(rig, 'test/cart.test.js', emptied)
  await rig.loop(startArgs(agent, 'node cart.js && node --test', '-n', '1', '--no-baseline', ...protect))
  const [id = ''] = rig.loops()
  const resumed = await rig.loop(['resume', id])
  assert.equal(resumed.code, 0, resumed.stderr)
  assert.equal(kinds(rig, id).filter(kind => kind === 'promise.verified').length, 1, 'the same tree')
})

/** Checkpoint 4 is the one after the promise; events 9 and 10 are this checkpoint and the verdict. */
for (const point of ['verify', 'checkpoint@4', 'append:9:before', 'append:9', 'append:10']) {
  test(`killed at ${point}, where the promise has rewritten the test and passes: resumed, it is paused`, async t => {
    const rig = makeRig(t)
    shop(rig)
    const agent = trap(rig, 'test/cart.test.js', emptied)
    const args = startArgs(agent, 'node cart.js && node --test', '-n', '1', '--no-baseline', ...protect)
    const killed = await rig.loop(args, { env: { LOOP_FAULT: point } })
    assert.equal(killed.signal, 'SIGKILL', killed.stderr)
    const [id = ''] = rig.loops()
    const resumed = await rig.loop(['resume', id])
    assert.equal(resumed.code, 1, resumed.stdout)
    assert.match(resumed.stdout, /test\/cart\.test\.js \(by the promise, not by the agent\)\.\n/)
    assert.deepEqual(kinds(rig, id).slice(8), ['checkpoint.taken', 'promise.verified', 'loop.held'])
  })
}

test('a baseline that rewrites a protected file pauses before any agent runs', async t => {
  const rig = makeRig(t)
  shop(rig)
  const promise = `printf '%s' "" > test/cart.test.js; true`
  const ended = await rig.loop(startArgs('touch "$ASIDE/ran"', promise, ...protect))
  const [id = ''] = rig.loops()
  assert.equal(ended.code, 1, ended.stdout)
  assert.match(ended.stdout, /test\/cart\.test\.js \(by the promise, not by the agent\)\.\n/)
  assert.equal(existsSync(join(rig.aside, 'ran')), false)
  assert.equal((await rig.loop(['rollback', id, '0'])).code, 0)
  assert.equal(readFileSync(join(rig.tree, 'test/cart.test.js'), 'utf8'), honest)
})

test('a pause for another reason hides no changed file: it is named on resume, and accepted only then', async t => {
  const rig = makeRig(t)
  shop(rig)
  const agent = 'echo "// $LOOP_ITERATION" > test/cart.test.js; "$PROGRAM" pause "$LOOP_ID"'
  const env = { PROGRAM: loopProgram }
  const ended = await rig.loop(startArgs(agent, 'false', ...protect), { env })
  const [id = ''] = rig.loops()
  assert.match(ended.stdout, /paused: paused by the agent\.\n/, ended.stderr)
  const named = /paused: protected files were changed: test\/cart\.test\.js\.\n/
  assert.match((await rig.loop(['resume', id], { env })).stdout, named)
  assert.equal(kinds(rig, id).filter(kind => kind === 'run.started').length, 1, 'before another agent runs')
  assert.match((await rig.loop(['resume', id], { env })).stdout, /paused: paused by the agent\.\n/)
  assert.equal(kinds(rig, id).filter(kind => kind === 'run.started').length, 2)
  assert.match((await rig.loop(['resume', id], { env })).stdout, named, 'compared with what was accepted')
})

test('an innocent promise that writes other files completes; what it wrote is recorded, told and shown', async t => {
  const rig = makeRig(t)
  shop(rig)
  const agent = 'cat > "$ASIDE/prompt-$LOOP_ITERATION"; echo line >> work'
  const promise = 'mkdir -p coverage; wc -l < work > coverage/lcov.info; test "$(wc -l < work)" -ge 2'
  rig.write('work', '')
  const ended = await rig.loop(startArgs(agent, promise, ...protect))
  const [id = ''] = rig.loops()
  assert.equal(ended.code, 0, ended.stdout)
  const said = 'the promise changed +1 -1 (1 file): coverage/lcov.info'
  assert.match(ended.stderr, new RegExp(`checkpoint iter-002-verified \\(\\S+, ${escaped(said)}\\)$`, 'm'))
  assert.match(ended.stdout, new RegExp(`^ {2}changes {5}${escaped(said)}$`, 'm'))
  assert.match((await rig.loop(['status', id])).stdout, new RegExp(`^ {2}changes {5}${escaped(said)}$`, 'm'))
  const { byPromise } = JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
  assert.deepEqual(byPromise, { changes: { added: 1, removed: 1, files: 1 }, paths: ['coverage/lcov.info'] })
  const rows = JSON.parse((await rig.loop(['history', id, '--json'])).stdout).iterations
  assert.deepEqual(
    rows.map((row: { files: number; promiseChanges: object }) => [row.files, row.promiseChanges]),
    [1, 2].map(() => [1, { added: 1, removed: 1, files: 1 }]),
  )
  assert.match(
    (await rig.loop(['history', id])).stdout,
    /CHANGES +BY PROMISE +COST\n.*\+1 -0 \(1 file\) +\+1 -1 \(1 file\)/,
  )
  const told =
    /Changed: work\.\nRunning the command, not the agent, changed 1 file \(\+1 -1 lines\): coverage\/lcov\.info\.\n/
  assert.match(readOr(join(rig.aside, 'prompt-2')), told)
})

test('without protected files the next checkpoint says what the promise changed', async t => {
  const rig = makeRig(t)
  rig.write('work', '')
  const agent = 'cat > "$ASIDE/prompt-$LOOP_ITERATION"; echo line >> work'
  const promise = 'wc -l < work > lines; test "$(wc -l < work)" -ge 2'
  const ended = await rig.loop(startArgs(agent, promise))
  assert.equal(ended.code, 0, ended.stdout)
  assert.match(
    ended.stderr,
    /^ {2}checkpoint iter-002 \(\S+, the promise changed \+1 -1 \(1 file\): lines\)$/m,
  )
  assert.match(readOr(join(rig.aside, 'prompt-2')), /Running the command, not the agent, changed 1 file/)
  // After the run that passed there is no next iteration, so loop takes one more checkpoint.
  const { byPromise } = JSON.parse((await rig.loop(['status', '@last', '--json'])).stdout)
  assert.deepEqual(byPromise, { changes: { added: 1, removed: 1, files: 1 }, paths: ['lines'] })
})

test('the claim of a session is judged the same way', async t => {
  const rig = makeRig(t)
  shop(rig)
  const begun = await rig.loop(['start', 'mend it', '--session', '--json', '-p', 'npm test', ...protect])
  const { id } = JSON.parse(begun.stdout)
  assert.equal(begun.code, 0, begun.stderr)
  const first =
    "require('fs').writeFileSync(__dirname + '/test/cart.test.js', '')\nexports.total = () => 10\n"
  rig.write('cart.js', first)
  const file = join(rig.tree, '.loop', 'state.json')
  const document = JSON.parse(readFileSync(file, 'utf8'))
  const criteriaStatus = { 'npm test': true }
  writeFileSync(file, JSON.stringify({ ...document, criteriaStatus, exit_signal: true }))
  const { said } = hook(rig)
  assert.match(JSON.stringify(said), /test\/cart\.test\.js \(by the promise, not by the agent\)/)
  const { status } = JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
  assert.equal(status, 'paused')
})

function escaped(text: string): string {
  return text.replaceAll(/[+()./]/g, String.raw`\$&`)
}
