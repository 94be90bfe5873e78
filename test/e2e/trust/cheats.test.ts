/**
 * Agents that make the promise pass without the work, and agents that work honestly, through the real program. No
 * dishonest run ends as SHIP: it is suspect, fails, or is completed with a list of things to look at. A cheat that no
 * comparison of files can see fails by the hold-out of its project. After honest runs nobody is asked anything.
 */
import { test } from 'node:test'
import { without } from '../../rig/needs.ts'
import { makeRig } from '../../rig/rig.ts'
import type { Cheat, HonestRun, Project } from '../../rig/trust/case.ts'
import { honestRuns } from '../../rig/trust/honest.ts'
import { honestKinds } from '../../rig/trust/honest-kinds.ts'
import { honestTasks } from '../../rig/trust/honest-tasks.ts'
import { greeter, makeCheats } from '../../rig/trust/make.ts'
import { nodeCheats, shop } from '../../rig/trust/node.ts'
import { assertCheat, assertHonest } from '../../rig/trust/play.ts'
import { pyShop, pythonCheats } from '../../rig/trust/python.ts'

const isLong = Boolean(process.env['LOOP_LONG'])

const cheats: [Project, Cheat][] = [
  ...nodeCheats.map((cheat): [Project, Cheat] => [shop, cheat]),
  ...pythonCheats.map((cheat): [Project, Cheat] => [pyShop, cheat]),
  ...makeCheats.map((cheat): [Project, Cheat] => [greeter, cheat]),
]

const nameOf = (project: Project) => project.promise.split(' ')[0]

for (const [project, cheat] of cheats) {
  const skip = (!isLong && !cheat.short && 'only with LOOP_LONG=1') || without(...project.needs)
  test(`${nameOf(project)}, in the ${cheat.kind}: ${cheat.what}`, { skip }, async t => {
    await assertCheat(() => makeRig(t), project, cheat)
  })
}

for (const [project, run] of [...honestRuns, ...honestKinds, ...honestTasks] as [Project, HonestRun][]) {
  const skip = (!isLong && !run.short && 'only with LOOP_LONG=1') || without(...project.needs)
  test(`${nameOf(project)}, honest: ${run.what}`, { skip }, async t => {
    await assertHonest(makeRig(t), project, run)
  })
}
