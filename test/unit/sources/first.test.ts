/**
 * The tables, files and announcements of the first source, compared with its text. All lines:
 * docs/reference/sources.md.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openGate } from '../../../src/core/group/state.ts'
import { creation } from '../../../src/core/loop/assess/assess.ts'
import { outlineOf } from '../../../src/core/plan/outline.ts'
import { reversibility } from '../../../src/core/reversibility.ts'
import { scoreSpec, shapeFor, workflowRules, workflowType } from '../../../src/core/score.ts'
import { planStateJson, stateJson } from '../../../src/documents/state-files.ts'
import type { AnswerOf } from '../../../src/model/answer-schemas.ts'
import type { WorkflowType } from '../../../src/model/loop/assessment.ts'
import { defaultLimits } from '../../../src/model/loop/breakers.ts'
import { startFlags } from '../../../src/options/table/start.ts'
import { announce, statusBlock } from '../../../src/views/text/announce.ts'
import { closing } from '../../../src/views/text/receipt.ts'
import { answerForm } from '../../../src/views/words/group.ts'
import { goodAnswers } from '../../rig/answers.ts'
import { aPlan, driven, quiet, told } from '../../rig/driven-plan.ts'
import {
  after,
  at,
  completed,
  created,
  pass,
  recorded,
  started,
  taken,
  verified,
  wholeIteration,
} from '../../rig/given.ts'
import { quotedIn, source, tableIn } from '../../rig/sources.ts'

test('reversibility: each example of the table has its type', () => {
  for (const [type, , examples = ''] of tableIn('reversibility.md'))
    for (const example of examples.split(', ')) assert.equal(reversibility(example), type, example)
})

test('the rubric: each phrase has the points of its column, and what is not stated has none', () => {
  for (const [dimension = '', ...cells] of tableIn('rubric.md'))
    for (const [points, cell] of cells.entries()) {
      const [phrase = 'Fix /api/auth/token'] = quotedIn(cell)
      const found = scoreSpec(phrase).dimensions.find(one => one.dimension === dimension.toLowerCase())
      assert.equal(found?.points, points, `${dimension}: ${cell}`)
    }
})

test('the decision by the score alone is the older rule', () => {
  const said = source('score-decision.txt')
  const least = (pattern: RegExp) => Number(pattern.exec(said)?.[1])
  const [tool, colleague] = [least(/≥(\d+): Tool/), least(/(\d+)-\d+: Colleague/)]
  for (let score = 0; score <= 10; score += 1) {
    const shape = score >= tool ? 'tool' : score >= colleague ? 'colleague' : 'blocked'
    assert.equal(shapeFor({ score, fit: 5 * score }, 'score'), shape, `${score}`)
  }
})

test('workflow types: each indicator, and the rule that goes into the prompt', () => {
  const rules: Record<string, RegExp> = {
    'Library search required': /look for it in .* the libraries/,
    'Root cause before workaround': /root cause before .* no workaround/,
    'Deletion before redesign': /delete .* before you redesign/,
  }
  for (const [workflow = '', indicators = '', gate = ''] of tableIn('workflow-types.md')) {
    const type = workflow.charAt(0) as WorkflowType
    for (const word of quotedIn(indicators)) assert.equal(workflowType(`${word} the cart`), type, word)
    assert.match(workflowRules[type], rules[gate] ?? /^$/, gate)
  }
})

/** The steps of the source's own example. */
function exampleTasks(): AnswerOf<'tasks'> {
  const steps = source('g1.txt')
    .split('\n')
    .flatMap(line => /^\d\. (.*)$/.exec(line)?.[1] ?? [])
  const [draft] = goodAnswers.tasks.tasks
  assert.ok(draft)
  const tasks = steps.map((subject, i) => ({
    ...draft,
    id: `T-00${i + 1}`,
    subject,
    files: [`part-${i}`],
    blockedBy: [],
  }))
  return { tasks }
}

const colleague = { ...quiet, shape: 'colleague' } as const
const asExample = (node: string) =>
  node === 'tasks' ? { answer: JSON.stringify(exampleTasks()) } : undefined

