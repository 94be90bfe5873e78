/**
 * The output of `--json` is as docs/reference/json.md describes it: no additional field, none of another type, no
 * document untested.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { jsonDocuments } from '../../src/views/json/documents.ts'
import { makeDaemonRig } from '../rig/daemon.ts'
import { bestOfArgs, cost, onlyGroup } from '../rig/group.ts'
import { planScript, samplePlan, vagueSpec, warnedNodes } from '../rig/plan.ts'
import { planTerminal } from '../rig/plan-terminal.ts'
import { makeRig, type Rig, startArgs, until } from '../rig/rig.ts'

type Name = keyof typeof jsonDocuments

const seen = new Set<Name>()

/** Runs a command with `--json` and checks its output against its schema; returns the document. */
function fitting(rig: Rig) {
  return async (name: Name, args: string[], on: 'stdout' | 'stderr' = 'stdout') => {
    const said = await rig.loop([...args, '--json'])
    assert.notEqual(said[on], '', `${args.join(' ')}: ${said.stdout}${said.stderr}`)
    const document: unknown = JSON.parse(said[on])
    const judged = jsonDocuments[name].schema.safeParse(document)
    assert.ok(judged.success, `${args.join(' ')}: ${judged.error?.message}\n${said[on]}`)
    seen.add(name)
    return document as { id: string }
  }
}

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
  await fits('error', ['status', 'nobody'], 'stderr')
  await fits('error', ['start', 'x', '-p', 'true', '--checkpoint', 'gti', '--agent', 'custom'], 'stderr')
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

test('no document is described that no output was held against', () => {
  const names = Object.keys(jsonDocuments) as Name[]
  assert.deepEqual(
    names.filter(name => !seen.has(name)),
    [],
  )
})
