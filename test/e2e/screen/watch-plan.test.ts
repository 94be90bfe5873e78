/**
 * `loop watch` on a plan, through a real pseudo-terminal: its tasks with their states. A gate is answered and a finding
 * resolved on the screen, while the plan runs in another terminal.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onlyGroup } from '../../rig/group.ts'
import { isPicture } from '../../rig/picture.ts'
import { planEvents, planScript, samplePlan, vagueSpec, warnedNodes } from '../../rig/plan.ts'
import { keys, ptyOf } from '../../rig/pty.ts'
import { makeRig, until } from '../../rig/rig.ts'

test('a plan is steered from its screen: tasks, gates with an answer in words, and a finding to discuss', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const spec = `${vagueSpec} so that all tests pass, in cart.js`
  const start = ['plan', spec, '--agent', 'scripted', '--agent-cmd', planScript(rig, warnedNodes())]
  const limits = ['--force', '-n', '20', '--budget', '25', '--task-list', 'new', '--state', 'keep']
  const runs = ptyOf(t, { rig, columns: 100, rows: 40 }, [...start, ...limits])
  await runs.shows('Here are 3 steps. Proceed?')
  const id = onlyGroup(rig)
  const screen = ptyOf(t, { rig, columns: 110, rows: 34 }, ['watch', id])
  await screen.shows('The group asks you (a: answer):')
  assert.match(screen.text(), /✓ intent {2}✓ shape {2}● decompose {2}· executing/)
  assert.match(screen.text(), /^▸! G1 /m, 'what asks is selected')
  assert.match(screen.text(), /· T-001 {2}Count quantities and take discounts/)
  assert.match(screen.text(), /· T-003 {2}Ship empty carts for nothing .*after T-001/)
  await isPicture(screen, 'watch-plan', id)
  screen.type('a')
  await screen.shows(/y yes {2}n no {2}o in your words/)
  screen.type('o')
  await screen.shows('Your answer?')
  screen.type(`yes${keys.enter}`)
  await screen.shows(/✓ T-001 .*✓ T-002/s)
  await screen.shows('Continue?')
  screen.type('a')
  await screen.shows(/y yes/)
  screen.type('y')
  await until('the second wave', () => answered('G2/1') === 'yes')
  await screen.shows('Step T-003')
  screen.type('ay')
  await screen.shows('WARNING f-30acde3416')
  screen.type('2')
  await screen.shows('it stands: verified')
  assert.match(screen.text(), /^▸! cart\.js:10 .*│ WARNING {2}cart\.js:10 {2}f-30acde3416, review 1/m)
  const fresh = ptyOf(t, { rig, columns: 110, rows: 26 }, ['watch', id])
  await fresh.shows('The group asks you')
  fresh.type('2')
  await fresh.shows('it stands: verified')
  await isPicture(fresh, 'watch-findings', id)
  fresh.type('q')
  await fresh.ended
  // The gate of a finding is answered by the decision about the finding.
  screen.type('a')
  await screen.shows(/a approve, it stays {2}t make it a task {2}d discuss {2}s skip/)
  screen.type('d')
  await screen.shows('your comment for the reviewers:')
  screen.type(`-- the cap is there already${keys.enter}`)
  await until('the finding', () => resolvedAs('f-30acde3416'))
  assert.deepEqual(resolvedAs('f-30acde3416'), ['discuss', '-- the cap is there already'])
  await screen.shows('A person has said something about it')
  screen.type('1')
  await screen.shows('All criteria met. Confirm done?')
  screen.type('ay')
  await screen.shows('Remember this?')
  screen.type('ay')
  await screen.shows(/ completed · /)
  assert.match(screen.text(), /✓ complete/)
  assert.match(screen.text(), /✓ tests pass {2}node --test/)
  screen.type('q')
  assert.equal(await screen.ended, 0)
  assert.equal(await runs.ended, 0)

  function answered(node: string): string | undefined {
    const ended = planEvents(rig).find(event => event.kind === 'node.ended' && event.data.node === node)
    return ended?.kind === 'node.ended' ? ended.data.answer : undefined
  }
  function resolvedAs(finding: string): string[] | undefined {
    const event = planEvents(rig).find(one => one.kind === 'finding.resolved')
    return event?.kind === 'finding.resolved' && event.data.finding === finding
      ? [event.data.how, event.data.text]
      : undefined
  }
})
