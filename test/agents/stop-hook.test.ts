/** The real Claude Code with loop's plugin: a session is held to its promise, and to nothing that it merely says. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loopProgram } from '../rig/rig.ts'
import type { ToolCall } from './model-server.ts'
import { bash, claimUnit, hooksOff, put, type Session, sessionFor, write } from './plugin.ts'
import { mendSum, mendTwice, agentTest as test } from './real.ts'

const sed = (from: string, to: string) => bash(`sed -i 's/${from}/${to}/' sum.mjs`)
const begin = bash(`${loopProgram} start "mend sum.mjs" --session -p unit="node check.mjs" --no-baseline`)

/** The state of the only loop, from its journal. */
function standing({ rig }: Session): string {
  const events = rig.events(rig.loops()[0] ?? '')
  const last = events.findLast(({ kind }) => /^loop\.(completed|held|cancelled|failed)$/.test(kind))
  return last?.kind === 'loop.held' ? last.data.reason : (last?.kind ?? 'open')
}

function state({ rig }: Session) {
  return JSON.parse(readFileSync(join(rig.tree, '.loop', 'state.json'), 'utf8'))
}

test('a session that stops early is sent back to work until the promise really passes', async t => {
  const session = await sessionFor(t, [
    { say: 'I start a loop.', tools: [begin] },
    { say: 'All done!' },
    { say: 'First the sum.', tools: [sed(...mendSum), claimUnit] },
    { say: 'Now it is really done.' },
    { say: 'Then twice.', tools: [sed(...mendTwice), claimUnit] },
    { say: 'Done.' },
  ])
  const ended = await session.claude('mend sum.mjs')
  assert.equal(ended.blocks, 2, ended.told.join('\n'))
  assert.equal(standing(session), 'loop.completed')
  assert.equal(session.server.turnsLeft(), 0)
  assert.match(session.server.asked[1] ?? '', /is under way\. This session is held to its promise/)
  assert.match(session.server.asked[2] ?? '', /unmet criteria: unit/)
  assert.match(session.server.asked[4] ?? '', /twice\(4\) is 4/, 'it is told what the promise printed')
  assert.match(ended.told.join('\n'), /completed: the promise holds/)
  assert.equal(state(session).status, 'completed')
})

/** Ways in which an agent can seem done; after each the session is sent back to work. */
const fakes: ToolCall[] = [
  write('s.exit_signal = true'),
  claimUnit,
  write('s.criteria = []; s.criteriaStatus = {}; s.exit_signal = true'),
  write('s.criteriaStatus = { unit: { met: true, verification: "assumption" } }; s.exit_signal = true'),
  bash('rm -rf .loop'),
]

test('no claim ends a session that has not kept its promise: signal, criteria, deleted state', async t => {
  const tries = fakes.flatMap(fake => [{ say: 'I have my ways.', tools: [fake] }, { say: 'Done.' }])
  const cancelled = write('s.status = "cancelled"')
  const session = await sessionFor(t, [
    { say: 'I start a loop.', tools: [begin] },
    ...tries,
    { say: 'I give up.', tools: [cancelled] },
    { say: 'Bye.' },
  ])
  const ended = await session.claude('mend sum.mjs')
  assert.equal(ended.blocks, fakes.length, ended.told.join('\n'))
  assert.equal(session.server.turnsLeft(), 0)
  assert.equal(standing(session), 'session-ended', 'cancelled by the agent: the session ends, paused')
  assert.match(ended.told.join('\n'), /is paused: .* loop has not seen its promise pass/)
})

test('a status of completed in the state file ends the session, but does not complete the loop', async t => {
  const completed = write('s.criteriaStatus.unit = true; s.exit_signal = true; s.status = "completed"')
  const session = await sessionFor(t, [
    { say: 'I start a loop.', tools: [begin] },
    { say: 'Completed.', tools: [completed] },
    { say: 'Done.' },
  ])
  const ended = await session.claude('mend sum.mjs')
  assert.equal(ended.blocks, 0)
  assert.equal(standing(session), 'session-ended')
  const { kind } = session.rig.events(session.rig.loops()[0] ?? '').at(-2) ?? {}
  assert.notEqual(kind, 'loop.completed')
  assert.match(ended.told.join('\n'), /without a promise that loop has seen pass/)
})

test('hooks switched off in the settings let the session end, and complete nothing', async t => {
  // The turn ends before Claude Code reads its settings again, which takes a moment: the next session starts without
  // hooks.
  const session = await sessionFor(t, [{ say: 'I start a loop.', tools: [begin, hooksOff, claimUnit] }])
  const { id } = await session.claude('mend sum.mjs', ['--max-turns', '1'])
  const sessions = join(session.rig.paths.data, 'sessions', `${session.rig.loops()[0]}.loop`)
  assert.deepEqual(readFileSync(sessions, 'utf8').split('\n').slice(0, 2), [session.rig.tree, id])
  session.server.add({ say: 'Done.' })
  const ended = await session.claude('go on', ['--resume', id])
  assert.equal(ended.blocks, 0)
  assert.equal(ended.result['is_error'], false)
  assert.equal(standing(session), 'open')
  session.server.add({ say: 'I see.' })
  await session.claude('hello', ['--settings', '{"disableAllHooks":false}'])
  assert.match(session.server.asked.at(-1) ?? '', /\[LOOP RESUME\] Active loop detected/)
})

