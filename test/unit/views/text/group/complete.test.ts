/** The end of a best-of or a workflow, in the forms that every loop ends with: `<loop-complete>` and the box. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summarizeGroup } from '../../../../../src/core/group/summary.ts'
import { groupComplete, groupReceipt } from '../../../../../src/views/text/group-announce.ts'
import type { ShownMember } from '../../../../../src/views/text/status.ts'
import { aPlan, driven, quiet } from '../../../../rig/driven-plan.ts'
import { aSpec } from '../../../../rig/given.ts'
import {
  afterEvents,
  aGroup,
  anApply,
  anAttempt,
  attempted,
  failed,
  over,
} from '../../../../rig/given-group.ts'

const completed = { kind: 'group.completed', data: {} } as const
const workflow = { program: 'workflow', bestOf: undefined } as const

function bestOf(doubts: number) {
  return afterEvents(
    aGroup([anAttempt('1-a'), anAttempt('2-b'), anApply('1-a')]),
    ...attempted('1-a', { doubts }),
    ...attempted('2-b', { how: 'failed', reason: 'stuck' }),
    over('apply'),
    completed,
  )
}

test('of several attempts the one that was applied counts', () => {
  assert.deepEqual(groupComplete(bestOf(0)), [
    '<loop-complete>',
    'All success criteria satisfied:',
    '- 1-a: ✓',
    '</loop-complete>',
    '',
    '╭─ 🟢 SHIP ──────────────────────────╮',
    '│ Verified: execution output         │',
    '│ Tasks: 1/1 complete                │',
    '│ Subjective: ~– · Type 2B · 1pt     │',
    '╰────────────────────────────────────╯',
  ])
})

test('a doubt about it, or work that is hard to undo, is MONITOR', () => {
  assert.match(groupComplete(bestOf(1)).join('\n'), /MONITOR.*Look at: 1-a/s)
  const spec = aSpec({ prompt: 'drop the production database and migrate it' })
  const hard = afterEvents(aGroup([anAttempt('a', { spec })], workflow), ...attempted('a'), completed)
  assert.match(groupComplete(hard).join('\n'), /MONITOR.*Type 1 /s)
})

test('each loop of a workflow counts; one that failed is RESEARCH, without a completion', () => {
  const two = aGroup([anAttempt('build'), anAttempt('test')], workflow)
  const done = afterEvents(two, ...attempted('build'), ...attempted('test'), completed)
  assert.deepEqual(groupComplete(done).slice(0, 5), [
    '<loop-complete>',
    'All success criteria satisfied:',
    '- build: ✓',
    '- test: ✓',
    '</loop-complete>',
  ])
  const broken = afterEvents(
    two,
    ...attempted('build'),
    ...attempted('test', { how: 'failed' }),
    failed('node-failed'),
  )
  const said = groupComplete(broken).join('\n')
  assert.match(said, /^╭─ 🔴 RESEARCH.*Tasks: 1\/2 complete/s)
  assert.deepEqual(groupComplete(two), [], 'nothing before the end')
})

test('the shares of the cost of a plan add up to it, also where a resume has replaced a loop', () => {
  const { state } = driven(aPlan(quiet), quiet)
  const summary = { ...summarizeGroup(state), costUsd: 0.14 }
  const earlier = { summary: { ...summary, costUsd: 0.1 }, orphaned: false, node: null }
  const cost = (members: ShownMember[]) =>
    groupReceipt(state, { summary, orphaned: false, members }, 0).find(line => line.startsWith('  cost'))
  assert.match(cost([]) ?? '', / \$0\.14 \(questions \$0, work \$0\.14\)$/)
  const said = / \$0\.14 \(questions \$0, work \$0\.04, replaced by a resume \$0\.10?\)$/
  assert.match(cost([earlier]) ?? '', said)
})
