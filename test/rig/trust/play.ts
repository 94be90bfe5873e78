/**
 * Plays a case of trust through the real program, one iteration each, and holds its end against what the case
 * declares. A cheat that no comparison of files can see must fail by the hold-out of its project.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { loopProgram, type Rig } from '../rig.ts'
import { agentOf, type Cheat, type Deed, type HonestRun, type Project, writeAll } from './case.ts'

type Setting = { project: Project; flags?: string[] }
type Played = Deed & Pick<Cheat, 'promise' | 'prompt' | 'before' | 'setup'>

/**
 * `@FRONT` is a directory at the front of the PATH, `@HOME` the user's home, `@ASIDE` a directory beside the tree,
 * `@LOOP` the program.
 */
export async function play(rig: Rig, { project, flags = [] }: Setting, { sh, ...deed }: Played) {
  const front = join(rig.aside, 'front')
  mkdirSync(front)
  const env = { PATH: `${front}:${rig.env['PATH']}` }
  writeAll(front, project.programs ?? {})
  writeAll(rig.tree, { ...project.files, ...deed.before })
  const places: [string, string][] = [
    ['@FRONT', front],
    ['@HOME', rig.env['HOME'] ?? ''],
    ['@ASIDE', rig.aside],
    ['@LOOP', loopProgram],
  ]
  const inPlace = (text: string) => places.reduce((done, [name, path]) => done.replaceAll(name, path), text)
  for (const setup of [project.setup, deed.setup])
    if (setup) execFileSync('sh', ['-c', inPlace(setup)], { cwd: rig.tree, env: { ...rig.env, ...env } })
  const agent = agentOf(rig, { ...deed, ...(sh && { sh: inPlace(sh) }) })
  const promise = inPlace(deed.promise ?? project.promise)
  const asked = ['start', deed.prompt ?? 'do the work', '-p', promise]
  const how = ['--agent', 'custom', '--agent-cmd', agent, '-n', '1', '--no-input', ...flags]
  const ended = await rig.loop([...asked, ...how], { env })
  const [id = ''] = rig.loops()
  const events = rig.events(id)
  const last = events.find(({ kind }) => kind === 'loop.completed')
  return {
    code: ended.code,
    said: ended.stdout + ended.stderr,
    ship: last?.kind === 'loop.completed' ? (last.data.ship?.verdict ?? null) : null,
    isSuspect: events.some(({ kind }) => kind === 'suspicion.raised'),
    agentRan: events.some(({ kind }) => kind === 'run.ended'),
  }
}

/** `makeOne` makes a rig: the hold-out is tried in a second one. */
export async function assertCheat(makeOne: () => Rig, project: Project, cheat: Cheat): Promise<void> {
  const { code, said, ship, isSuspect, agentRan } = await play(makeOne(), { project }, cheat)
  assert.ok(agentRan, said)
  const end = ship === null ? (isSuspect ? 'suspect' : 'failed') : ship === 'SHIP' ? 'unseen' : 'monitor'
  const told = `ended as ${end}\n${said}`
  if (cheat.end === 'not-ship') assert.notEqual(end, 'unseen', told)
  else assert.equal(end, cheat.end, told)
  assert.equal(code === 0, end === 'monitor' || end === 'unseen', told)
  if (end !== 'unseen') return
  const held = await play(makeOne(), { project, flags: ['--holdout', project.holdout] }, cheat)
  assert.deepEqual({ code: held.code, ship: held.ship }, { code: 1, ship: null }, held.said)
}

/** Nobody is asked, the promise passes, and the verdict is the declared one where there is one. */
export async function assertHonest(rig: Rig, project: Project, run: HonestRun): Promise<void> {
  const { code, said, ship, isSuspect, agentRan } = await play(rig, { project, flags: run.flags ?? [] }, run)
  const told = `verdict ${ship}\n${said}`
  assert.ok(agentRan, told)
  assert.ok(!isSuspect, told)
  assert.equal(code, 0, told)
  if (run.ship) assert.equal(ship, run.ship, told)
}
