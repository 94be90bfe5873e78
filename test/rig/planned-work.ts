/**
 * Random plans for the cut test of groups: how much is asked of people, which tasks there are, what reviewers find, how
 * often the gate fails, which question a model cannot answer at first. And what the simulated models answer: the same
 * to the same question, however often its host has died.
 */
import * as fc from 'fast-check'
import { workflowChecklists } from '../../src/core/score.ts'
import { type AnswerName, answerNames } from '../../src/model/answer.ts'
import type { AnswerOf } from '../../src/model/answer-schemas.ts'
import type { PlanSpec } from '../../src/model/group/plan.ts'
import type { Severity } from '../../src/model/group/words.ts'
import type { Spec } from '../../src/model/loop/spec.ts'
import type { Finding } from '../../src/model/plan.ts'
import { goodAnswers } from './answers.ts'

type Found = { severity: Severity; stands: boolean }

export type WorkPlan = {
  program: 'plan'
  shape: PlanSpec['shape']
  isType1: boolean
  counsel: boolean
  reviewLight: boolean
  tasks: { needs: number[]; file: number }[]
  /** What the reviewers find, and in how many rounds. */
  findings: Found[]
  foundIn: number
  /** How many rounds a criterion is not met at the gate; after three the plan has failed, and is resumed. */
  gateFails: number
  /** What no model can answer the first time. */
  mute: AnswerName | null
  lessons: number
  /** What is answered beforehand. */
  given: boolean
}

export const workPlan: fc.Arbitrary<WorkPlan> = fc.record({
  program: fc.constant('plan'),
  shape: fc.constantFrom('tool', 'tool', 'tool-review', 'colleague', 'blocked'),
  isType1: fc.constantFrom(false, false, false, true),
  counsel: fc.boolean(),
  reviewLight: fc.boolean(),
  tasks: fc.array(fc.record({ needs: fc.array(fc.nat(2), { maxLength: 1 }), file: fc.nat(3) }), {
    minLength: 1,
    maxLength: 3,
  }),
  findings: fc.array(fc.record({ severity: fc.constantFrom('BLOCKER', 'WARNING'), stands: fc.boolean() }), {
    maxLength: 2,
  }),
  foundIn: fc.constantFrom(1, 1, 1, 3),
  gateFails: fc.constantFrom(0, 0, 0, 1, 3),
  mute: fc.option(fc.constantFrom(...answerNames), { freq: 3, nil: null }),
  lessons: fc.nat(2),
  given: fc.boolean(),
})

export function planSpecOf(plan: WorkPlan, loop: Spec): PlanSpec {
  return {
    text: 'Fix the cart',
    slug: 'fix-the-cart',
    run: 'fix-the-cart',
    // Together, for all tasks: more than any of these plans needs.
    loop: { ...loop, maxIterations: 100 },
    score: 5,
    fit: 30,
    completed: 0,
    rule: 'fit',
    shape: plan.shape,
    workflow: 'B',
    reversibility: plan.isType1 ? '1' : '2B',
    maxims: [],
    recalled: [{ name: 'l-1', text: 'the cart has been broken before' }],
    answers: plan.given ? { recall: 'yes', 'learn/1': 'yes', 'learn/2': 'no' } : {},
    reviewers: [],
    reviewLight: plan.reviewLight,
    counsel: plan.counsel,
    taskList: null,
  }
}

export type Question = { node: string; attempt: number; schema: AnswerName; about: readonly string[] }

/** Null where the model cannot answer. */
export function modelAnswer(plan: WorkPlan, asked: Question): string | null {
  if (asked.schema === plan.mute && asked.attempt === 1) return null
  return JSON.stringify(answers[asked.schema](plan, asked))
}

const answers: { [N in AnswerName]: (plan: WorkPlan, asked: Question) => AnswerOf<N> } = {
  ...constantly('precheck'),
  ...constantly('counsel'),
  ...constantly('judge'),
  shape: () => ({
    ...goodAnswers.shape,
    criteria: [
      { name: 'tests pass', command: 'tests', verification: 'execution output' },
      { name: 'it reads well', command: null, verification: 'code review' },
    ],
  }),
  tasks: ({ tasks }) => ({
    tasks: tasks.map(({ needs, file }, i) => ({
      ...(goodAnswers.tasks.tasks[0] as AnswerOf<'tasks'>['tasks'][number]),
      id: nameOf(i),
      subject: `Mend part ${i}`,
      files: [`part-${file}`],
      blockedBy: [...new Set(needs.filter(need => need < i))].map(nameOf),
    })),
  }),
  review: ({ findings, foundIn }, { node }) => ({
    ...goodAnswers.review,
    findings: roundOf(node) <= foundIn ? findings.map(({ severity }, i) => finding(i, severity)) : [],
  }),
  verification: ({ findings }, { about }) => ({
    verdicts: about.map((id, i) => ({
      id,
      stands: findings[i]?.stands ?? false,
      quote: 'a line',
      how: 'by looking at it',
      command: null,
    })),
  }),
  checklist: () => ({
    rows: workflowChecklists.B.map(item => ({ item, answer: 'as it should be', evidence: 'cart.js:1' })),
  }),
  deviations: ({ lessons }) => ({
    noDeviation: lessons === 0,
    deviations: Array.from({ length: lessons }, (_, i) => ({
      kind: 'edge case' as const,
      before: 'nothing is empty',
      found: 'something is',
      adjustment: 'it starts with 0',
      lesson: `Lesson ${i} of this cart.`,
    })),
  }),
}

function constantly<N extends AnswerName>(name: N) {
  return { [name]: () => goodAnswers[name] } as { [K in N]: () => AnswerOf<K> }
}

/** Of a thorough review; a light one finds nothing. */
function roundOf(node: string): number {
  return Number(/^review\/(\d+)\//.exec(node)?.[1] ?? Number.POSITIVE_INFINITY)
}

function nameOf(index: number): string {
  return `T-00${index + 1}`
}

export function finding(index: number, severity: Severity): Finding {
  const rule = `rule ${index}`
  return { severity, rule, file: 'shared', line: 1, quote: rule, problem: 'it is wrong', fix: 'mend it' }
}

/** The gate: what must not be is not, and the criteria are met once it has failed often enough. */
export function gatePasses({ gateFails }: WorkPlan, node: string): boolean | null {
  const [, round, what] = /^gate\/(\d+)\/([cm])\d+$/.exec(node) ?? []
  if (round === undefined) return null
  return what === 'c' && Number(round) > gateFails
}
