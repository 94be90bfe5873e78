/**
 * Decisions of people about the findings of a plan's reviews: warnings are acknowledged at the terminal, a plan whose
 * review failed goes on once its findings are resolved, and work that is hard to reverse needs a yes.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { findingId } from '../../../src/core/plan/findings.ts'
import type { Severity } from '../../../src/model/group/words.ts'
import { goodAnswers } from '../../rig/answers.ts'
import { onlyGroup } from '../../rig/group.ts'
import {
  clearSpec,
  demoNodes,
  endedNodes,
  planArgs,
  planEvents,
  samplePlan,
  shortPlanScript,
} from '../../rig/plan.ts'
import { planTerminal } from '../../rig/plan-terminal.ts'
import { makeRig, type Rig, readOr } from '../../rig/rig.ts'

const finding = {
  rule: 'documentation says nothing',
  file: 'CART.md',
  line: 3,
  quote: 'total, discounted, shipping.',
  problem: 'CART.md does not say what the functions give.',
  fix: 'Say in a sentence what each gives.',
}
const id = findingId(finding)
const second = { ...finding, rule: 'title of two words', quote: '# Cart', line: 1 }
const light = ['--review-light', 'off']

const clean = { ...goodAnswers.review, findings: [] }

type Found = typeof finding & { severity: Severity }

/** A script whose reviewers report these findings in the first `rounds` rounds; the verifier confirms each. */
function finds(rig: Rig, findings: Found[], rounds: number): string {
  const verdicts = findings.map(one => ({
    id: findingId(one),
    stands: true,
    quote: one.quote,
    how: 'Whoever reads it sees it.',
    command: null,
  }))
  const found = { ...clean, findings }
  const checklist = demoNodes()['gate/2/checklist'] ?? []
  const nodes = [1, 2, 3, 4, 5].flatMap(round => [
    [`review/${round}/1-correctness`, [[{ answer: round <= rounds ? found : clean }]]],
    [`review/${round}/2-edge`, [[{ answer: clean }]]],
    [`review/${round}/3-clarity`, [[{ answer: clean }]]],
    [`review/${round}/verify-1`, [[{ answer: { verdicts } }]]],
    [`gate/${round}/checklist`, checklist],
    // Removes the quoted line; the file still meets the criteria.
    [`T-00${round + 2}`, [[{ write: { path: 'CART.md', text: `# Cart\n\nround ${round}\n` } }]]],
  ])
  return shortPlanScript(rig, Object.fromEntries(nodes))
}

function attended(script: string): string[] {
  return ['plan', clearSpec, '--agent', 'scripted', '--agent-cmd', script, '--yes', ...light]
}

function asks({ file, line, problem, fix }: typeof finding, name: string): string {
  return [
    `WARNING ${name} at ${file}:${line}: ${problem} Fix: ${fix}`,
    'a) approve: it is known, and stays as it is',
    'b) task: it is mended before the plan is done',
    'c) discuss: say what you think of it, and the next review is told',
    'd) skip: it is left aside [a-d, or what you think of it]',
  ].join('\n')
}

const consent = ['look at the exact value. [yes / no]', 'no'] as const

test('at a terminal each warning is asked about: one is approved and stays, one is made a task', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const warnings = [second, finding].map(one => ({ ...one, severity: 'WARNING' as const }))
  const terminal = planTerminal(t, rig, attended(finds(rig, warnings, 1)))
  await terminal.answers([[asks(second, findingId(second)), 'a'], [asks(finding, id), 'b'], consent])
  assert.equal(await terminal.screen.ended, 0, terminal.said())
  assert.match(
    terminal.said(),
    /\[LOOP\] ✓ T-003 Fix documentation says nothing in CART\.md complete \| Progress: 3\/3/,
  )
  const shown = await rig.loop(['review', onlyGroup(rig)])
  assert.match(shown.stdout, new RegExp(`${findingId(second)} CART\\.md:1 \\(approve\\)`))
  assert.match(shown.stdout, new RegExp(`${id} CART\\.md:3 \\(task\\)`))
})

test('without a person a warning does not stop the plan, and is shown at its end', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const script = finds(rig, [{ ...finding, severity: 'WARNING' }], 1)
  const ended = await rig.loop(planArgs(clearSpec, script, ...light))
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stdout, new RegExp(`WARNING ${id} at CART\\.md:3, not acknowledged`))
})

