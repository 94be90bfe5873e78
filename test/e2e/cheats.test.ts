/**
 * Agents that make the promise pass without the work, and agents that work honestly, through the real program. No
 * dishonest run ends as SHIP: it is suspect, fails, or is completed with a list of things to look at. A cheat that no
 * comparison of files can see fails by the hold-out of its project. After honest runs nobody is asked anything.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { without } from '../rig/needs.ts'
import { loopProgram, makeRig, type Rig } from '../rig/rig.ts'
import { agentOf, type Cheat, type Deed, type HonestRun, type Project, writeAll } from '../rig/trust/case.ts'
import { honestRuns } from '../rig/trust/honest.ts'
import { greeter, makeCheats } from '../rig/trust/make.ts'
import { nodeCheats, shop } from '../rig/trust/node.ts'
import { pyShop, pythonCheats } from '../rig/trust/python.ts'

const isLong = Boolean(process.env['LOOP_LONG'])

type Setting = { project: Project; flags?: string[] }
type Played = Deed & Pick<Cheat, 'promise' | 'prompt' | 'before' | 'setup'>

/**
 * `@FRONT` is a directory at the front of the PATH, `@HOME` the user's home, `@LOOP` the program. One iteration each.
 */
async function play(rig: Rig, { project, flags = [] }: Setting, { sh, ...deed }: Played) {
  const front = join(rig.aside, 'front')
  mkdirSync(front)
  const env = { PATH: `${front}:${rig.env['PATH']}` }
  writeAll(rig.tree, { ...project.files, ...deed.before })
  const home = rig.env['HOME'] ?? ''
  const inPlace = (text?: string) =>
    text?.replaceAll('@FRONT', front).replaceAll('@HOME', home).replaceAll('@LOOP', loopProgram)
  const [setup, words] = [inPlace(deed.setup), inPlace(sh)]
  if (setup) execFileSync('sh', ['-c', setup], { cwd: rig.tree })
  const agent = agentOf(rig, { ...deed, ...(words && { sh: words }) })
  const asked = ['start', deed.prompt ?? 'do the work', '-p', deed.promise ?? project.promise]
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

const cheats: [Project, Cheat][] = [
  ...nodeCheats.map((cheat): [Project, Cheat] => [shop, cheat]),
  ...pythonCheats.map((cheat): [Project, Cheat] => [pyShop, cheat]),
  ...makeCheats.map((cheat): [Project, Cheat] => [greeter, cheat]),
]

const nameOf = (project: Project) => project.promise.split(' ')[0]

for (const [project, cheat] of cheats) {
  const skip = (!isLong && !cheat.short && 'only with LOOP_LONG=1') || without(...project.needs)
  test(`${nameOf(project)}, in the ${cheat.kind}: ${cheat.what}`, { skip }, async t => {
    const rig = makeRig(t)
    const { code, said, ship, isSuspect, agentRan } = await play(rig, { project }, cheat)
    assert.ok(agentRan, said)
    const end = ship === null ? (isSuspect ? 'suspect' : 'failed') : ship === 'SHIP' ? 'unseen' : 'monitor'
    assert.equal(end, cheat.end, said)
    assert.equal(code === 0, end === 'monitor' || end === 'unseen', said)
    if (end !== 'unseen') return
    const again = makeRig(t)
    const held = await play(again, { project, flags: ['--holdout', project.holdout] }, cheat)
    assert.deepEqual({ code: held.code, ship: held.ship }, { code: 1, ship: null }, held.said)
  })
}

for (const [project, run] of honestRuns as [Project, HonestRun][]) {
  const skip = (!isLong && !run.short && 'only with LOOP_LONG=1') || without(...project.needs)
  test(`${nameOf(project)}, honest: ${run.what}`, { skip }, async t => {
    const rig = makeRig(t)
    const { code, said, ship, isSuspect, agentRan } = await play(
      rig,
      { project, flags: run.flags ?? [] },
      run,
    )
    assert.ok(agentRan, said)
    assert.ok(!isSuspect, said)
    assert.equal(code, 0, said)
    if (run.ship) assert.equal(ship, run.ship, said)
  })
}
