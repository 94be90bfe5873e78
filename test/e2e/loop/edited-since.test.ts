/**
 * A loop that was interrupted after its promise had passed, through the real program: a person edits the tree before it
 * goes on. It completes on no verdict about another tree, and runs nothing again where nobody has edited.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, type Rig, startArgs, until } from '../../rig/rig.ts'

const kinds = (rig: Rig, id: string) => rig.events(id).map(({ kind }) => kind)
const count = (rig: Rig, id: string, kind: string) => kinds(rig, id).filter(one => one === kind).length

/** Tells the test that it runs, and waits until the test lets it go on. */
const gate = 'touch "$ASIDE/reached"; while [ -e "$ASIDE/shut" ]; do sleep 0.05; done'

const shut = (rig: Rig) => rig.write('../aside/shut', '')

/** The first two runs of a promise are the baseline and the verdict; the next one is a second look. */
const lookWaits = `echo >> "$ASIDE/runs"; [ "$(wc -l < "$ASIDE/runs")" -lt 3 ] || { ${gate}; }`

const honest =
  "require('node:test')('sum', () => require('node:assert').equal(require('../cart.js').total(), 10))\n"

function shop(rig: Rig): void {
  mkdirSync(join(rig.tree, 'test'))
  rig.write('test/cart.test.js', honest)
  rig.write('package.json', '{ "scripts": { "test": "node --test" } }\n')
  rig.write('cart.js', 'exports.total = () => 9\n')
}

/** Honest work that touches a file which steers the promise. */
const work = `echo 'exports.total = () => 10' > cart.js
  echo '{ "scripts": { "test": "node --test", "lint": "true" } }' > package.json`

type Interruption = 'paused' | 'killed'
const interruptions: Interruption[] = ['paused', 'killed']

/** Starts a loop, interrupts it where it waits at the gate, and opens the gate. */
async function interrupted(rig: Rig, args: string[], how: Interruption): Promise<string> {
  shut(rig)
  const running = rig.spawn(args)
  await until('the gate', () => existsSync(join(rig.aside, 'reached')))
  const [id = ''] = rig.loops()
  if (how === 'paused') assert.equal((await rig.loop(['pause', id])).code, 0)
  else running.child.kill('SIGKILL')
  await running.ended
  rmSync(join(rig.aside, 'shut'))
  return id
}

for (const how of interruptions) {
  test(`${how} during the second look: an edit of the sources is verified, and not completed`, async t => {
    const rig = makeRig(t)
    shop(rig)
    const id = await interrupted(rig, startArgs(work, `${lookWaits}; npm test`, '-n', '1', '--no-input'), how)
    rig.write('cart.js', 'exports.total = () => 9\n')
    const resumed = await rig.loop(['resume', id, '--no-input'])
    assert.equal(resumed.code, 1, resumed.stdout + resumed.stderr)
    assert.ok(!kinds(rig, id).includes('loop.completed'))
    assert.equal(count(rig, id, 'promise.verified'), 3, 'the baseline, the pass, and the edited tree')
  })

  test(`${how} during the second look, nothing edited: the promise is not run again`, async t => {
    const rig = makeRig(t)
    shop(rig)
    const stamp = 'date +%s%N > stamp'
    const promise = `${lookWaits}; ${stamp}; npm test`
    const id = await interrupted(rig, startArgs(work, promise, '-n', '1', '--no-input'), how)
    const resumed = await rig.loop(['resume', id, '--no-input'])
    assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr)
    assert.equal(count(rig, id, 'promise.verified'), 2)
  })

  test(`${how} during the hold-out: the promise has the first word on an edited tree`, async t => {
    const rig = makeRig(t)
    const promise = 'grep -q good work.txt'
    const holdout = `${gate}; test -s work.txt`
    const args = startArgs('echo good > work.txt', promise, '-n', '1', '--no-input', '--holdout', holdout)
    const id = await interrupted(rig, args, how)
    rig.write('work.txt', 'bad\n')
    const resumed = await rig.loop(['resume', id, '--no-input'])
    assert.equal(resumed.code, 1, resumed.stdout + resumed.stderr)
    assert.ok(!kinds(rig, id).includes('loop.completed'))
  })

  test(`${how} during the hold-out of a promise that held from the beginning`, async t => {
    const rig = makeRig(t)
    rig.write('work.txt', 'good\n')
    const holdout = `${gate}; test -s work.txt`
    const args = startArgs('true', 'grep -q good work.txt', '-n', '1', '--no-input', '--holdout', holdout)
    const id = await interrupted(rig, args, how)
    rig.write('work.txt', 'bad\n')
    const resumed = await rig.loop(['resume', id, '--no-input'])
    assert.equal(resumed.code, 1, resumed.stdout + resumed.stderr)
    assert.ok(!kinds(rig, id).includes('loop.completed'))
  })
}

