/**
 * Random groups for the cut test: what is asked for, what each member, measure and check will come to, and what a
 * person does meanwhile. A new program or a new kind of node is one more arbitrary here, and its row in `specOf`.
 */
import * as fc from 'fast-check'
import { placesOf } from '../../src/core/workflow.ts'
import type { GroupEvent } from '../../src/model/group/event.ts'
import type { NodeOf } from '../../src/model/group/node.ts'
import type { GroupSpec } from '../../src/model/group/spec.ts'
import type { WorkflowLoop } from '../../src/model/group/workflow.ts'
import type { Spec } from '../../src/model/loop/spec.ts'
import { aSpec } from './given.ts'
import { aGroupSpec } from './given-group.ts'
import { planSpecOf, type WorkPlan, workPlan } from './planned-work.ts'
import { type Turn, turn } from './simulated-world.ts'

export const tree = '/tree'

/** What a person does, once, right after the nth event of a kind, or when the nth host comes. */
export type Ask = {
  what: 'pause' | 'cancel' | 'edit shared' | 'edit own'
  kind: GroupEvent['kind'] | 'host'
  nth: number
}

type BestOfPlan = {
  program: 'best-of'
  attempts: number
  waves: 1 | 2
  firstWins: boolean
  isManual: boolean
  hasMetric: boolean
  judge: boolean
}

type LoopPlan = { needs: number[]; bestOf: number | null; confirm: boolean; retries: number }
type WorkflowPlan = { program: 'workflow'; loops: LoopPlan[]; hooks: number }

export type GroupPlan = {
  asked: BestOfPlan | WorkflowPlan | WorkPlan
  /** What the iterations of a member come to, and whether it changes the file that all know. */
  members: { turns: Turn[]; touches: boolean }[]
  maxIterations: number
  baseline: boolean
  parallel: number
  budgetUsd: number | null
  /** What measures come to: a number, nothing, or a failure. */
  values: (number | null | 'fails')[]
  /** How many times the promise fails in the tree after a result came into it. */
  red: number
  /** What a person writes into their own file breaks the promise in the tree, and the criteria of a plan. */
  fragile?: true
  asks: Ask[]
  /** Which of the choices a person takes. */
  answer: number
}

const bestOf: fc.Arbitrary<BestOfPlan> = fc.record({
  program: fc.constant('best-of'),
  attempts: fc.integer({ min: 1, max: 5 }),
  waves: fc.constantFrom(1, 1, 1, 2),
  firstWins: fc.constantFrom(false, false, true),
  isManual: fc.constantFrom(false, false, true),
  hasMetric: fc.constantFrom(true, false, false),
  judge: fc.boolean(),
})

const loop: fc.Arbitrary<LoopPlan> = fc.record({
  needs: fc.array(fc.nat(3), { maxLength: 2 }),
  bestOf: fc.constantFrom(null, null, null, 2),
  confirm: fc.constantFrom(false, false, false, true),
  retries: fc.constantFrom(0, 0, 1),
})

const workflow: fc.Arbitrary<WorkflowPlan> = fc.record({
  program: fc.constant('workflow'),
  loops: fc.array(loop, { minLength: 1, maxLength: 4 }),
  hooks: fc.nat(2),
})

const member = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 3 }),
  touches: fc.constantFrom(false, false, true),
})

const ask: fc.Arbitrary<Ask> = fc.record({
  what: fc.constantFrom('pause', 'pause', 'cancel', 'edit shared', 'edit own', 'edit own'),
  kind: fc.constantFrom(
    ...(['nodes.planned', 'node.started', 'node.started', 'copy.made', 'node.ended', 'node.ended'] as const),
    ...(['tree.saved', 'tree.merged', 'tree.merged', 'tree.applied', 'tree.applied'] as const),
    ...(['tree.checked', 'node.rested', 'group.resumed'] as const),
  ),
  nth: fc.integer({ min: 1, max: 3 }),
})

const mostlyPassing: fc.Arbitrary<Turn> = fc.record({
  end: fc.constant('exited'),
  refused: fc.constant(null),
  costUsd: fc.constantFrom(0.5, 2),
  exit: fc.constantFrom(0, 0, 0, 1),
  forbidden: fc.constant(false),
  rewrites: fc.constant(false),
  steered: fc.constantFrom(null, null, 'PASS'),
  failing: fc.constantFrom(null, null, null, 'checkpoint'),
})

/** Half of the members come to something: groups in which nobody passes end early, and apply nothing. */
const members = fc.array(
  fc.oneof(member, fc.record({ turns: fc.tuple(mostlyPassing), touches: fc.boolean() })),
  { minLength: 1, maxLength: 5 },
)

const programs = fc.oneof({ weight: 2, arbitrary: bestOf }, { weight: 1, arbitrary: workflow })

export const groupPlan = planOf(programs)

/** Groups that are plans: they have far more members than others, so that most of these work as they should. */
export const plannedWork: fc.Arbitrary<GroupPlan> = fc
  .record({
    plan: planOf(workPlan),
    isOrdinary: fc.constantFrom(true, true, true, false),
    turns: fc.array(mostlyPassing, { minLength: 1, maxLength: 3 }),
  })
  .map(({ plan, isOrdinary, turns }) => {
    if (!isOrdinary) return plan
    const asks = plan.asks.filter(({ what }) => what === 'pause')
    return { ...plan, asks, members: turns.map(one => ({ turns: [one], touches: false })) }
  })

