/**
 * The real Claude Code with loop's plugin: a wish is planned and done in the session, with `loop task` if the host has
 * no task tools. The task list stays bound when the session is compacted, cleared or replaced.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TaskFile } from '../../src/model/task-file.ts'
import { loopProgram, until } from '../rig/rig.ts'
import { bash, type Session, sessionFor, write } from './plugin.ts'
import { mendSum, mendTwice, agentTest as test } from './real.ts'

const loop = (line: string) => bash(`${loopProgram} ${line}`)
const sed = (from: string, to: string) => bash(`sed -i 's/${from}/${to}/' sum.mjs`)

const shape = `# Shape: mend sum.mjs

## Criteria

- unit
  - command: \`node check.mjs\`
  - verification: execution output

## MustNot

- check changed
  - command: \`! grep -q twice check.mjs\`
- sum removed
  - command: \`test ! -f sum.mjs\`

## Verification

- execution output: unit
`

/** Writes a file as the agent does, in one line that a shell understands. */
const put = (file: string, text: string) =>
  bash(
    `mkdir -p "$(dirname ${file})" && printf %s ${Buffer.from(text).toString('base64')} | base64 -d > ${file}`,
  )

const stage = (name: string) =>
  put(
    '.loop/workflow-state.json',
    JSON.stringify({ version: 1, stage: name, task: 'mend sum.mjs', spec_score: 5, fit_score: 30 }),
  )

function task({ rig }: Session, list: string, number: number): TaskFile {
  const file = join(rig.env['HOME'] ?? '', '.claude', 'tasks', list, `${number}.json`)
  return JSON.parse(readFileSync(file, 'utf8')) as TaskFile
}

