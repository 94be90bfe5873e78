/**
 * The program `best-of`: attempts in copies → measures of those that passed → a second look at the leader → choose →
 * apply. With a single attempt there is nothing to choose: its result is applied. A single attempt in the tree itself
 * is a plain loop with counsel, which only a group can give.
 */

import type { NodeReason } from '../../failures/node.ts'
import type { GroupNode, NodeOf } from '../../model/group/node.ts'
import type { BestOf } from '../../model/group/spec.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { judgeIds, preferredOf } from '../group/comparison.ts'
import { equalsAmong, lookAt, rank } from '../group/rank.ts'
import { find, type GroupState, isKind, isSettled, isWell, type NodeState } from '../group/state.ts'
import { type Growth, joinedCommands, type Program } from './program.ts'
import { counselFor, questionNode } from './question.ts'
import { verifiedAgain } from './same-tree.ts'

/**
 * A named approach for each attempt: attempts with the same prompt find the same solution, and choosing among them
 * gains nothing. Each approach is one sentence after the prompt, and a name for people.
 */
export const approaches: readonly { name: string; words: string }[] = [
  { name: 'direct', words: 'Approach: take the most direct way to the goal.' },
  {
    name: 'tests-first',
    words: 'Approach: first write tests that express the goal and see them fail; then make them pass.',
  },
  {
    name: 'root-cause',
    words:
      'Approach: find out why the code is as it is before changing anything; fix the cause, not the symptom.',
  },
  { name: 'smallest', words: 'Approach: make the smallest change that does everything the task asks for.' },
  {
    name: 'simplify',
    words: 'Approach: simplify the code that is in the way first; then do the task.',
  },
  {
    name: 'existing',
    words:
      'Approach: look for what the project has already (functions, patterns, libraries) and build on it.',
  },
  {
    name: 'edge-cases',
    words:
      'Approach: list the edge cases first (empty, huge, wrong, twice, at the same time) and handle them all.',
  },
  {
    name: 'redesign',
    words: 'Approach: think of the design that you would want in a year, and do the task that way.',
  },
]

/** The time limit of the user's own metric. */
const metricMs = 600_000

export const bestOf: Program = {
  grow: state => withHook(state, counselFor(state) ?? attemptsToTree(state)),
}

/** The user's hook runs before the end is recorded; once, even if another attempt is picked later. */
function withHook(state: GroupState, growth: Growth): Growth {
  const { hooks } = state.spec
  if (!('end' in growth) || !hooks) return growth
  const kind = growth.end === 'completed' ? 'complete' : 'failure'
  const command = hooks[kind]
  const id = `on_${kind}`
  const hook = find(state, id)
  if (command === undefined || (hook && isSettled(hook))) return growth
  if (hook) return { wait: true }
  const env = { LOOP_ID: state.id, LOOP_STATUS: growth.end, LOOP_CWD: state.spec.cwd }
  const { timeoutMs } = hooks
  return { plan: [{ kind: 'command', id, needs: [], command, purpose: 'hook', of: null, env, timeoutMs }] }
}

/** The hook has told the world, or is about to: from then on the result is decided, as after the end of a loop. */
function isTold({ nodes }: GroupState, apply: NodeState): boolean {
  return nodes.slice(nodes.indexOf(apply)).some(({ node }) => node.id === 'on_complete')
}

function attemptsToTree(state: GroupState): Growth {
  const wanted = state.spec.bestOf
  if (!wanted) throw new Error('Internal error: a best-of group without attempts')
  const picked = pickedApply(state)
  if (picked) return picked
  const attempts = attemptsOf(state)
  if (attempts.length === 0) return { plan: attemptNodes(state, wanted, 1) }
  const first = wanted.firstWins ? attempts.find(isWell) : undefined
  const beaten = first && attempts.find(one => !isSettled(one) && one.dropped === null)
  if (first && beaten) return { drop: beaten.node.id, because: { kind: 'other-first', node: first.node.id } }
  const left = leftBehind(attempts)
  if (left) return left
  if (!attempts.every(isSettled)) return { wait: true }
  const isCutShort = attempts.some(({ dropped }) => dropped !== null)
  if (wanted.waves === 2 && !first && !isCutShort && attempts.length === wanted.attempts)
    return { plan: attemptNodes(state, wanted, 2) }
  const passed = attempts.filter(isWell)
  if (passed.length === 0) return { end: 'failed', reason: 'nobody-passed', why: '' }
  if (wanted.inTree) return { end: 'completed' }
  return measured(state, wanted, passed)
}