test('the gates of a colleague come where the table says, with its questions', () => {
  const [g1, g2, g3] = tableIn('gates.md').map(([, , question = '']) => quotedIn(question)[0] ?? '')
  let { state } = driven(
    aPlan(colleague, { answers: { recall: 'no' } }, { attended: true }),
    colleague,
    asExample,
  )
  const gate = () => openGate(state)?.node
  const yes = () => {
    state = driven(told(state, { kind: 'answer', by: 'you', text: 'yes' }), colleague, asExample).state
  }
  const lastLine = () => gate()?.question.split('\n').at(-1)
  assert.equal(gate()?.id, 'G1')
  assert.equal(lastLine(), g1?.replace('N', '4'))
  assert.ok(!state.nodes.some(({ node }) => node.id === 'T-001'), 'after the decomposition, before the work')
  yes()
  assert.equal(gate()?.id, 'G2/1')
  const steps = exampleTasks().tasks.map(({ id, subject }) => `${id}: ${subject}`)
  assert.equal(lastLine(), g2?.replace('X', steps.join('; ')))
  yes()
  assert.equal(gate()?.id, 'G3')
  assert.equal(lastLine(), g3)
  assert.ok(
    outlineOf(state).criteria.every(({ met }) => met),
    'before the claim, with everything met',
  )
  yes()
  assert.deepEqual(state.outcome, { kind: 'completed' })
})

test('a tool is asked nothing, and its start is announced', () => {
  const { state, lines } = driven(aPlan(quiet, { score: 9, workflow: 'A', recalled: [] }), quiet)
  assert.ok(!state.nodes.some(({ node }) => node.kind === 'gate'))
  assert.ok(lines.includes('[LOOP] Starting | Shape: Tool (9/10) | Workflow: A | Steps: 2 | Budget: none'))
})

test('G1 shows the start and the numbered steps of the example', () => {
  const [starting = '', ...shown] = source('g1.txt').trim().split('\n')
  const given = { score: 6, workflow: 'B', answers: { recall: 'no' } } as const
  const { state } = driven(aPlan(colleague, given, { attended: true }), colleague, asExample)
  const gate = openGate(state)?.node
  assert.ok(gate)
  const question = `${gate.question} ${answerForm(gate)}`.split('\n')
  assert.deepEqual(question.slice(0, 5), shown.slice(0, 5))
  assert.ok(question.at(-1)?.endsWith(shown[5] ?? ''))
  const agreed = driven(told(state, { kind: 'answer', by: 'you', text: 'y' }), colleague, asExample)
  assert.ok(agreed.lines.includes(`${starting} | Budget: none`), agreed.lines.join('\n'))
})

test('criteriaStatus of a plan is that of the example, from the criteria of its SHAPE.md', () => {
  const { criteriaStatus } = JSON.parse(source('criteria-status.txt')) as {
    criteriaStatus: Record<string, { met: boolean; verification: 'execution output' | 'observation' }>
  }
  const criteria = Object.entries(criteriaStatus).map(([name, { verification }]) => ({
    name,
    command: verification === 'observation' ? null : 'true',
    verification,
  }))
  const state = aPlan(quiet, { given: { ...goodAnswers.shape, criteria } })
  assert.deepEqual(JSON.parse(planStateJson(state, outlineOf(state))).criteriaStatus, criteriaStatus)
})

/** A loop with the criteria of an example after its first iteration, which met those that are true in the example. */
function loopOf(status: Record<string, boolean>) {
  const criteria = Object.keys(status).map(name => ({ name, command: name }))
  const results = Object.entries(status).map(([name, met]) => ({ name, command: name, ...(met && pass) }))
  const until = [verified(0, ...criteria), taken('initial'), ...wholeIteration(1).slice(0, -1)]
  return after(created({ criteria }), ...until, verified(1, ...results))
}

test('state.json has the fields of the example, in its order and of its types', () => {
  const example = JSON.parse(source('state-file.txt')) as Record<string, unknown>
  const ofLoop = JSON.parse(stateJson(loopOf(example['criteriaStatus'] as Record<string, boolean>)))
  const plan = driven(aPlan(quiet), quiet).state
  const ofPlan = JSON.parse(planStateJson(plan, outlineOf(plan)))
  for (const document of [ofLoop, ofPlan]) {
    assert.deepEqual(Object.keys(document).slice(0, Object.keys(example).length), Object.keys(example))
    for (const [key, value] of Object.entries(example)) {
      assert.equal(typeof document[key], typeof value, key)
      assert.equal(Array.isArray(document[key]), Array.isArray(value), key)
    }
    assert.deepEqual(Object.keys(document.circuitBreaker), ['stuckCount', 'lastUnmet'])
  }
  for (const key of ['criteria', 'criteriaStatus', 'exit_signal', 'status'])
    assert.deepEqual(ofLoop[key], example[key], key)
  assert.equal(ofLoop.circuitBreaker.lastUnmet, 'tests pass')
})

