/** Plans in tests: the sample project, the script of the demo with some nodes played otherwise, and what came of it. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { GroupRecorded } from '../../src/model/group/event.ts'
import { onlyGroup } from './group.ts'
import { type Rig, root } from './rig.ts'

/** Scored as a tool: nothing is asked. */
export const clearSpec =
  'Fix total(), discounted() and shipping() in cart.js so that all tests pass, and describe them in CART.md; no new dependencies; done when node --test exits 0'

/** Scored as blocked: it is asked about first. */
export const vagueSpec = 'Fix the cart'

/** What the scripted agent does in one run. */
export type ScriptedTurn = {
  answer?: object
  replace?: { path: string; from: string; to: string }
  write?: { path: string; text: string }
}[]

type Turns = Record<string, ScriptedTurn[]>
type AnyTurns = Record<string, object[][]>

export function samplePlan(rig: Rig): void {
  cpSync(join(root, 'demo', 'project'), rig.tree, { recursive: true })
}

/** The path of a script: that of the demo, with these nodes in place of its own. */
export function planScript(rig: Rig, nodes: AnyTurns = {}): string {
  const file = join(rig.aside, 'turns.yaml')
  writeFileSync(file, JSON.stringify({ nodes: { ...demoNodes(), ...nodes } }))
  return file
}

/** The turns of the demo, by node. */
export function demoNodes(): Turns {
  const demo = parse(readFileSync(join(root, 'demo', 'plan-turns.yaml'), 'utf8')) as { nodes: Turns }
  return demo.nodes
}

type Review = { findings: { severity: string }[] }
type Verification = { verdicts: { id: string; stands: boolean }[] }

/** The turns of the demo, with a warning that stands in place of its blockers: a person is asked about it. */
export function warnedNodes() {
  const nodes = structuredClone(demoNodes())
  const answerOf = (node: string) =>
    nodes[node]?.[0]?.find(step => 'answer' in step) as { answer: Review & Verification }
  answerOf('review/1/1-correctness').answer.findings = []
  for (const finding of answerOf('review/1/2-edge').answer.findings) finding.severity = 'WARNING'
  const { answer } = answerOf('review/1/verify-1')
  answer.verdicts = answer.verdicts
    .filter(({ id }) => id === 'f-30acde3416')
    .map(one => ({ ...one, stands: true }))
  const checklist = nodes['gate/2/checklist']
  return { ...nodes, ...(checklist && { 'gate/1/checklist': checklist }) }
}

/** A script of two tasks in one wave that succeed at once, and of reviews that find nothing. */
export function shortPlanScript(rig: Rig, nodes: AnyTurns = {}): string {
  const demo = demoNodes()
  const [[, , drafts]] = demo['tasks'] as unknown as [[unknown, unknown, { answer: { tasks: object[] } }]]
  const [first, second] = drafts.answer.tasks
  const mended = { ...first, subject: 'Mend the cart', activeForm: 'Mending the cart', verify: 'node --test' }
  const clean = demo['review/2/1-correctness'] ?? []
  return planScript(rig, {
    tasks: [[{ answer: { tasks: [mended, second] } }]],
    'T-001': [[...(demo['T-001'] ?? []).flat(), ...(demo['T-003'] ?? []).flat()]],
    'wave-1/review': clean,
    'review/1/1-correctness': clean,
    'review/1/2-edge': clean,
    'review/1/3-clarity': clean,
    'gate/1/checklist': demo['gate/2/checklist'] ?? [],
    ...nodes,
  })
}

export function planArgs(spec: string, script: string, ...more: string[]): string[] {
  return ['plan', spec, '--agent', 'scripted', '--agent-cmd', script, '--no-input', ...more]
}

export function planEvents(rig: Rig): GroupRecorded[] {
  return rig.events(onlyGroup(rig)) as unknown as GroupRecorded[]
}

/** The nodes in the order in which they ended, each with how. */
export function endedNodes(rig: Rig): string[] {
  return planEvents(rig).flatMap(event =>
    event.kind === 'node.ended' ? [`${event.data.node} ${event.data.how}`] : [],
  )
}

/** What a person answers to a text that says too little, at the gates, and about what is learnt. */
export const wholeAnswers = [
  'outcome: b',
  'scope: total(), discounted() and shipping() in cart.js',
  'constraints: a',
  'success: All tests pass (node --test exits 0)',
  'done: when node --test exits 0',
  'G1: yes',
  'G2/1: proceed without confirmation',
  'learn/1: yes',
].join('\n')