/** The questions to a judge are loops too, but not attempts. */
function attemptsOf(state: GroupState): NodeState[] {
  return state.nodes.filter(one => isKind(one, 'loop') && !one.node.reads)
}

/** A second wave uses other approaches, and reads how the first one went. */
function attemptNodes(state: GroupState, wanted: BestOf, wave: 1 | 2): GroupNode[] {
  const { attempts, loop, waves, inTree, copySetup: command } = wanted
  const past = wave === 2 ? attemptsOf(state) : []
  const look = isLeaderLookedAt(wanted) ? { secondLook: 'by-group' as const } : {}
  return Array.from({ length: attempts }, (_, i): NodeOf<'loop'> => {
    const number = past.length + i + 1
    const approach = attempts === 1 && waves !== 2 ? null : approaches[(number - 1) % approaches.length]
    const words = [loop.prompt, approach?.words, ...summaries(past)].filter(Boolean).join('\n\n')
    return {
      kind: 'loop',
      id: approach ? `${number}-${approach.name}` : inTree ? 'loop' : 'isolated',
      needs: [],
      spec: { ...loop, prompt: words, budgetUsd: null, ...look },
      ...(inTree ? { place: 'tree' } : { place: 'copy', base: 'initial' }),
      ...(wanted.injected && { injected: wanted.injected }),
      ...(command && { copySetup: { command, written: command, variables: {} } }),
      ...(approach && { approach: approach.name }),
    }
  })
}

/**
 * A second look costs as much as the promise again, or more: of several attempts only that one is looked at that leads.
 * Where the first one wins, or a person chooses, nobody knows that before: there each one looks itself.
 */
function isLeaderLookedAt({ attempts, waves = 1, firstWins, isManual, inTree }: BestOf): boolean {
  return attempts * waves > 1 && !firstWins && !isManual && !inTree
}

function summaries(past: NodeState[]): string[] {
  if (past.length === 0) return []
  const lines = past.map(({ node, end }) => {
    const size = end?.changes
      ? `, +${end.changes.added} -${end.changes.removed} in ${end.changes.files} files`
      : ''
    const said = end?.said ? ` It said: ${end.said.slice(0, 600)}` : ''
    const why =
      end?.how === 'completed' ? 'the promise held' : `it did not get there (${end?.reason ?? 'unknown'})`
    return `- ${node.id}: ${why}${size}.${said}`
  })
  return [`Earlier attempts at the same work, each from the same beginning:\n${lines.join('\n')}`]
}

/** Then the ranking, and the winner is applied to the tree. */
function measured(state: GroupState, wanted: BestOf, passed: NodeState[]): Growth {
  const among = passed.map(({ node }) => node.id)
  const measures = [...measureNodes(wanted, among), ...crossChecks(wanted, passed)]
  const unmade = measures.filter(({ id }) => !find(state, id))
  const isOpen = !find(state, 'choose')
  if (isOpen && (wanted.judge || passed.some(isSteered))) {
    if (unmade.length > 0) return { plan: unmade }
    if (!measures.every(({ id }) => isSettledAt(state, id))) return { wait: true }
    const asking = wanted.judge ? judging(state, wanted.loop, equalsAmong(state, among)) : null
    const looking = asking ?? lookAtLeader(state, wanted, among)
    if (looking) return looking
  }
  const needs = [...among, ...measures.map(({ id }) => id)]
  const plan = [...measures, ...choosing(state, wanted, { among, needs })].filter(
    ({ id }) => !find(state, id),
  )
  if (plan.length > 0) return { plan }
  const choose = find(state, 'choose')
  if (!choose || !isSettled(choose)) return { wait: true }
  const winner = choose.end?.choice?.winner
  if (!winner) return { end: 'failed', reason: 'nobody-passed', why: '' }
  const apply = find(state, 'apply')
  if (!apply) return { plan: [{ kind: 'apply', id: 'apply', needs: ['choose'], from: winner }] }
  return applied(state, apply)
}