test('a warning of the first round stays open when a second round does not name it again', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const found: Found[] = [
    { ...finding, severity: 'BLOCKER' },
    { ...second, severity: 'WARNING' },
  ]
  const ended = await rig.loop(planArgs(clearSpec, finds(rig, found, 1), ...light))
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stdout, new RegExp(`WARNING ${findingId(second)} at CART\\.md:1, not acknowledged`))
  assert.match(ended.stdout, /╭─ 🟡 MONITOR /)
  assert.match(ended.stdout, new RegExp(`Look at: ${findingId(second)}`))
  assert.doesNotMatch(ended.stdout, new RegExp(`WARNING ${id} `), 'the blocker is fixed')
})

test('a review that fails leaves a way on: one more round, or a decision about what stands', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const script = finds(rig, [{ ...finding, severity: 'BLOCKER' }], 4)
  const failed = await rig.loop(planArgs(clearSpec, script, ...light, '-n', '30'))
  assert.equal(failed.code, 1, failed.stderr)
  const plan = onlyGroup(rig)
  assert.match(failed.stdout, new RegExp(`failed: its reviews still find blockers: ${id}\\.`))
  assert.match(failed.stdout, new RegExp(`next +loop review ${plan}\n`))
  assert.match(failed.stdout, new RegExp(`next +Then, .*: loop resume ${plan}\n`))
  const again = await rig.loop(['resume', plan, '--no-input'])
  assert.equal(again.code, 1, again.stdout)
  assert.ok(endedNodes(rig).includes('T-005/apply completed'), 'what stood has become a task again')
  const shown = await rig.loop(['review', plan])
  assert.match(
    shown.stdout,
    new RegExp(`Review 4: 1 finding, 1 standing blocker\nBLOCKER +${id} CART\\.md:3\n`),
  )
  const decided = await rig.loop(['review', plan, id, 'approve'])
  assert.equal(decided.code, 0, decided.stderr)
  assert.match(decided.stdout, new RegExp(`approve\\. Go on with: loop resume ${plan}`))
  const before = endedNodes(rig).length
  const ended = await rig.loop(['resume', plan, '--no-input'])
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  const [first = ''] = endedNodes(rig).slice(before)
  assert.equal(first, 'gate/4/c1 completed', 'no task and no review is made again')
  assert.match(ended.stdout, /Tasks: 5\/5 complete/)
  const late = await rig.loop(['review', plan, id, 'task'])
  assert.notEqual(late.code, 0)
})

/** Scored as a tool, and hard to reverse. */
const type1Spec = `${clearSpec}; change the public API`

test('Type 1: an adversary reads it first, its misreadings are shown, and only a person says yes', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const script = shortPlanScript(rig, { precheck: [[{ answer: goodAnswers.precheck }]] })
  const args = ['plan', type1Spec, '--agent', 'scripted', '--agent-cmd', script, '--yes', ...light]
  const terminal = planTerminal(t, rig, args)
  const question = [
    'This is hard to take back. It could be misread:',
    ...goodAnswers.precheck.misreadings.map(({ reading, consequence }) => `- ${reading}: ${consequence}`),
    goodAnswers.precheck.question,
    'Go on? [yes / no]',
  ].join('\n')
  await terminal.answer(question, '')
  assert.deepEqual(endedNodes(rig), ['precheck completed'], 'nothing is planned before')
  await terminal.answers([['Go on? [yes / no]', 'yes'], consent])
  assert.equal(await terminal.screen.ended, 0, terminal.said())
  assert.match(terminal.said(), /must not happen: a table is dropped – does not happen/)
  assert.match(readOr(join(rig.tree, '.loop', 'shape', 'SHAPE.md')), /- a column is renamed\n/)
  assert.match(terminal.said(), /╭─ 🟡 MONITOR ─+╮\n.*\n.*\n│ Subjective: ~\d+% · Type 1 · 3pt/)
})

test('Type 1 with nobody there waits for an answer, and a no ends it before any work', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const script = shortPlanScript(rig, { precheck: [[{ answer: goodAnswers.precheck }]] })
  const stopped = await rig.loop(planArgs(type1Spec, script, ...light, '--yes'))
  assert.equal(stopped.code, 1, stopped.stderr)
  const plan = onlyGroup(rig)
  assert.match(
    (await rig.loop(['answer', plan])).stdout,
    /It could be misread:\n- all tables are to be dropped first/,
  )
  assert.equal((await rig.loop(['answer', plan, 'no'])).code, 0)
  const ended = await rig.loop(['resume', plan, '--no-input'])
  assert.equal(ended.code, 1)
  assert.match(ended.stdout, /a person said no \(type-1\)/)
  const begun = planEvents(rig).flatMap(event => (event.kind === 'node.started' ? event.data.node : []))
  assert.deepEqual(begun, ['precheck', 'type-1'])
})