test('/loop:plan: a wish becomes a shape, tasks and verified work, without task tools of the host', async t => {
  const session = await sessionFor(
    t,
    [
      {
        say: 'I recall and score.',
        tools: [loop('recall "mend sum.mjs"'), loop('score "mend sum.mjs" --json')],
      },
      {
        say: 'The shape.',
        tools: [
          put('.loop/shape/SHAPE.md', shape),
          loop('init mend --goal "mend sum.mjs" --shape --trust --task-list new'),
        ],
      },
      {
        say: 'The tasks.',
        tools: [
          loop(`task add "Mend the sum" --verify "grep -q 'a + b' sum.mjs" --files sum.mjs`),
          loop('task add "Mend twice" --verify "node check.mjs" --files sum.mjs --blocked-by T-001'),
          stage('executing'),
        ],
      },
      { say: 'All done!' },
      {
        say: 'First the sum.',
        tools: [sed(...mendSum), loop('task update 1 completed'), loop('task update 2 completed')],
      },
      { say: 'Both are done.' },
      {
        say: 'Then twice.',
        tools: [
          sed(...mendTwice),
          loop('task update 2 completed'),
          write('s.criteriaStatus.unit = true; s.exit_signal = true'),
          stage('complete'),
        ],
      },
      { say: 'Done.' },
    ],
    { tasks: false },
  )
  const ended = await session.claude('/loop:plan mend sum.mjs')
  const { asked } = session.server
  assert.match(asked[0] ?? '', /Plan and do this in the session: mend sum\.mjs/)
  assert.doesNotMatch(asked[0] ?? '', /"name":"TaskCreate"/, 'the host has no task tools')
  assert.match(asked[1] ?? '', /Nothing that was learnt here fits\./)
  assert.match(asked[2] ?? '', /LOOP_TASKS=tree-mend/)
  assert.equal(ended.blocks, 2, ended.told.join('\n'))
  assert.match(asked[4] ?? '', /## Loop Continue[^]*\[0\/2\] completed[^]*#1 Mend the sum/)
  assert.match(asked[5] ?? '', /T-002 Mend twice: pending[^]*It is not completed/)
  assert.match(asked[6] ?? '', /\[1\/2\] completed[^]*#2 Mend twice/)
  assert.equal(session.server.turnsLeft(), 0)
  assert.match(ended.told.join('\n'), /completed: the promise holds/)
  assert.deepEqual(
    [1, 2].map(number => task(session, 'tree-mend', number).status),
    ['completed', 'completed'],
  )
  const kinds = session.rig.events(session.rig.loops()[0] ?? '').map(({ kind }) => kind)
  assert.ok(kinds.includes('loop.completed'))
})

const begin = [loop('init mend --goal "mend sum.mjs" --task-list new'), loop('task add "Mend the sum"')]
const finish = [sed(...mendSum), loop('task update 1 completed')]

/** The words by which the hook sends the session back to the task of the bound list. */
const sentBack = /## Loop Continue[^]*\[0\/1\] completed[^]*#1 Mend the sum/

test('the bound list holds a session that was compacted, and another that takes it over', async t => {
  const session = await sessionFor(t, [{ say: 'A task.', tools: begin }], { tasks: false })
  // The command /loop:continue calls loop by its name.
  session.rig.env['PATH'] = `${dirname(loopProgram)}:${session.rig.env['PATH']}`
  const { id } = await session.claude('begin', ['--max-turns', '1'])
  session.server.add({ say: 'A summary.' })
  await session.claude('/compact', ['--resume', id])
  session.server.add({ say: 'I stop.' })
  session.server.add({ say: 'I need a break.' })
  const compacted = await session.claude('go on', ['--resume', id, '--max-turns', '2'])
  assert.equal(compacted.blocks > 0, true, compacted.stdout)
  assert.match(session.server.asked.at(-1) ?? '', sentBack)
  // Another session is told of the list, and is not held to it until its user takes it over.
  session.server.add({ say: 'Hello.' })
  const other = await session.claude('hello')
  assert.notEqual(other.id, id)
  assert.equal(other.blocks, 0)
  assert.match(
    session.server.asked.at(-1) ?? '',
    /\[LOOP RESUME\][^]*Progress: 0\/1 tasks[^]*\/loop:continue/,
  )
  for (const turn of [{ say: 'I stop.' }, { say: 'I do it.', tools: finish }, { say: 'Done.' }])
    session.server.add(turn)
  const taken = await session.claude('/loop:continue')
  assert.equal(taken.blocks, 1, taken.stdout)
  assert.match(session.server.asked.at(-2) ?? '', sentBack)
  assert.equal(task(session, 'tree-mend', 1).status, 'completed')
})

/** One line of input of a session that stays open: a typed message, or an interruption. */
const typed = (text: string) =>
  `${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`
const interrupt = `${JSON.stringify({ type: 'control_request', request_id: 'r1', request: { subtype: 'interrupt' } })}\n`

test('the bound list holds the session after /clear, which gives it another id', {
  timeout: 600_000,
}, async t => {
  const session = await sessionFor(
    t,
    [
      { say: 'A task.', tools: begin },
      { say: 'Let me think', breaks: 'hangs' },
      { say: 'I stop.' },
      { say: 'I do it.', tools: finish },
      { say: 'Done.' },
    ],
    { tasks: false },
  )
  const { server } = session
  const talk = session.talk()
  t.after(() => talk.child.kill('SIGKILL'))
  const say = (line: string) => talk.child.stdin?.write(line)
  const events = () =>
    talk
      .stdout()
      .split('\n')
      .flatMap(line => (line.startsWith('{') ? JSON.parse(line) : []))
  const results = () => events().filter(({ type }) => type === 'result').length
  say(typed('begin'))
  await until('the second question to the model', () => server.asked.length === 2, 60_000)
  // Interrupted as by a person: there is no stop, so the loop goes on.
  say(interrupt)
  await until('the end of the first turn', () => results() === 1, 30_000)
  say(typed('/clear'))
  const cleared = () => events().some(({ hook_name }) => hook_name === 'SessionStart:clear')
  await until('the cleared session', cleared, 30_000)
  say(typed('go on'))
  await until('the end of the work', () => server.turnsLeft() === 0 && results() > 1, 60_000)
  talk.child.stdin?.end()
  const { stdout } = await talk.ended
  const ids = new Set(events().flatMap(({ session_id }) => session_id ?? []))
  assert.ok(ids.size > 1, 'a cleared session has another id')
  assert.match(server.asked.at(-2) ?? '', sentBack, stdout)
  assert.equal(task(session, 'tree-mend', 1).status, 'completed')
})