function isSteered({ end }: NodeState): boolean {
  return (end?.steered ?? []).length > 0
}

/** Null once the one that leads has been looked at, or needs no look. If it is suspect, another one leads. */
function lookAtLeader(state: GroupState, { loop }: BestOf, among: string[]): Growth | null {
  const { winner } = rank(state, { kind: 'choose', id: 'choose', needs: [], among, by: null })
  const leader = winner === null ? undefined : find(state, winner)
  if (!leader || !isSteered(leader)) return null
  const { id: of } = leader.node
  const id = `look/${of}`
  const look = find(state, id)
  if (look) return isSettled(look) ? null : { wait: true }
  const { verifyTimeoutMs: timeoutMs } = loop
  const command = promiseOf(loop)
  return { plan: [{ kind: 'command', id, needs: [of], command, purpose: 'look', of, timeoutMs }] }
}

/** All criteria as one command. */
function promiseOf({ criteria }: Spec): string {
  return joinedCommands(criteria.flatMap(({ command }) => command ?? []))
}

function isSettledAt(state: GroupState, id: string): boolean {
  const one = find(state, id)
  return one !== undefined && isSettled(one)
}

/** If only one passed, there is nothing to compare. */
function measureNodes({ metric, measures = [] }: BestOf, among: string[]): GroupNode[] {
  if (among.length < 2) return []
  const all = [...(metric ? [{ name: 'metric' as const, timeoutMs: metricMs, ...metric }] : []), ...measures]
  return among.flatMap(id =>
    all.map(
      ({ command, timeoutMs, ...measure }): GroupNode => ({
        kind: 'command',
        id: `${measure.name}/${id}`,
        needs: [id],
        command,
        purpose: 'measure',
        of: id,
        timeoutMs,
        measure,
      }),
    ),
  )
}

/** The new tests of each attempt are run with the code of the others: they can vote, but not veto. */
function crossChecks({ loop }: BestOf, passed: NodeState[]): GroupNode[] {
  const writers = passed.filter(({ end }) => (end?.tests?.length ?? 0) > 0)
  const command = promiseOf(loop)
  if (command === '') return []
  return writers.flatMap(({ node: writer }) =>
    passed
      .filter(({ node }) => node.id !== writer.id)
      .map(
        ({ node: { id } }): GroupNode => ({
          kind: 'command',
          id: `votes/${id}/${writer.id}`,
          needs: [id, writer.id],
          command,
          purpose: 'measure',
          of: id,
          with: writer.id,
          timeoutMs: loop.verifyTimeoutMs,
          measure: { name: 'votes', better: 'more' },
        }),
      ),
  )
}

type Among = Record<'among' | 'needs', string[]>

/** A person chooses who wants to, and where every result that passes is suspect. */
function choosing(state: GroupState, { isManual }: BestOf, { among, needs }: Among): GroupNode[] {
  const suspects = among.flatMap(id => {
    const look = lookAt(state, id)
    return look?.is === 'suspect' ? `${id}: ${look.files.slice(0, 10).join(', ')}` : []
  })
  const areAllSuspect = suspects.length === among.length
  if (!isManual && !areAllSuspect) return [{ kind: 'choose', id: 'choose', needs, among, by: null }]
  const question = areAllSuspect
    ? `Each attempt that passes may do so by its changes to what judges the work (${suspects.join('; ')}). Which one is brought into the tree all the same?`
    : 'Which attempt is brought into the tree?'
  return [
    { kind: 'gate', id: 'pick', needs, question, choices: [...among, 'none'] },
    { kind: 'choose', id: 'choose', needs: ['pick'], among, by: 'pick' },
  ]
}

/** The newest pick of a person after the end. */
function pickedApply(state: GroupState): Growth | null {
  const { picks, nodes, inTree } = state
  const pick = picks.at(-1)
  if (!pick) return null
  const id = `apply-${picks.length + 1}`
  const apply = nodes.find(({ node }) => node.id === id)
  const { node: from, files, resolve } = pick
  const how = { ...(files && { files }), ...(resolve && { resolve }) }
  // Without needs: a person can also pick an attempt that has not passed.
  if (!apply) return { plan: [{ kind: 'apply', id, needs: [], from, ...how }] }
  if (!isSettled(apply)) return { wait: true }
  // If nothing came of it, the earlier result is still in the tree.
  const isThere = (one: NodeState) =>
    isKind(one, 'apply') && isWell(one) && (one.node.files !== undefined || one.node.from === inTree)
  return applied(state, (inTree === null ? undefined : nodes.findLast(isThere)) ?? apply)
}

