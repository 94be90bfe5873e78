/** Shared by the tests of a group's rules: short forms of steps, states to start from, and the check of a row. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admitGroup, type GroupWish } from '../../../../src/core/group/admit.ts'
import { decideGroup } from '../../../../src/core/group/decide.ts'
import type { GroupState } from '../../../../src/core/group/state.ts'
import type { RefusalFacts } from '../../../../src/failures/refusal.ts'
import type { GroupEvent } from '../../../../src/model/group/event.ts'
import {
  aChoice,
  afterEvents,
  aGroup,
  anApply,
  anAttempt,
  applyStages,
  attempted,
  atWork,
  over,
  rests,
} from '../../../rig/given-group.ts'

export const rest = { do: 'rest' } as const
export const steps = (...wanted: object[]) => ({ do: 'steps', steps: wanted })
export const of = (node: string, attempt = 1) => ({ node, attempt })
export const attend = (node: string, wish = 'none') => ({
  kind: 'attend',
  member: `m-${node}`,
  wish,
  ...of(node),
})
export const follow = (node: string) => ({ kind: 'follow', member: `m-${node}`, ...of(node) })
export const wake = (node: string) => ({ kind: 'wake', member: `m-${node}`, ...of(node) })
export const begin = (node: string, attempt = 1) => ({ kind: 'begin', ...of(node, attempt) })
export const takesTree = { takesTree: true }

export type Row = [what: string, state: GroupState, next: object]

/** The event that is recorded next, or the steps that run. */
export function nextOf(state: GroupState): object {
  const next = decideGroup(state)
  return next.do === 'record' ? next.event : next
}

export function check(rows: Row[]): void {
  for (const [what, state, next] of rows) test(what, () => assert.deepEqual(nextOf(state), next))
}

export const two = [anAttempt('1-a'), anAttempt('2-b')]
export const group = (...events: GroupEvent[]) => afterEvents(aGroup(two), ...events)
export const goes = (node: string): GroupEvent => ({ kind: 'node.called', data: { node } })
export const resumed: GroupEvent = { kind: 'group.resumed', data: {} }

export const applying = [...two, aChoice(['1-a', '2-b']), anApply('1-a', { needs: ['choose'] })]
export const choice = { winner: '1-a', by: null, order: [] }
export const upTo = (stages: number, ...events: GroupEvent[]) =>
  afterEvents(
    aGroup(applying),
    ...attempted('1-a'),
    ...attempted('2-b'),
    over('choose', { choice }),
    ...applyStages.slice(0, stages),
    ...events,
  )
export const applied = (how: string, more: object = {}) => ({
  kind: 'node.ended',
  data: { node: 'apply', attempt: 1, how, ...more },
})
export const save = { kind: 'save', name: 'before-apply-1', node: 'apply' }
export const stage = (kind: string) => ({ kind, ...of('apply') })

export function bothRest(reason?: string): GroupEvent[] {
  return [...atWork('1-a'), ...atWork('2-b'), rests('1-a', reason), rests('2-b', reason)]
}

export type Asked = [what: string, state: GroupState, wish: GroupWish, answer: object[] | RefusalFacts]

/** Checks that each command is admitted as these events, or refused with these facts. */
export function checkAnswers(asked: Asked[]): void {
  for (const [what, state, wish, answer] of asked) {
    test(what, () => {
      const admission = admitGroup(state, wish)
      const expected = Array.isArray(answer) ? { ok: true, events: answer } : { ok: false, because: answer }
      assert.deepEqual(admission, expected)
    })
  }
}