function planOf(asked: fc.Arbitrary<GroupPlan['asked']>): fc.Arbitrary<GroupPlan> {
  return fc.record({
    asked,
    members,
    maxIterations: fc.integer({ min: 1, max: 2 }),
    baseline: fc.boolean(),
    parallel: fc.integer({ min: 1, max: 3 }),
    budgetUsd: fc.constantFrom(null, null, 3),
    values: fc.array(fc.constantFrom<(number | null | 'fails')[]>(1, 2, null, 'fails'), {
      minLength: 1,
      maxLength: 4,
    }),
    red: fc.constantFrom(0, 0, 0, 1),
    asks: fc.array(ask, { maxLength: 2 }),
    answer: fc.nat(4),
  })
}

export function specOf(plan: GroupPlan): GroupSpec {
  const { asked, parallel, budgetUsd } = plan
  const common = { cwd: tree, parallel, budgetUsd }
  switch (asked.program) {
    case 'best-of': {
      const { attempts, waves, firstWins, isManual, hasMetric, judge } = asked
      const metric = { command: 'wc -c', better: 'less' } as const
      return aGroupSpec(common, {
        loop: loopSpec(plan),
        attempts,
        ...(waves === 2 && { waves }),
        ...(firstWins && !isManual && { firstWins }),
        ...(isManual && { isManual }),
        ...(hasMetric && { metric }),
        ...(judge && !isManual && !firstWins && { judge }),
      })
    }
    case 'workflow':
      return workflowSpec(plan, asked, common)
    case 'plan': {
      const { bestOf: _, ...rest } = aGroupSpec(common)
      return { ...rest, program: 'plan', plan: planSpecOf(asked, loopSpec(plan)) }
    }
    default:
      return asked satisfies never
  }
}

/** Nobody waits for a limit: a loop that meets one rests, and is resumed. */
function loopSpec({ maxIterations, baseline }: GroupPlan): Spec {
  const limits = { maxIterations, baseline, backoffMs: 0, limitBackoffMs: 3_600_000, maxWaitMs: 1 }
  return aSpec({ cwd: tree, criteria: [{ name: 'c', command: 'c' }], budgetUsd: null, ...limits })
}

function workflowSpec(
  plan: GroupPlan,
  { loops, hooks }: WorkflowPlan,
  common: Partial<GroupSpec>,
): GroupSpec {
  const named = loops.map(({ needs, ...one }, i) => ({
    ...one,
    id: `loop${i}`,
    needs: [...new Set(needs.filter(need => need < i))].map(need => `loop${need}`),
  }))
  const places = placesOf(named)
  const shell = (command: string) => ({ command, written: command, variables: {} })
  const spec = loopSpec(plan)
  const { bestOf: _, ...rest } = aGroupSpec(common)
  return {
    ...rest,
    program: 'workflow',
    workflow: {
      name: 'w',
      description: null,
      file: '/w.yaml',
      hash: 'h',
      vars: {},
      budgetUsd: null,
      env: {},
      copySetup: null,
      loops: named.map(
        ({ id, needs, bestOf: attempts, confirm, retries }): WorkflowLoop => ({
          id,
          name: id,
          of: id,
          matrix: {},
          prompt: ['do it'],
          spec,
          injected: [],
          needs,
          when: null,
          confirm: confirm ? ['Go on?'] : null,
          retry:
            retries > 0
              ? {
                  max: retries,
                  on: ['failed'],
                }
              : null,
          outputs: [],
          env: {},
          bestOf: attempts,
          place: places.get(id) ?? 'copy',
        }),
      ),
      onComplete: Array.from({ length: hooks }, () => shell('tell')),
      onFailure: Array.from({ length: hooks }, () => shell('mourn')),
    },
  }
}

/** One of several things a plan has, the same for the same name however often it is asked; `2-smallest` has the second. */
export function pickOf<T>(choices: readonly T[], name: string): T {
  const number = /(?:^|\/)(\d+)-/.exec(name)?.[1]
  const sum = Array.from(name).reduce((total, letter) => total + letter.charCodeAt(0), 0)
  const picked = choices[(number === undefined ? sum : Number(number) - 1) % choices.length]
  if (picked === undefined) throw new Error('A plan without anything to pick from')
  return picked
}

/** What a person answers to a gate; of a plan mostly yes, so that it gets somewhere. */
export function answerFor(
  { asked, answer }: GroupPlan,
  { id, choices, options = [] }: NodeOf<'gate'>,
): string {
  if (asked.program === 'plan' && options.length === 0) {
    if (id === 'G1' && answer === 3) return 'make it smaller'
    return answer === 4 ? 'no' : 'yes'
  }
  const words = [options, choices, ['yes', 'no']].find(some => some.length > 0) ?? []
  return words[answer % words.length] ?? ''
}

const late: Ask['kind'][] = ['tree.checked', 'node.ended']

/**
 * Whether the end of a group does not depend on what happens first: else only that it is sound can be said. Two loops
 * of a workflow that change one file are brought in one after the other, the first to win ends the others, and money
 * that is used up stops whoever comes next.
 */
export function isDecided({ asked, members: all, parallel, budgetUsd, asks }: GroupPlan): boolean {
  if (asks.some(({ what }) => what === 'cancel')) return false
  // An edit right after the verdict is seen by the next host, and by nobody where the end follows at once.
  if (asks.some(({ what, kind }) => what.startsWith('edit') && late.includes(kind))) return false
  const bringsInMany = asked.program === 'workflow' || asked.program === 'plan'
  const isLeftAlone = asks.every(({ what }) => asked.program === 'plan' && what === 'pause')
  if (bringsInMany && (all.some(({ touches }) => touches) || !isLeftAlone)) return false
  const isRace = budgetUsd !== null || (asked.program === 'best-of' && asked.firstWins)
  return !isRace || parallel === 1
}
