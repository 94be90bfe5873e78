/**
 * The output of `--json` is as docs/reference/json.md describes it: no additional field, none of another type, no
 * document untested.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { offerLearnings } from '../../../src/engine/learnings.ts'
import { addShowings } from '../../../src/store/files/learning-notes.ts'
import { plays, standIn } from '../../agents/stand-in.ts'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { bestOfArgs, cost, onlyGroup } from '../../rig/group.ts'
import { fitting, unheld } from '../../rig/json/fitting.ts'
import { chosen, planned, started } from '../../rig/json/of-groups.ts'
import { checks, files, items, questions, read, sessions, steered } from '../../rig/json/of-loops.ts'
import { demo, page, plugins, services } from '../../rig/json/of-machine.ts'
import { planScript, samplePlan, vagueSpec, warnedNodes } from '../../rig/plan.ts'
import { planTerminal } from '../../rig/plan-terminal.ts'
import { makeRig, startArgs, until } from '../../rig/rig.ts'

test('documents of loops, groups, starts in the background, and failures', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon()
  const fits = fitting(rig)
  const told = `printf '{"costUsd": 0.5, "tokens": {"input": 10, "output": 5}}' > "$LOOP_USAGE_FILE"; echo x >> work`
  const start = startArgs(
    told,
    'lines=echo seen >> of-promise; test "$(wc -l < work)" = 2',
    '--on-complete',
    'true',
    '--yes',
  )
  const { id } = await fits('loop', start)
  const group = await fits('loop', startArgs('echo y > more', 'test -e more', '--best-of', '2', '-n', '1'))
  const asked = startArgs('echo z > asked', 'true', '--confirm', 'it looks right', '--no-baseline', '-b')
  const queued = await fits('started', asked)
  await until('the question', () => rig.events(queued.id).some(({ kind }) => kind === 'question.asked'))
  await rig.loop(['checkpoint', id, 'mine'])
  for (const one of [id, group.id, queued.id]) await fits('loop', ['status', one])
  await fits('list', ['list'])
  await fits('list', ['status'])
  await fits('history', ['history', id])
  await fits('error', ['status', 'nobody'])
  await fits('error', ['start', 'x', '-p', 'true', '--checkpoint', 'gti', '--agent', 'custom'])
  await rig.loop(['cancel', queued.id])
})

test('attempts side by side and the history of a group, while they run and when one is chosen', async t => {
  const rig = makeRig(t)
  const fits = fitting(rig)
  const agent = `${cost(0.25)}; echo "of $LOOP_ATTEMPT" > work; touch "$ASIDE/up-$LOOP_ATTEMPT"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done`
  const metric = ['--best-of-metric', 'min:wc -c < work']
  const running = rig.spawn(bestOfArgs(agent, 'test -e work', '-n', '1', ...metric, '--plain'))
  const id = await until('the group', () => /Group: (\w{6})/.exec(running.stderr())?.[1])
  await until('an attempt', () => rig.loops().length > 1)
  await fits('compare', ['compare', id])
  await fits('groupHistory', ['history', id])
  writeFileSync(`${rig.aside}/go`, '')
  assert.equal((await running.ended).code, 0)
  await fits('compare', ['compare', id])
  await fits('groupHistory', ['history', id])
  await rig.loop(startArgs('echo z > alone', 'test -e alone', '--isolated', '--plain'))
  await fits('groupHistory', ['history', '@last'])
})

test('the reviews of a plan, and what becomes of a finding', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const fits = fitting(rig)
  const script = planScript(rig, warnedNodes())
  const start = ['plan', `${vagueSpec} so that all tests pass, in cart.js`, '--agent', 'scripted']
  const limits = ['--force', '-n', '20', '--budget', '25', '--task-list', 'new', '--state', 'keep']
  const { answers, screen } = planTerminal(t, rig, [...start, '--agent-cmd', script, ...limits])
  await answers([
    ['Proceed?', 'yes'],
    ['Continue?', 'yes'],
    ['Step T-003', 'yes'],
  ])
  await screen.shows('WARNING f-30acde3416')
  const id = onlyGroup(rig)
  const document: unknown = await fits('review', ['review', id])
  const { rounds } = document as { rounds: { findings: { id: string }[] }[] }
  const [finding] = rounds.flatMap(({ findings }) => findings)
  assert.ok(finding, 'a finding')
  await fits('resolved', ['review', id, finding.id, 'skip'])
  await fits('review', ['review', id])
  await fits('groupHistory', ['history', id])
  await fits('loop', ['status', id])
})

test('settings, their files, and the health of the machine, sound and damaged', async t => {
  const rig = makeRig(t)
  const fits = fitting(rig)
  await fits('settings', ['config'])
  await fits('settings', ['config', 'list'])
  await fits('setting', ['config', 'get', 'agent'])
  await fits('settingChanged', ['config', 'set', 'timeout', '15m'])
  await fits('settingChanged', ['config', 'set', 'max_iterations', '20', '--project'])
  await fits('settingChanged', ['config', 'unset', 'timeout'])
  await fits('configFiles', ['config', 'path'])
  await fits('trusted', ['config', 'trust'])
  await fits('trusted', ['config', 'untrust'])
  await rig.loop(startArgs('echo x > work', 'test -e work', '--plain'))
  await fits('doctor', ['doctor'])
  writeFileSync(rig.paths.database, 'no database\n'.repeat(500))
  await fits('doctor', ['doctor'])
  await fits('restored', ['doctor', '--restore'])
})

test('a task list: empty, with tasks of others, and what a change does', async t => {
  const rig = makeRig(t)
  rig.env['CLAUDE_CODE_TASK_LIST_ID'] = 'list'
  const fits = fitting(rig)
  await fits('tasks', ['task', 'list'])
  await fits('taskChanged', ['task', 'add', 'Make it', '--verify', 'test -e it', '--files', 'a.js, b.js'])
  await fits('taskChanged', ['task', 'add', 'Write the guide', '--blocked-by', 'T-001'])
  const other = { subject: 'Of a session', status: 'pending', metadata: { files: 'a.js', wave: 'first' } }
  const text = JSON.stringify({ id: '3', description: '', blocks: [], blockedBy: [], ...other })
  writeFileSync(join(rig.env['HOME'] ?? '', '.claude', 'tasks', 'list', '3.json'), text)
  await fits('tasks', ['task', 'list'])
  await fits('taskChanged', ['task', 'update', 'T-001', 'completed'])
  rig.write('it', '')
  await fits('taskChanged', ['task', 'update', 'T-001', 'completed'])
  await fits('taskChanged', ['task', 'update', 'T-002', 'deleted'])
  await fits('tasks', ['task', 'list'])
  await fits('error', ['task', 'update', 'T-009', 'completed'])
})

test('learnings: added, waiting, used, recalled, dropped, and those of a repository', async t => {
  const rig = makeRig(t)
  const fits = fitting(rig)
  await fits('learnings', ['learn'])
  for (const as of ['failure', 'discovery', 'maxim', 'decision'])
    await fits('learningChanged', ['learn', 'add', `the ${as} of the cart is in cents`, '--as', as])
  const at = { id: 'l-abc123', at: '2026-11-17T10:00:00.000Z', kind: 'discovery' as const }
  const more = { before: 'each comes once', found: 'they come twice', adjustment: 'counted', loop: 'a1b2c3' }
  const waiting = [at.id, 'l-abc124'].map(id => ({ ...at, ...more, id, text: `webhooks of ${id} repeat` }))
  offerLearnings({ paths: rig.paths, tree: rig.tree }, waiting)
  await fits('learnings', ['learn'])
  await fits('learningChanged', ['learn', 'accept', at.id])
  await fits('learningChanged', ['learn', 'drop', 'l-abc124'])
  addShowings(rig.paths, rig.tree, [{ id: at.id, loop: 'a1b2c3', said: 'dismissed' }])
  await fits('learnings', ['learn'])
  await fits('recalled', ['recall', 'the webhooks of the cart repeat'])
  await fits('recalled', ['recall', 'kubernetes'])
  const strange = { ...at, id: 'l-abc125', text: 'of somebody else', loop: null }
  writeFileSync(join(rig.tree, '.loop/learnings/theirs.jsonl'), `${JSON.stringify(strange)}\n`)
  await fits('learnings', ['learn'])
  await fits('learningChanged', ['learn', '--trust'])
})

const flow = `name: flow
description: builds it
vars: { what: { description: a file }, test: { type: command, default: test -e it } }
budget: 3
env: { MODE: fast }
defaults: { agent: custom, agent-cmd: touch it }
loops:
  - { id: build, prompt: 'build {{what}}', promise: 'test -e {{what}}', outputs: [size] }
  - id: check
    prompt: 'check {{outputs.build.size}}'
    promise: ['{{test}}', made=true]
    depends_on: [build]
    when: completed(build) || failed(build)
    retry: { max: 1, on: [stuck] }
    confirm: go on?
  - { id: both, prompt: x, promise: 'true', matrix: { os: [a, b] }, depends_on: [check], best_of: 2 }
on_complete: echo {{workflow.name}}
on_failure: "echo {{failed_loop}}"
`

test('workflows: sound, with mistakes, drawn, planned and run', async t => {
  const rig = makeRig(t)
  const fits = fitting(rig)
  rig.write('flow.yaml', flow)
  rig.write('bad.yaml', flow.replace('budget:', 'budgett:'))
  await fits('workflowValidated', ['workflow', 'validate', 'flow.yaml'])
  await fits('workflowValidated', ['workflow', 'validate', 'bad.yaml'])
  await fits('workflowGraph', ['workflow', 'graph', 'flow.yaml'])
  await fits('error', ['workflow', 'graph', 'bad.yaml'])
  await fits('workflow', ['workflow', 'run', 'flow.yaml', '--set', 'what=it', '--dry-run'])
  await fits('error', ['workflow', 'run', 'bad.yaml', '--set', 'what=it'])
  rig.write('small.yaml', `name: small\nloops: [{ id: a, prompt: x, promise: test -e it }]\n`)
  const agent = ['--agent', 'custom', '--agent-cmd', 'touch it', '--trust']
  const { id } = await fits('loop', ['workflow', 'run', 'small.yaml', ...agent])
  await fits('loop', ['workflow', 'status', id])
})

test('templates: listed, shown, made and planned', async t => {
  const rig = makeRig(t)
  const fits = fitting(rig)
  mkdirSync(join(rig.tree, '.loop/templates'), { recursive: true })
  rig.write('.loop/templates/tdd.yaml', flow)
  rig.write('.loop/templates/broken.yaml', 'loops: [')
  await fits('templates', ['template', 'list'])
  for (const name of ['tdd', 'bugfix', 'broken']) await fits('template', ['template', 'show', name])
  await fits('templateCreated', ['template', 'create', 'mine'])
  await rig.loop(startArgs('echo x > work', 'test -e work', '--plain'))
  await fits('templateCreated', ['template', 'create', 'like-it', '--from', '@last', '--dry-run'])
  await fits('workflow', ['template', 'run', 'tdd', '--set', 'what=it', '--dry-run'])
})

test('what is thrown away, of a tree, a copy and an output, and of none', async t => {
  const rig = makeRig(t)
  const fits = fitting(rig)
  await fits('garbage', ['gc'])
  await rig.loop(startArgs('echo x > work', 'test -e work', '--best-of', '2', '-n', '1', '--plain'))
  const old = ['--checkpoint-retention', '1ms', '--output-retention', '1ms']
  for (const dry of [['--dry-run'], []]) {
    const document: unknown = await fits('garbage', ['gc', ...old, ...dry])
    const { trees, copies, outputs } = document as Record<string, unknown[]>
    assert.deepEqual(
      [trees, copies, outputs].map(some => (some ?? []).length > 0),
      [true, true, true],
    )
  }
})

test('loopd: started, asked, ended, and not there', async t => {
  const rig = makeDaemonRig(t)
  const fits = fitting(rig)
  await fits('error', ['loopd', 'status'])
  await fits('daemonStarted', ['loopd', 'start'])
  await fits('daemonStarted', ['loopd', 'start'])
  await fits('daemon', ['loopd', 'status'])
  await fits('daemonEnded', ['loopd', 'stop'])
  await fits('daemonEnded', ['loopd', 'stop'])
})

test('what is read of a loop: its log, its events, its patches, its archive', read)

test('what an agent said and did, item by item', t =>
  items(t, standIn(t, { claude: `cat > /dev/null; ${plays('claude.out')}` })))

test('checkpoints and rollbacks of a loop', files)

test('questions of an agent and of a criterion, and their answers', questions)

test('a loop that is paused, goes on, is cancelled, and is rolled back', steered)

test('runs and loops of a session', sessions)

test('checks of a step', checks)

test('attempts that a person chooses from, picks, applies and rolls back', chosen)

test('what would be started, and what a text scores', planned)

test('templates, workflows and plans, in the foreground and under loopd', started)

test('the plugin, put there and removed', plugins)

test('the service of loopd, which its manager runs or not', services)

test('the page', page)

test('the demo', demo)

test('no form of a command is described that no output was held against', () => {
  assert.deepEqual(unheld(), [])
})
