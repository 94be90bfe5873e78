/**
 * Builds the spec of a plan: scores the text, reads the answers that were given beforehand, and finds the reviewers. A
 * text that says too little is refused before any agent runs, if nobody is there to ask.
 */
import { resolve } from 'node:path'
import { parse } from 'yaml'
import { firstQuestions } from '../../core/plan/intent.ts'
import { reversibility } from '../../core/reversibility.ts'
import { type ShapeRule, scoreSpec, shapeRules, workflowType } from '../../core/score.ts'
import { type AgentName, agentNames } from '../../model/agent.ts'
import { all, invalid, ok, type Result } from '../../model/failure.ts'
import type { PlanSpec } from '../../model/group/plan.ts'
import type { GroupSpec } from '../../model/group/spec.ts'
import type { AgentChoice, Spec } from '../../model/loop/spec.ts'
import type { PlanShape } from '../../model/plan.ts'
import { nearest } from '../../options/nearest.ts'
import type { System } from '../../options/system.ts'
import { readWord, type Values } from '../../options/values.ts'

/** Facts from the tree and from the store, collected before the start. */
export type PlanFacts = {
  /** The name of a new directory below .loop/runs. */
  run: string
  slug: string
  maxims: PlanSpec['maxims']
  recalled: PlanSpec['recalled']
  /** The number of loops that have completed in this tree. */
  completed: number
  given: PlanShape | null
  taskList: string | null
}

type Around = { facts: PlanFacts; system: System; parallel: number | null }

export function planFrom(values: Values, loop: Spec, { facts, system, parallel }: Around): Result<GroupSpec> {
  const answers = answersFrom(values, system)
  if (!answers.ok) return answers
  const reviewers = reviewersFrom(values, loop, system)
  if (!reviewers.ok) return reviewers
  const rule = readWord(values, 'shape-rule', shapeRules)
  if (!rule.ok) return rule
  const light = readWord(values, 'review-light', ['on', 'off'] as const)
  if (!light.ok) return light
  const { prompt: text, cwd, budgetUsd, attended, notify, hooks, ...rest } = loop
  const assessed = assess(text, { completed: facts.completed, rule: rule.value })
  const isAsked = assessed.shape === 'blocked' && !values.given('force') && facts.given === null
  const canBeAsked = system.isAttended || (values.given('ask-later') && values.given('background'))
  if (isAsked && !canBeAsked) {
    const open = firstQuestions(text).filter(name => answers.value[name] === undefined)
    if (open.length > 0) return tooLittle(text, open)
  }
  return ok({
    program: 'plan',
    name: text,
    cwd,
    budgetUsd,
    parallel,
    plan: {
      text,
      slug: facts.slug,
      run: facts.run,
      loop: { ...rest, prompt: text, cwd, budgetUsd: null },
      ...assessed,
      completed: facts.completed,
      rule: rule.value,
      ...(facts.given && { given: facts.given }),
      maxims: facts.maxims,
      recalled: facts.recalled,
      answers: answers.value,
      ...(values.given('yes') && { yes: true }),
      ...(values.given('force') && { force: true }),
      reviewers: reviewers.value,
      reviewLight: light.value === 'on',
      counsel: true,
      taskList: facts.taskList,
    },
    ...(hooks && { hooks }),
    attended: attended === true,
    ...(notify && { notify }),
  })
}

function assess(text: string, known: { completed: number; rule: ShapeRule }) {
  const { score, fit, shape } = scoreSpec(text, known)
  return { score, fit, shape, workflow: workflowType(text), reversibility: reversibility(text) }
}

function tooLittle(text: string, open: readonly string[]): Result<never> {
  const { score, dimensions } = scoreSpec(text)
  const missing = dimensions
    .filter(({ dimension }) => open.includes(dimension))
    .map(({ dimension, reason, raise }) => `  ${dimension}: ${reason}${raise ? `; ${raise}` : ''}`)
  return invalid({ kind: 'says-too-little', score, missing })
}

const mostBytes = 100_000

/** The answers in a YAML file, by the id of the question. */
function answersFrom(values: Values, system: System): Result<Record<string, string>> {
  const file = values.value('answers')
  if (file === null) return ok({})
  const text = system.readText(resolve(system.cwd, file), mostBytes)
  if (text === null) return invalid({ kind: 'text-file-unusable', file, most: mostBytes, flag: '--answers' })
  const read = yamlIn(text)
  if (read === null || typeof read !== 'object' || Array.isArray(read))
    return invalid({ kind: 'answers-no-yaml', file })
  const entries = Object.entries(read)
  const odd = entries.find(([, value]) => !['string', 'number', 'boolean'].includes(typeof value))
  if (odd) return invalid({ kind: 'answer-no-text', file, question: odd[0] })
  return ok(Object.fromEntries(entries.map(([id, value]) => [id, wordFor(value)])))
}

/** YAML reads `yes` and `no` as booleans; here they are words. */
function wordFor(value: unknown): string {
  return value === true ? 'yes' : value === false ? 'no' : String(value)
}

function yamlIn(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return null
  }
}

function reviewersFrom(values: Values, loop: Spec, system: System): Result<AgentChoice[]> {
  const names = (values.value('reviewers') ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)
  if (names.length > 4) return invalid({ kind: 'too-many-reviewers' })
  return all(names.map(name => reviewer(name, loop, system)))
}

function reviewer(name: string, loop: Spec, system: System): Result<AgentChoice> {
  const agent = agentNames.find(known => known === name)
  if (!agent) {
    const near = nearest(name, agentNames)
    return invalid({ kind: 'unknown-reviewer', name, near })
  }
  const command = commandFor(agent, loop, system)
  return command.ok ? ok({ agent, agentCmd: command.value }) : command
}

function commandFor(agent: AgentName, loop: Spec, system: System): Result<string> {
  if (agent === loop.agent) return ok(loop.agentCmd)
  return system.agent(agent).find(undefined, loop.cwd)
}
