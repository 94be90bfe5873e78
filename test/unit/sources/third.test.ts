/** The state, tasks, waves, reviews and end of the third source, compared with its text. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { addTaskFile, changeTaskFile } from '../../../src/adapters/task-files.ts'
import { decideGroup } from '../../../src/core/group/decide.ts'
import { outlineOf } from '../../../src/core/plan/outline.ts'
import { lightReviewPrompt, reviewPrompt } from '../../../src/core/plan/prompts.ts'
import { progressive, taskDescription } from '../../../src/core/plan/waves.ts'
import { familiarityOf, fitOf, shapeFor } from '../../../src/core/score.ts'
import { workflowStateJson } from '../../../src/documents/state-files.ts'
import { writeTaskFiles } from '../../../src/engine/project/group.ts'
import { ok } from '../../../src/model/failure.ts'
import type { NodeEnd } from '../../../src/model/group/event.ts'
import { severities } from '../../../src/model/group/words.ts'
import type { PlanTask, TaskDraft } from '../../../src/model/plan.ts'
import { planComplete } from '../../../src/views/plan/announce.ts'
import { goodAnswers } from '../../rig/answers.ts'
import { aPlan, driven, quiet } from '../../rig/driven-plan.ts'
import { tempDir } from '../../rig/given.ts'
import { afterEvents, begun, over, rests } from '../../rig/given-group.ts'
import { source, tableIn } from '../../rig/sources.ts'

test('fit: the formula and the four shapes', () => {
  const said = source('fit.txt')
  const [, perPoint = ''] = /spec_score × (\d+)/.exec(said) ?? []
  const bonuses = Array.from(said.matchAll(/has_\w+ \? (\d+) : 0/g), ([, points]) => Number(points))
  const most = Number(/0-(\d+) : 0\)/.exec(said)?.[1])
  const sure = ['constraints', 'success', 'done'] as const
  for (let score = 0; score <= 10; score += 1)
    for (const [i] of [...bonuses, 0].entries()) {
      const fit = Number(perPoint) * score + bonuses.slice(0, i).reduce((sum, one) => sum + one, 0)
      assert.equal(fitOf({ score, sure: sure.slice(0, i), familiarity: 0 }), fit)
    }
  assert.equal(familiarityOf(1_000), most)
  const shapes: Record<string, string> = {
    'Tool-shaped (autonomous)': 'tool',
    'Tool-with-review (checkpoints)': 'tool-review',
    'Colleague-shaped (iterate each step)': 'colleague',
    'BLOCKED (clarify first)': 'blocked',
  }
  for (const [, range = '', name = ''] of said.matchAll(/^- (\S+): (.*)$/gm)) {
    const [first = 0, last = first] = (range.match(/\d+/g) ?? []).map(Number)
    const fits = range.startsWith('<') ? [first - 1, 0] : [first, range.endsWith('+') ? 65 : last]
    for (const fit of fits) assert.equal(shapeFor({ score: 5, fit }, 'fit'), shapes[name], `${fit}`)
  }
})

/** A field (`subject`, `description` …) of the call in the source. */
function created(field: string): string {
  return new RegExp(`${field}="([^"]*)"`).exec(source('task-create.txt'))?.[1] ?? ''
}

test('a task: subject, active form, and a description that ends with its command', () => {
  const [first = '', verify = ''] = created('description').split(' Verify: ')
  const task = { source: 'the spec', action: first, criteria: 'it is there', verify }
  assert.ok(taskDescription(task).endsWith(`\nVerify: ${verify}`))
  assert.match(progressive(created('subject')), new RegExp(`^${created('activeForm').split(' ')[0]} `))
})

/** Four tasks; the last waits for the first and the third, as in the source. */
function fourTasks(): TaskDraft[] {
  const [, id = '', list = ''] = /taskId="(\d)", addBlockedBy=\[(.*)\]/.exec(source('task-blocked.txt')) ?? []
  const subjects = Array.from(source('loop-complete.txt').matchAll(/^- (T-\d+): ✓ (.*)$/gm))
  const [draft] = goodAnswers.tasks.tasks
  assert.ok(draft)
  return subjects.map(([, name = '', subject = ''], i) => ({
    ...draft,
    id: name,
    subject,
    files: [`part-${i}`],
    blockedBy: String(i + 1) === id ? (list.match(/\d/g)?.map(number => `T-00${number}`) ?? []) : [],
  }))
}

