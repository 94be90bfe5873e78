/**
 * A best-of of three with real copies, for the tests that kill its hosts: the first attempt passes in its second
 * iteration, the second one at once with the smaller result, the third one never. Each run of an agent leaves a line
 * outside the tree when it begins and when it ends, whichever host has started it.
 */

import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { GroupRecorded } from '../../src/model/group/event.ts'
import type { Recorded } from '../../src/model/loop/event.ts'
import { openStoreToRead } from '../../src/store/sqlite/open.ts'
import { marked, withStore } from './daemon.ts'
import { type Rig, readOr, startArgs } from './rig.ts'

const agent = [
  'echo "+ $LOOP_NODE $LOOP_ITERATION" >> "$ASIDE/ledger"; sleep 0.05',
  'echo "$LOOP_ITERATION" >> work',
  'case "$LOOP_NODE $LOOP_ITERATION" in 1-*" 2" | 2-*) touch done;; esac',
  'echo "- $LOOP_NODE $LOOP_ITERATION" >> "$ASIDE/ledger"',
].join('; ')

export const bestOfThree = startArgs(
  agent,
  'test -e done',
  '--best-of',
  '3',
  '-n',
  '2',
  '--best-of-metric',
  'min:wc -l < work',
  '--json',
)

const runs = ['1-direct 1', '1-direct 2', '2-tests-first 1', '3-root-cause 1', '3-root-cause 2']

export type Journals = { group: GroupRecorded[]; members: Map<string, Recorded[]> }

/** Null if it was never created. */
export function groupIn(rig: Rig): string | null {
  // It may have died while the store was made.
  const opened = openStoreToRead(rig.paths)
  if (!opened.ok || !opened.value) return null
  opened.value.close()
  return (
    withStore(rig.paths, store =>
      store.journals.ids().find(id => {
        const events = store.journals.read(id)
        return events.ok && String(events.value[0]?.kind) === 'group.created'
      }),
    ) ?? null
  )
}

export function journalsOf(rig: Rig, id: string): Journals {
  const members = withStore(rig.paths, store => store.journals.inGroup(id))
  return {
    group: rig.events(id) as unknown as GroupRecorded[],
    members: new Map(members.map(member => [member, rig.events(member)])),
  }
}

/** What was acknowledged must never disappear. */
export function assertPrefix(before: Journals, after: Journals): void {
  assert.deepEqual(after.group.slice(0, before.group.length), before.group)
  for (const [id, events] of before.members)
    assert.deepEqual(after.members.get(id)?.slice(0, events.length), events)
}

export function assertWholeGroup(rig: Rig, id: string, before: Journals): void {
  const after = journalsOf(rig, id)
  assertPrefix(before, after)
  const count = (kind: GroupRecorded['kind']) => after.group.filter(event => event.kind === kind).length
  const told = after.group.map(({ kind }) => kind).join(' ')
  assert.equal(after.group.at(-1)?.kind, 'group.completed', told)
  assert.deepEqual([count('group.completed'), count('tree.applied'), count('tree.checked')], [1, 1, 1], told)
  assert.equal(after.members.size, 3, told)
  const chosen = after.group.flatMap(event =>
    event.kind === 'node.ended' && event.data.choice ? event.data.choice : [],
  )
  assert.deepEqual(
    chosen.map(({ winner, by }) => [winner, by]),
    [['2-tests-first', 'metric']],
  )
  assert.deepEqual(ledgerOf(rig, '+'), runs, 'each run of an agent happened once')
  assert.deepEqual(ledgerOf(rig, '-'), runs, 'and was not cut short')
  assert.equal(readOr(join(rig.tree, 'work')), '1\n')
  assert.ok(existsSync(join(rig.tree, 'done')))
  assertNothingRuns(rig, id)
}

/** The runs that have begun (+) or ended (-), sorted. */
export function ledgerOf(rig: Rig, sign: '+' | '-'): string[] {
  const lines = readOr(join(rig.aside, 'ledger')).split('\n')
  return lines
    .filter(line => line.startsWith(sign))
    .map(line => line.slice(2))
    .sort()
}

/** The highest number of agents at work at one time. */
export function mostAtOnce(rig: Rig): number {
  let [now, most] = [0, 0]
  for (const line of readOr(join(rig.aside, 'ledger')).split('\n')) {
    if (line !== '') now += line.startsWith('+') ? 1 : -1
    most = Math.max(most, now)
  }
  return most
}

export function assertNothingRuns(rig: Rig, id: string): void {
  const ids = [id, ...journalsOf(rig, id).members.keys()]
  assert.deepEqual(
    ids.flatMap(one => marked(one)),
    [],
    'a process is left',
  )
  for (const one of ids)
    withStore(rig.paths, store => {
      const audit = store.heads.audit(one)
      assert.ok(audit.ok && audit.value.isTrue, `the head of ${one}`)
    })
}

export function copiesIn({ paths }: Rig): string[] {
  return existsSync(paths.copies) ? readdirSync(paths.copies) : []
}
