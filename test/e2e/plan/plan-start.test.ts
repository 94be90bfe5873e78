/**
 * The start of a plan at a terminal: the questions of the third source (task list, iterations, budget), the offer if
 * the tree already has a plan (Resume / Start fresh / Status), and lists to which others have added tasks.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { clearSpec, planArgs, samplePlan, shortPlanScript, vagueSpec } from '../../rig/plan.ts'
import { planTerminal } from '../../rig/plan-terminal.ts'
import { keys } from '../../rig/pty.ts'
import { makeRig, type Rig, readOr } from '../../rig/rig.ts'
import { source } from '../../rig/sources.ts'

const colleagueSpec =
  'Fix total(), discounted() and shipping() in cart.js so that all tests pass, done when it works'

/** The choices of the third source. */
const offered = source('start-questions.md')
const iterations = Array.from(
  offered.matchAll(/^ {3}- (\d+ \(.*\)|Unlimited)$/gm),
  ([, choice = '']) => choice,
)
const budgets = offered.match(/\$\d+/g) ?? []

function listDir(rig: Rig, name: string): string {
  return join(rig.env['HOME'] ?? '', '.claude', 'tasks', name)
}

test('task list new / existing / session-only, iterations, budget; tasks go behind those that are there', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const dir = listDir(rig, 'tree-shop')
  mkdirSync(dir, { recursive: true })
  const other = { id: '1', subject: 'Mine', description: 'x', status: 'pending', blocks: [], blockedBy: [] }
  writeFileSync(join(dir, '1.json'), JSON.stringify(other))
  const script = shortPlanScript(rig)
  const args = ['plan', clearSpec, '--agent', 'scripted', '--agent-cmd', script, '--review-light', 'off']
  const terminal = planTerminal(t, rig, args)
  await terminal.answers([
    ['Task list? new / existing (tree-shop) / session-only [new]', 'some other'],
    ['Task list? new / existing (tree-shop) / session-only [new]', 'existing'],
    [`Iterations? ${iterations.join(' / ').toLowerCase()} [10]`, '11'],
    [`Iterations? ${iterations.join(' / ').toLowerCase()} [10]`, 'unlimited'],
    [`Budget? ${budgets.join(' / ')} / none [25]`, '$50'],
    ['Writing state to .loop/state.json. Delete after session? [y/N]', ''],
    ['look at the exact value. [yes / no]', 'no'],
  ])
  assert.equal(await terminal.screen.ended, 0, terminal.said())
  assert.match(terminal.said(), /limits +unlimited iterations of all tasks together, budget \$50/)
  assert.match(
    terminal.said(),
    /\[LOOP\] Starting \| Shape: Tool \(10\/10\) \| Workflow: B \| Steps: 2 \| Budget: \$50/,
  )
  assert.match(
    terminal.said(),
    /\[LOOP\] ✓ T-001 Mend the cart complete \| Progress: 1\/2 \| Next: T-002 Describe/,
  )
  const subjects = [1, 2, 3].map(n => JSON.parse(readOr(join(dir, `${n}.json`))).subject)
  assert.deepEqual(subjects, ['Mine', 'Mend the cart', 'Describe the cart in CART.md'])
})

test('a person who leaves the questions has started nothing', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const script = shortPlanScript(rig)
  const terminal = planTerminal(t, rig, ['plan', vagueSpec, '--agent', 'scripted', '--agent-cmd', script])
  await terminal.answer('Task list?', '')
  await terminal.answer('Iterations?', keys.ctrlC)
  assert.equal(await terminal.screen.ended, 2, terminal.said())
  assert.deepEqual(rig.loops(), [])
})

test('a plan that is here is offered: status, resume, or a fresh start that keeps runs and learnings', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const script = shortPlanScript(rig)
  const light = ['--review-light', 'off']
  assert.equal((await rig.loop(planArgs(colleagueSpec, script, ...light))).code, 1)
  const [first = ''] = rig.loops().filter(id => rig.events(id)[0]?.kind === ('group.created' as never))
  const again = ['plan', colleagueSpec, '--agent', 'scripted', '--agent-cmd', script, ...light]
  const resumed = planTerminal(t, rig, again)
  await resumed.answers([
    [`Plan ${first} is here (paused): Resume / Start fresh / Status\nResume loop? [Y/n/status]`, 'status'],
    ['Resume loop? [Y/n/status]', ''],
    ['Here are 2 steps. Proceed? [Y/n]', 'n'],
  ])
  assert.equal(await resumed.screen.ended, 1, resumed.said())
  assert.match(resumed.said(), /a person said no/)
  const fresh = planTerminal(t, rig, again)
  await fresh.answers([
    [`Plan ${first} is here (failed): Resume / Start fresh / Status\nResume loop? [Y/n/status]`, 'n'],
    ['Task list?', 'session-only'],
    ['Iterations?', ''],
    ['Budget?', ''],
    ['Delete after session?', ''],
    ['Here are 2 steps. Proceed? [Y/n]', keys.ctrlC],
  ])
  assert.notEqual(await fresh.screen.ended, null)
  assert.ok(existsSync(join(rig.tree, '.loop', 'runs')))
  const refused = await rig.loop(planArgs(colleagueSpec, script, ...light))
  assert.equal(refused.code, 4)
  assert.match(refused.stderr, /Plan \w{6} is here and paused/)
  assert.ok(!refused.stderr.includes(first), 'the newest of them')
  const dry = await rig.loop(planArgs(colleagueSpec, script, ...light, '--fresh', '--dry-run'))
  assert.equal(dry.code, 0, dry.stderr)
  assert.ok(existsSync(join(rig.tree, '.loop', 'workflow-state.json')), 'a dry run removes nothing')
})