function applied(state: GroupState, apply: NodeState): Growth {
  if (!isSettled(apply)) return { wait: true }
  if (isWell(apply))
    return (isTold(state, apply) ? null : verifiedAgain(state, apply)) ?? { end: 'completed' }
  const { how, conflicts = [], why = '' } = apply.end ?? {}
  if (how === 'conflict') return { end: 'failed', reason: 'apply-conflict', why: conflicts.join(', ') }
  return { end: 'failed', reason: 'apply-failed', why }
}

/** Null once nothing is left to ask. */
function judging(state: GroupState, loop: Spec, equals: readonly string[]): Growth | null {
  const [first, ...others] = equals
  if (first === undefined) return null
  let best = first
  for (const next of others) {
    const growth = pairOf(state, loop, [best, next])
    if (growth) return growth
    best = preferredOf(state, best, next) ?? best
  }
  return null
}

function pairOf(state: GroupState, loop: Spec, [one, other]: [string, string]): Growth | null {
  const [first, second] = judgeIds(one, other)
  const asked = [first, second].map(id => find(state, id))
  if (asked.includes(undefined))
    return { plan: [judgeOf(loop, first, [one, other]), judgeOf(loop, second, [other, one])] }
  // A judge that cannot answer says nothing: nobody waits for it.
  const resting = asked.find(node => node?.stage === 'rested' && node.dropped === null)
  if (resting) return { drop: resting.node.id, because: { kind: 'judge-rests' } }
  return asked.every(node => node && isSettled(node)) ? null : { wait: true }
}

function judgeOf(loop: Spec, id: string, [a, b]: [string, string]): NodeOf<'loop'> {
  const commands = loop.criteria.flatMap(({ command }) => (command === null ? [] : `    ${command}`))
  const prompt = [
    'Two changes to the code in this directory, A and B, were made for the same task by two who did not know of each other. They are below. Say which is better.',
    `## The task\n\n${loop.prompt}`,
    `## What both pass\n\n${commands.join('\n')}`,
    '## How to judge',
    'Better is the change that is right where the commands above do not look, that is simpler, and that fits the code around it. Which of the two comes first means nothing. Read files of this directory where that helps; change none. Answer tie unless one of them is clearly better.',
  ].join('\n\n')
  const node = questionNode(loop, { id, needs: [a, b], schema: 'judge', prompt, base: 'initial' })
  return { ...node, context: { results: [a, b] } }
}

/**
 * Attempts that are not waited for: of several attempts at one thing, those that rest for a reason that only a person
 * can lift, once another one has passed. If none has passed yet, they rest until somebody comes.
 */

/** Why an attempt that rests is not waited for, once another has passed: only a person could let it go on. */
const waitsForPerson: Record<string, NodeReason> = {
  'group-budget': { kind: 'budget-spent' },
  suspect: { kind: 'suspect-rests' },
}

/** The next attempt to drop: one has passed, and all that are not over rest for such a reason, or have not begun. */
export function leftBehind(attempts: NodeState[]): Growth | null {
  const open = attempts.filter(one => !isSettled(one))
  const whyOf = ({ stage, rested }: NodeState) =>
    stage === 'rested' ? waitsForPerson[rested?.reason ?? ''] : undefined
  const why = open.map(whyOf).find(Boolean)
  if (why === undefined || !attempts.some(isWell)) return null
  if (!open.every(one => whyOf(one) !== undefined || isUnpaid(one, open))) return null
  const next = open.find(({ dropped }) => dropped === null)
  return next ? { drop: next.node.id, because: whyOf(next) ?? why } : null
}

/** An attempt that has not begun is not paid for either. */
function isUnpaid({ stage }: NodeState, open: NodeState[]): boolean {
  return stage === 'planned' && open.some(({ rested }) => rested?.reason === 'group-budget')
}