test('an edit while a second look runs is verified before the loop completes', async t => {
  const rig = makeRig(t)
  shop(rig)
  shut(rig)
  const running = rig.spawn(startArgs(work, `${lookWaits}; npm test`, '-n', '1', '--no-input'))
  await until('the gate', () => existsSync(join(rig.aside, 'reached')))
  rig.write('cart.js', 'exports.total = () => 9\n')
  rmSync(join(rig.aside, 'shut'))
  const ended = await running.ended
  assert.equal(ended.code, 1, ended.stdout + ended.stderr)
  assert.ok(!kinds(rig, rig.loops()[0] ?? '').includes('loop.completed'))
})

/** The place of the verdict in the journal of a loop of one iteration. */
const verdictAt = 11

for (const checkpoint of ['git', 'none']) {
  test(`killed between a verdict and its end, with checkpoints ${checkpoint}: an edit is verified`, async t => {
    const rig = makeRig(t)
    const at = checkpoint === 'none' ? verdictAt - 1 : verdictAt
    const flags = ['-n', '1', '--no-input', '--checkpoint', checkpoint]
    const args = startArgs('echo good > work.txt', 'grep -q good work.txt', ...flags)
    const killed = await rig.loop(args, { env: { LOOP_FAULT: `append:${at}` } })
    assert.equal(killed.signal, 'SIGKILL', killed.stdout + killed.stderr)
    const [id = ''] = rig.loops()
    assert.equal(kinds(rig, id).at(-1), 'promise.verified')
    rig.write('work.txt', 'bad\n')
    const resumed = await rig.loop(['resume', id, '--no-input'])
    assert.equal(resumed.code, 1, resumed.stdout + resumed.stderr)
    assert.ok(!kinds(rig, id).includes('loop.completed'))
  })
}

test('a suspect pass that a person accepts after an edit is verified once more', async t => {
  const rig = makeRig(t)
  shop(rig)
  const agent = "sed -i 's/10/9/' test/cart.test.js"
  assert.equal((await rig.loop(startArgs(agent, 'npm test', '-n', '2', '--no-input'))).code, 1)
  const [id = ''] = rig.loops()
  rig.write('cart.js', 'exports.total = () => 8\n')
  assert.equal((await rig.loop(['answer', id, 'yes'])).code, 0)
  const resumed = await rig.loop(['resume', id, '--no-input'])
  assert.equal(resumed.code, 1, resumed.stdout + resumed.stderr)
  assert.ok(!kinds(rig, id).includes('loop.completed'))
})

test('a suspect pass that a person has mended by hand is verified, and needs no answer', async t => {
  const rig = makeRig(t)
  shop(rig)
  const agent = "sed -i 's/10/9/' test/cart.test.js"
  assert.equal((await rig.loop(startArgs(agent, 'npm test', '-n', '2', '--no-input'))).code, 1)
  const [id = ''] = rig.loops()
  rig.write('cart.js', 'exports.total = () => 10\n')
  rig.write('test/cart.test.js', honest)
  const resumed = await rig.loop(['resume', id, '--no-input'])
  assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr)
})

test('a criterion that a person has confirmed: the promise is run in the tree that they left', async t => {
  const rig = makeRig(t)
  const flags = ['--confirm', 'it looks right', '-n', '1', '--no-input']
  const paused = await rig.loop(startArgs('echo good > work.txt', 'grep -q good work.txt', ...flags))
  assert.equal(paused.code, 1, paused.stdout + paused.stderr)
  const [id = ''] = rig.loops()
  assert.equal((await rig.loop(['answer', id, 'yes'])).code, 0)
  rig.write('work.txt', 'bad\n')
  const resumed = await rig.loop(['resume', id, '--no-input'])
  assert.equal(resumed.code, 1, resumed.stdout + resumed.stderr)
  assert.ok(!kinds(rig, id).includes('loop.completed'))
})

for (const [what, edit, asked] of [
  ['nothing edited', '', 1],
  ['an edit that breaks nothing', '// the sum\n', 2],
] as const) {
  test(`a promise that rewrites a protected file, paused during the second look, ${what}: it ends`, async t => {
    const rig = makeRig(t)
    shop(rig)
    const promise = `${lookWaits}; [ ! -e made ] || date +%s%N > test/stamp; npm test`
    const flags = ['-n', '1', '--no-input', '--protect', 'test/**']
    const first = await rig.loop(startArgs(`${work}; touch made`, promise, ...flags))
    const [id = ''] = rig.loops()
    assert.equal(first.code, 1, first.stdout + first.stderr)
    await interrupted(rig, ['resume', id, '--no-input'], 'paused')
    rig.write('cart.js', `exports.total = () => 10\n${edit}`)
    for (let more = 1; more < asked; more += 1) assert.equal((await rig.loop(['resume', id])).code, 1)
    const resumed = await rig.loop(['resume', id, '--no-input'])
    assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr)
    const told = rig
      .events(id)
      .filter(event => event.kind === 'loop.held' && event.data.reason === 'protected-changed')
    assert.equal(told.length, asked)
    assert.equal(count(rig, id, 'promise.verified'), 1 + asked)
  })
}
