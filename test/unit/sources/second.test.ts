/**
 * The documents, tasks and deviations of the second source, compared with its text; other forms of it: views/plan,
 * core/plan.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readMaxims } from '../../../src/adapters/learnings.ts'
import { find } from '../../../src/core/group/state.ts'
import { deviationsPrompt } from '../../../src/core/plan/prompts.ts'
import { documentsFor, phaseReasons, progressive, taskDescription } from '../../../src/core/plan/waves.ts'
import { planFiles } from '../../../src/engine/project/plan-files.ts'
import { answerSchemas } from '../../../src/model/answer-schemas.ts'
import { contextPage } from '../../../src/views/plan/context.ts'
import { goodAnswers } from '../../rig/answers.ts'
import { aPlan, driven, quiet } from '../../rig/driven-plan.ts'
import { tempDir } from '../../rig/given.ts'
import { quotedIn, source, tableIn } from '../../rig/sources.ts'

test('documents: requirements from as many tasks on, design and plan by what is needed', () => {
  const said = source('documents.txt')
  const many = Number(/requirements \(estimate (\d+)\+ tasks\)/.exec(said)?.[1])
  assert.deepEqual(documentsFor('tasks', many), ['requirements'])
  assert.deepEqual(documentsFor('tasks', many - 1), [])
  assert.match(said, /`design\.md` — design choices/)
  assert.match(phaseReasons['plan → design → tasks'], /design/)
  assert.match(said, /`plan\.md` — .* \(need code understanding\)/)
  assert.equal(phaseReasons['plan → tasks'], 'Need code understanding')
})

test('a task has its subject, its active form, and a description of source, action and completion criteria', () => {
  const [subject = '', active = ''] = quotedIn(source('task-fields.txt'))
  assert.equal(progressive(subject), active)
  const [, parts = ''] = /description \((.*)\)/.exec(source('task-fields.txt')) ?? []
  assert.equal(parts, 'source + action + completion criteria')
  const words = { source: 'the spec', action: 'do it', criteria: 'it is done', verify: 'true' }
  assert.deepEqual(
    taskDescription(words)
      .split('\n')
      .map(line => line.split(':')[0]),
    ['Source', 'Action', 'Complete when', 'Verify'],
  )
})

test('the tasks are asked for with the maxims, custom.md before the others, and not without them', t => {
  const [tree, home] = [tempDir(t), tempDir(t)]
  const put = (dir: string, name: string, text: string) => {
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, name), text)
  }
  put(join(tree, '.loop', 'maxims'), 'all.md', 'keep it small')
  put(join(tree, '.loop', 'maxims'), 'custom.md', 'no new files')
  put(home, 'mine.md', 'name things')
  const maxims = readMaxims(tree, home).map(({ path, text }) => ({ name: path, text }))
  const { state } = driven(aPlan(quiet, { maxims }), quiet)
  const asked = find(state, 'tasks')?.node
  assert.ok(asked?.kind === 'loop')
  assert.match(
    asked.spec.prompt,
    /## Maxims of this project and its user\n- no new files\n- keep it small\n- name things\n/,
  )
})

test('one directory per run, with the files of the source', () => {
  const names = Array.from(source('run-directory.txt').matchAll(/(\w+\.md)/g), ([name]) => name)
  const shape = {
    ...goodAnswers.shape,
    phases: 'plan → requirements → design → tasks',
    documents: { requirements: null, design: null, plan: null },
  } as const
  const { state } = driven(aPlan(quiet, { given: shape, run: '2026-01-23-login' }), quiet)
  const files = Object.keys(planFiles(state, { now: 0, interventions: [] }))
  const ofRun = files.filter(path => path.startsWith('runs/')).map(path => path.split('/').slice(1))
  assert.deepEqual(ofRun.toSorted(), [...names, 'plan.md'].map(name => ['2026-01-23-login', name]).toSorted())
})

test('what was assumed, found and adjusted is a deviation each', () => {
  const deviations = tableIn('deviation-table.md').map(([before = '', found = '', adjustment = '']) => ({
    before,
    found,
    adjustment,
  }))
  const page = contextPage({
    turns: [],
    goal: 'g',
    scope: 's',
    constraints: [],
    assumptions: [],
    documents: {},
    deviations,
    interventions: [],
  })
  for (const { before, found, adjustment } of deviations)
    assert.ok(page.includes(`- Before: ${before}\n- Found: ${found}\n- Adjustment: ${adjustment}\n`))
})

test('only the three meaningful kinds of deviations can be offered, and the others are named as none', () => {
  const [meaningful = '', not = ''] = source('deviation-kinds.md').split('\n\n')
  const kinds: Record<string, string> = {
    'Architecture assumption was wrong': 'architecture',
    'Edge cases missed': 'edge case',
    'Tool/framework limits discovered late': 'tool limit',
  }
  const listed = (text: string) => Array.from(text.matchAll(/^- (.*)$/gm), ([, line = '']) => line)
  const [good] = goodAnswers.deviations.deviations
  const parsed = (kind: unknown) =>
    answerSchemas.deviations.safeParse({ noDeviation: false, deviations: [{ ...good, kind }] }).success
  for (const line of listed(meaningful)) assert.ok(parsed(kinds[line]), line)
  const prompt = deviationsPrompt(goodAnswers.shape, [])
  for (const line of listed(not)) {
    assert.ok(!parsed(line), line)
    for (const word of line.toLowerCase().split(', '))
      assert.ok(prompt.toLowerCase().includes(wordFor(word)), word)
  }
})

/** The prompt writes "one-off" with another hyphen than the source. */
function wordFor(text: string): string {
  return text.startsWith('one') ? 'one-off' : text
}
