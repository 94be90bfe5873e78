/** Scenes for the documents of groups, plans, templates and of what would be started. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { makeDaemonRig } from '../daemon.ts'
import { bestOfArgs, onlyGroup } from '../group.ts'
import { makeRig, startArgs } from '../rig.ts'
import { fitting } from './fitting.ts'

/** A person chooses among attempts, brings another one in, and rolls it all back. */
export async function chosen(t: TestContext): Promise<void> {
  const rig = makeRig(t)
  const fits = fitting(rig)
  const agent = 'echo "of $LOOP_ATTEMPT" > work'
  await rig.loop(bestOfArgs(agent, 'test -e work', '-n', '1', '--best-of-manual', '--no-input'))
  const id = onlyGroup(rig)
  const asked: unknown = await fits('question', ['answer', id])
  const { choices } = asked as { choices: string[] }
  assert.ok(choices.length > 1, 'attempts to choose from')
  await fits('error', ['answer', id, 'nobody'])
  const answered: unknown = await fits('loop', ['answer', id, choices[0] ?? ''])
  assert.equal(
    (answered as { goesOn: boolean }).goesOn,
    false,
    'its process has ended: it waits for a resume',
  )
  await fits('question', ['answer', id])
  await fits('loop', ['resume', id, '--no-input'])
  await fits('loop', ['pick', id, choices[1] ?? ''])
  await fits('error', ['pick', id, 'nobody'])
  await fits('loop', ['apply', id])
  await fits('diff', ['diff', id])
  await fits('announcements', ['logs', id, '--announcements'])
  await fits('event', ['watch', id])
  await fits('exported', ['export', id, '-o', join(rig.aside, 'group.tar.gz')])
  await fits('rollbackPreview', ['rollback', id, 'initial', '--dry-run'])
  const rolled: unknown = await fits('loopRolledBack', ['rollback', id, 'initial'])
  const { to, kept, deleted } = rolled as { to: string; kept: string; deleted: number }
  assert.deepEqual([to, deleted], ['initial', 1])
  const undone: unknown = await fits('loopRolledBack', ['rollback', id, '--undo'])
  assert.equal((undone as { to: string }).to, kept)
  const [member = ''] = rig.loops().filter(one => one !== id)
  const nothing: unknown = await fits('rolledBack', ['rollback', member, 'initial'])
  assert.deepEqual(nothing, { id: member, group: id, to: null, written: 0, deleted: 0, copy: true })
}

const spec = 'Fix total() in cart.js so that node --test exits 0; no new dependencies'
const noAgent = ['--agent', 'custom', '--agent-cmd', 'true', '--force', '--no-input']

/** What would run, of everything that has a dry run. */
export async function planned(t: TestContext): Promise<void> {
  const rig = makeRig(t)
  const fits = fitting(rig)
  const agent = 'touch it'
  await fits('loopPlanned', [...startArgs(agent, 'test -e it'), '--dry-run'])
  await fits('groupPlanned', [...startArgs(agent, 'test -e it'), '--best-of', '2', '--dry-run'])
  await fits('groupPlanned', ['plan', spec, ...noAgent, '--dry-run'])
  await fits('score', ['score', spec])
  await fits('score', ['score', 'make it nice', '--shape-rule', 'score'])
  await fits('error', ['score'])
  mkdirSync(join(rig.tree, '.loop/shape'), { recursive: true })
  rig.write('.loop/shape/SHAPE.md', '## Criteria\n')
  await fits('notice', [...startArgs(agent, 'test -e it'), '--dry-run'])
}

const template = `name: small
vars: { what: { description: a file } }
loops: [{ id: a, prompt: 'make {{what}}', promise: 'test -e {{what}}', agent: custom, agent-cmd: touch it }]
`

export async function started(t: TestContext): Promise<void> {
  const rig = makeDaemonRig(t)
  const fits = fitting(rig)
  mkdirSync(join(rig.tree, '.loop/templates'), { recursive: true })
  rig.write('.loop/templates/small.yaml', template)
  rig.write('flow.yaml', template)
  const named = ['--set', 'what=it', '--trust']
  await fits('loop', ['template', 'run', 'small', ...named])
  await fits('loop', ['start', 'it', '--template', 'small', '--trust'])
  await fits('loop', ['plan', spec, ...noAgent])
  await fits('error', ['template', 'run', 'nowhere'])
  await rig.startDaemon()
  const background: string[] = []
  const queued = async (words: string[]) => background.push((await fits('started', [...words, '-b'])).id)
  await queued(['template', 'run', 'small', ...named])
  await queued(['workflow', 'run', 'flow.yaml', ...named])
  await queued(['plan', spec, ...noAgent, '--fresh'])
  for (const one of background) await rig.loop(['cancel', one])
  const { id } = await fits('loop', startArgs('true', 'false', '-n', '1', '--no-input'))
  await fits('started', ['resume', id, '-b', '-n', '2'])
}