test('the status block is that of the example; what comes next is in loop’s words', () => {
  const lines = source('status-block.txt').trim().split('\n')
  const criteria = JSON.parse(lines[2]?.replace('CRITERIA: ', '') ?? '')
  const block = statusBlock(loopOf(criteria))
  assert.deepEqual(block.with(4, lines[4] ?? ''), lines)
  assert.equal(block[4], 'NEXT: make this pass: tests pass')
})

test('breakers: the thresholds of the table are the defaults, but for edits of one file', () => {
  const rows = Object.fromEntries(
    tableIn('breakers.md').map(([trigger = '', limit = '']) => [trigger, limit]),
  )
  const number = (trigger: string) => Number(/\d+/.exec(rows[trigger] ?? '')?.[0])
  const flag = (name: string) => startFlags.find(one => one.name === name)?.default
  assert.equal(defaultLimits.stuck, number('Same criteria unmet'))
  assert.equal(defaultLimits.sameError, number('Same error'))
  assert.equal(Number(flag('budget')), number('Budget exceeded'))
  assert.equal(Number(flag('max-iterations')), number('Iteration limit'))
  // Raised after measurements: docs/decisions/0053-money.md.
  assert.deepEqual([number('Same file edits'), defaultLimits.sameFile], [5, 20])
})

/** A line of the source as a pattern, with its placeholders replaced. */
function formOf(line: string): RegExp {
  const places: [string, string][] = [
    ['[A/B/C]', '[ABC]'],
    ['[current step]', '.+'],
    ['[step name]', '.+'],
    ['[next step]', '.+'],
    ['$X/$budget', '\\$[\\d.]+/(?:\\$[\\d.]+|none)'],
    ['$Y', '\\$[\\d.]+'],
    ['N/max', '\\d+/\\d+'],
    ['N/total', '\\d+/\\d+'],
    ['Shape: X', 'Shape: \\w+'],
    ['Steps: N', 'Steps: \\d+'],
  ]
  const escaped = (text: string) => text.replaceAll(/[$|[\]()*+?.^\\/{}]/g, '\\$&')
  const form = places.reduce(
    (text, [place, pattern]) => text.replace(escaped(place), () => pattern),
    escaped(line),
  )
  return new RegExp(`^${form}$`)
}

test('announcements of a loop: its start, each iteration and each step, in the forms of the source', () => {
  const [starting = '', iteration = '', complete = ''] = source('announcements.txt').trim().split('\n')
  const given = {
    criteria: [
      { name: 'a', command: 'a' },
      { name: 'b', command: 'b' },
    ],
  }
  const first = created(given)
  const atStart = announce(recorded(creation(first.spec)), first, null)
  assert.match(atStart.at(-1) ?? '', formOf(starting))
  const [each = ''] = announce(recorded(started(1)), at('running', given), null)
  assert.match(each, formOf(iteration))
  const event = verified(1, { name: 'a', command: 'a', ...pass }, { name: 'b', command: 'b' })
  const before = at('settled', given)
  const [done = ''] = announce(recorded(event), after(before, event), before).filter(line =>
    line.includes('✓'),
  )
  assert.match(done, formOf(complete))
  assert.equal(done, '[LOOP] ✓ a complete | Progress: 1/2 | Next: b')
})

test('announcements of a plan: each task that is in the tree is a step', () => {
  const [, , complete = ''] = source('announcements.txt').trim().split('\n')
  const { lines } = driven(aPlan(quiet), quiet)
  const steps = lines.filter(line => line.includes('Progress:'))
  assert.equal(steps.length, 2)
  for (const line of steps) assert.match(line, formOf(complete))
})

test('completion: one line per criterion, then the box', () => {
  const form = source('criteria-complete.txt').trim().replaceAll(/[[\]]/g, '')
  const names = Array.from(form.matchAll(/- (.*):/g), ([, name = '']) => name)
  const all = loopOf(Object.fromEntries(names.map(name => [name, true])))
  const said = closing(after(all, completed))
  assert.equal(said.slice(0, 6).join('\n'), form)
  assert.match(said.slice(6).join('\n'), /^\n?╭─ 🟢 SHIP ─+╮\n│ Verified: execution output +│/)
})
