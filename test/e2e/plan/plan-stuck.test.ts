/**
 * A task of a plan that does not succeed: counsel after each failure with progress in between, also if a panel gives no
 * usable answer; the same error again and again, for plans that ask and plans that do not; a forbidden criterion.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { goodAnswers } from '../../rig/answers.ts'
import { onlyGroup } from '../../rig/group.ts'
import { clearSpec, demoNodes, planArgs, planEvents, samplePlan, shortPlanScript } from '../../rig/plan.ts'
import { makeRig, type Rig, readOr } from '../../rig/rig.ts'

/** Scored as a colleague (5/10, fit 25). */
const colleagueSpec =
  'Fix total(), discounted() and shipping() in cart.js so that all tests pass, done when it works'

const light = ['--review-light', 'off']

function memberOf(rig: Rig, node: string): string {
  const begun = planEvents(rig).find(event => event.kind === 'node.started' && event.data.node === node)
  assert.ok(begun?.kind === 'node.started' && begun.data.member, node)
  return begun.data.member
}

function promptOf(rig: Rig, member: string, run: number): string {
  return readOr(join(rig.dir(member), 'runs', String(run), 'prompt'))
}

/** The edits that mend the cart, one mistake each. */
function mendings(): object[] {
  const demo = demoNodes()
  return ['T-001', 'T-003'].flatMap(node => (demo[node] ?? []).flat().filter(step => 'replace' in step))
}

test('each failure with progress in between has its panel, and the task hears of each, usable or not', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const mute = Array.from({ length: 3 }, () => [{ say: 'no idea' }])
  const script = shortPlanScript(rig, {
    'T-001': mendings().map(mending => [mending]),
    'T-001/counsel-1': mute,
    'T-001/counsel-2': mute,
  })
  const ended = await rig.loop(planArgs(clearSpec, script, ...light))
  assert.equal(ended.code, 0, ended.stderr)
  const member = memberOf(rig, 'T-001')
  for (const [panel, run] of [
    ['T-001/counsel-1', 2],
    ['T-001/counsel-2', 3],
  ] as const)
    assert.match(
      promptOf(rig, member, run),
      new RegExp(`Counsel \\(${panel}\\) was asked about this failure and gave no usable answer`),
    )
})

/** A check that fails with the same words until the cart is mended. */
const sameError = 'grep -q item.quantity cart.js || { echo "Error: the quantity is missing" >&2; exit 1; }'

/** Runs that change a file but mend nothing, then a run that mends it. */
function goesRound(rig: Rig, times: number): string {
  const demo = demoNodes()
  const [[, , drafts]] = demo['tasks'] as unknown as [[unknown, unknown, { answer: { tasks: object[] } }]]
  const [first, second] = drafts.answer.tasks
  const tries = Array.from({ length: times }, (_, i) => [
    { write: { path: 'cart.js', text: `// try ${i}\n` } },
  ])
  const whole = readOr(join(rig.tree, 'cart.js'))
  const back = { write: { path: 'cart.js', text: whole } }
  return shortPlanScript(rig, {
    tasks: [[{ answer: { tasks: [{ ...first, verify: sameError }, second] } }]],
    'T-001': [...tries, [back, ...mendings()]],
    'T-001/counsel-1': [[{ answer: goodAnswers.counsel }]],
  })
}

test('the same error three times: a plan that shows its steps pauses and asks for help', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const paused = await rig.loop(planArgs(colleagueSpec, goesRound(rig, 3), ...light, '--yes'))
  assert.equal(paused.code, 1, paused.stderr)
  const plan = onlyGroup(rig)
  const member = memberOf(rig, 'T-001')
  assert.match(
    paused.stdout,
    new RegExp(`T-001 \\(${member}\\) rests: the same error comes back, and it needs help`),
  )
  const help = await rig.loop(['inject', member, 'multiply by the quantity'])
  assert.equal(help.code, 0, help.stderr)
  const ended = await rig.loop(['resume', plan, '--no-input'])
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.match(promptOf(rig, member, 4), /multiply by the quantity/)
})

test('the same error three times: a plan that works silently is told to take another way, and goes on', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const ended = await rig.loop(planArgs(clearSpec, goesRound(rig, 3), ...light))
  assert.equal(ended.code, 0, ended.stderr)
  const prompt = promptOf(rig, memberOf(rig, 'T-001'), 4)
  assert.match(prompt, /The same error 3 times in a row: .* take a different approach\./)
})

test('what must not be pauses the task that did it, and the plan with it', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const manifest = {
    write: { path: 'package.json', text: '{"type": "module", "dependencies": {"left-pad": "1.0.0"}}\n' },
  }
  const script = shortPlanScript(rig, { 'T-001': [[...mendings(), manifest]] })
  const paused = await rig.loop(planArgs(clearSpec, script, ...light))
  assert.equal(paused.code, 1, paused.stderr)
  assert.match(paused.stdout, /T-001 \(\w{6}\) rests: what must not happen has happened/)
  assert.doesNotMatch(readOr(join(rig.tree, 'package.json')), /left-pad/, 'nothing of it is in the tree')
})