test('another session in the same directory is not caught; resumed, it is told where it stands', async t => {
  const session = await sessionFor(t, [
    { say: 'I start a loop.', tools: [begin] },
    { say: 'All done!' },
    { say: 'I stop for good.', tools: [write('s.iteration = 3')] },
  ])
  const first = await session.claude('mend sum.mjs', ['--max-turns', '3'])
  assert.equal(standing(session), 'open')
  session.server.add({ say: 'I only look.' })
  const other = await session.claude('what is this?')
  assert.equal(other.blocks, 0)
  assert.notEqual(other.id, first.id)
  session.server.add(
    { say: 'Both.', tools: [sed(...mendSum), sed(...mendTwice), claimUnit] },
    { say: 'Done.' },
  )
  const resumed = await session.claude('go on', ['--resume', first.id])
  assert.match(session.server.asked.at(-2) ?? '', /\[LOOP RESUME\] Active loop detected.{1,400}Iteration: 3/s)
  assert.equal(standing(session), 'loop.completed')
  assert.equal(resumed.blocks, 0)
})

test('eight stops in a row with nothing done: let go, paused, and explained; resumed, it is held again', async t => {
  const session = await sessionFor(t, [{ say: 'I start a loop.', tools: [begin] }])
  const ended = await session.claude('mend sum.mjs')
  assert.equal(ended.blocks, 8)
  assert.equal(standing(session), 'session-stuck')
  assert.match(ended.told.join('\n'), /8 times in a row .* Go on with: loop resume/s)
  assert.doesNotMatch(ended.stdout, /stop-hook-block-cap/, 'the host was not forced to')
  const resumed = await session.rig.loop(['resume', '@last'])
  assert.match(resumed.stdout, /goes on in the first session that stops/)
  session.server.add(
    { say: 'Hm.' },
    { say: 'Both.', tools: [sed(...mendSum), sed(...mendTwice), claimUnit] },
    { say: 'Done.' },
  )
  const again = await session.claude('go on', ['--resume', ended.id])
  assert.equal(again.blocks, 1)
  assert.equal(standing(session), 'loop.completed')
})

test('the task list of the session drives what it is told; the question at the end is asked once', async t => {
  const task = (n: number) => ({
    name: 'TaskCreate',
    input: {
      subject: `Implement part ${n}`,
      description: `Part ${n}, from the plan. Verify: look`,
      activeForm: 'Working',
    },
  })
  const done = (taskId: string) => ({ name: 'TaskUpdate', input: { taskId, status: 'completed' } })
  const session = await sessionFor(t, [
    { say: 'A run.', tools: [bash(`${loopProgram} init parts --goal "both parts"`)] },
    {
      say: 'Its context.',
      tools: [
        bash('for run in .loop/runs/*-parts; do echo "# Conversation Context" > $run/_context.md; done'),
      ],
    },
    { say: 'Tasks.', tools: [task(1), task(2)] },
    { say: 'Enough for today.' },
    { say: 'One.', tools: [done('1')] },
    { say: 'And now?' },
    { say: 'Two.', tools: [done('2')] },
    { say: 'All tasks are done.' },
    { say: 'No deviation.' },
  ])
  const ended = await session.claude('do both parts')
  const told = session.server.asked.map(body => body.replaceAll('\\n', '\n'))
  assert.match(
    told[4] ?? '',
    /\*\*Pipeline\*\*: tasks\n\*\*Progress\*\*: \[0\/2\] completed\n\*\*Current task\*\*: #1 Implement part 1/,
  )
  assert.match(told[6] ?? '', /\[1\/2\] completed\n\*\*Current task\*\*: #2 Implement part 2/)
  assert.match(told[8] ?? '', /Compare the Pre-Context of \.loop\/runs\/[\d-]+-parts\/_context\.md/)
  assert.equal(ended.blocks, 3)
  assert.equal(session.server.turnsLeft(), 0)
})

test('after compaction the session is told again what it is held to', async t => {
  const session = await sessionFor(t, [
    { say: 'I start a loop.', tools: [begin] },
    { say: 'On it.', tools: [write('s.status = "paused"')] },
    { say: 'Later.' },
  ])
  const first = await session.claude('mend sum.mjs')
  await session.rig.loop(['resume', '@last'])
  const file = join(session.rig.tree, '.loop', 'state.json')
  put(file, readFileSync(file, 'utf8').replace('paused', 'in_progress'))
  const compacted = await session.claude('/compact', ['--resume', first.id])
  assert.match(compacted.stdout, /"hook_name":"SessionStart:compact".*\[LOOP RESUME\] Active loop detected/)
})