type Answers = (node: string) => Partial<NodeEnd> | undefined

const withFour: Answers = node =>
  node === 'tasks' ? { answer: JSON.stringify({ tasks: fourTasks() }) } : undefined

test('task files: the metadata of the source, and dependencies by number', t => {
  const home = tempDir(t)
  const { state } = driven(aPlan(quiet, { taskList: 'my-loop' }), quiet, withFour)
  writeTaskFiles(state, { CLAUDE_CONFIG_DIR: home })
  const read = (number: number) =>
    JSON.parse(readFileSync(join(home, 'tasks', 'my-loop', `${number}.json`), 'utf8'))
  const [, json = ''] = /metadata=([^)]*)\)/.exec(source('task-metadata.txt')) ?? []
  const wanted = JSON.parse(json) as Record<string, unknown>
  const { metadata } = read(1)
  for (const [key, value] of Object.entries(wanted))
    assert.deepEqual(metadata[key], key === 'loopId' ? state.id : value, key)
  assert.deepEqual(read(4).blockedBy, ['1', '3'])
  assert.deepEqual(read(3).blocks, ['4'])
  assert.equal(read(4).metadata.wave, 2)
})

test('the directory of a list has the files of the source', t => {
  const dir = tempDir(t)
  for (let i = 0; i < 3; i += 1) {
    const made = addTaskFile(dir, number => ({
      id: String(number),
      subject: 's',
      description: 'd',
      status: 'pending',
      blocks: [],
      blockedBy: [],
    }))
    assert.ok(made.ok)
  }
  assert.ok(changeTaskFile(dir, 3, () => ok(null)).ok)
  const names = Array.from(source('task-directory.txt').matchAll(/── (\S+) +#/g), ([, name = '']) => name)
  assert.deepEqual(readdirSync(dir).toSorted(), names.toSorted())
})

test('workflow-state.json has the schema of the source, with a score for each wave and the thorough review', () => {
  const example = JSON.parse(source('workflow-state.json'))
  const found = { severity: 'BLOCKER' as const, stands: true }
  const plan = { ...quiet, findings: [found], foundIn: 3 }
  const { state } = driven(aPlan(plan), plan)
  const document = JSON.parse(workflowStateJson(state, outlineOf(state)))
  const keys = Object.keys(example)
  assert.deepEqual(Object.keys(document).slice(0, keys.length), keys)
  for (const key of keys) assert.equal(typeof document[key], typeof example[key], key)
  assert.deepEqual(Object.keys(document.reviews), ['wave_1', 'wave_2', 'wave_3', 'thorough'])
  assert.deepEqual(Object.keys(document.reviews.wave_1), Object.keys(example.reviews.wave_1))
  assert.deepEqual(document.reviews.thorough, example.reviews.thorough)
  const stages = example.stage.split('|')
  assert.ok(stages.includes(document.stage))
  const shapes = example.shape_chosen.split('|')
  assert.ok(shapes.includes(document.shape_chosen))
})

test('a plan goes through the stages in the order of the source', () => {
  const stages = tableIn('stage-resume.md').map(([stage]) => stage)
  const plan = { ...quiet, shape: 'blocked' } as const
  const answers = {
    recall: 'no',
    constraints: 'No new dependencies',
    success: 'All tests pass',
    done: 'soon',
  }
  const more = { checklist: 'yes', G1: 'yes', 'G2/1': 'yes', G3: 'yes' }
  const played = driven(aPlan(plan, { answers: { ...answers, ...more } }), plan)
  assert.deepEqual(played.state.outcome, { kind: 'completed' })
  assert.deepEqual(played.stages, stages)
})

test('self-unblocking: the first failure counts, and a panel is asked at once', () => {
  const said = source('unblocking.txt')
  assert.match(said, /^1\. \*\*First failure\*\* → Increment stuckCount/)
  assert.match(said, /^2\. \*\*stuckCount >= 1\*\* → Immediately invoke/m)
  const plan = { ...quiet, counsel: true }
  const planned = driven(aPlan(plan), plan, node => (node === 'T-001' ? { how: 'failed' } : undefined)).state
  const early = {
    ...planned,
    outcome: null,
    nodes: planned.nodes.slice(0, planned.nodes.findIndex(({ node }) => node.id === 'T-001/apply') + 1),
  }
  const failed = afterEvents(
    { ...early, nodes: early.nodes.map(one => (one.node.id === 'T-001' ? { ...one, end: null } : one)) },
    begun('T-001', 'm-1'),
    rests('T-001', 'advice-wanted'),
  )
  assert.equal(outlineOf(failed).tasks[0]?.stuckCount, 1)
  const next = decideGroup(failed)
  assert.ok(next.do === 'record' && next.event.kind === 'nodes.planned')
  assert.deepEqual(
    next.event.data.nodes.map(({ id }) => id),
    ['T-001/counsel-1'],
  )
  const advised = afterEvents(
    failed,
    next.event,
    begun('T-001/counsel-1', 'm-2'),
    over('T-001/counsel-1', { answer: JSON.stringify(goodAnswers.counsel) }),
  )
  const then = decideGroup(advised)
  assert.ok(
    then.do === 'steps' && then.steps.some(({ kind }) => kind === 'advise'),
    'then it goes on with it',
  )
})

test('reviews: viewpoints, severities and what must not be are those of the source', () => {
  const said = source('reviews.md')
  assert.match(said, new RegExp(`Severity levels: ${severities.join(' / ')}`))
  const task = { ...goodAnswers.tasks.tasks[0], wave: 1 } as PlanTask
  const light = lightReviewPrompt(goodAnswers.shape, [task])
  assert.match(said, /Select 2-3 experts based on task aspects/)
  assert.match(light, /two or three viewpoints that fit its files \(cart\.js\)/)
  const [, aspects = ''] = /Quick check: (.*) alignment/.exec(said) ?? []
  for (const aspect of aspects.split(', '))
    assert.ok(light.includes(aspect.replace('delivery', 'deliver')), aspect)
  const thorough = reviewPrompt('x', { shape: goodAnswers.shape, viewpoint: 'v', discussed: [] })
  for (const { name } of goodAnswers.shape.mustNot) assert.ok(thorough.includes(name), name)
  assert.match(said, /Full expert panel \(3-4 experts\)/)
  const reviewers = (count: number) => {
    const agents = Array.from({ length: count }, () => ({ agent: 'scripted', agentCmd: 'x' }) as const)
    const { started } = driven(aPlan(quiet, { reviewers: agents }), quiet)
    return started.filter(node => /^review\/1\/\d-/.test(node)).length
  }
  assert.deepEqual([reviewers(0), reviewers(1), reviewers(4)], [3, 3, 4])
})

test('the end of a plan is that of the source, with the box filled from review and shape', () => {
  const form = source('loop-complete.txt').trim()
  const clean = { ...goodAnswers.review, confidence: 90, alt: 'Manual verification', findings: [] }
  const answers: Answers = node => {
    if (!/^review\/\d+\/\d-/.test(node)) return withFour(node)
    return { answer: JSON.stringify({ ...clean, risk: 'Edge cases in validation' }) }
  }
  const shape = { ...goodAnswers.shape, points: 5 as const, criteria: [runCriterion] }
  const { state } = driven(aPlan(quiet, { given: shape, reversibility: '2B' }), quiet, answers)
  assert.deepEqual(state.outcome, { kind: 'completed' })
  // The box in the source is drawn by hand, and its sides do not meet.
  const plain = (text: string) => text.replaceAll(/[─ ]+/g, ' ').replaceAll(' │', '│')
  assert.equal(plain(planComplete(state).join('\n')), plain(form))
})

const runCriterion = { name: 'tests pass', command: 'tests', verification: 'execution output' } as const
