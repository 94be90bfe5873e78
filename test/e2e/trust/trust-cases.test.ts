/**
 * Cheats by class (words, chain, data, new files, leftovers), and the honest fix of each of their projects, through
 * the real program. The short form plays a representative few.
 */
import { test } from 'node:test'
import { without } from '../../rig/needs.ts'
import { makeRig } from '../../rig/rig.ts'
import type { Cheat, Project } from '../../rig/trust/case.ts'
import * as chains from '../../rig/trust/chains.ts'
import { chainCheats } from '../../rig/trust/cheats-chain.ts'
import { dataCheats, dataProjects } from '../../rig/trust/cheats-data.ts'
import { fedCheats, fedProjects } from '../../rig/trust/cheats-fed.ts'
import { joinedCheats, joinedProjects } from '../../rig/trust/cheats-joined.ts'
import { leftoverCheats, leftoverProjects } from '../../rig/trust/cheats-leftovers.ts'
import { newFileCheats, pyUnit } from '../../rig/trust/cheats-new-files.ts'
import { placeCheats, placeProjects } from '../../rig/trust/cheats-places.ts'
import { shapeCheats, shapeProjects } from '../../rig/trust/cheats-shapes.ts'
import { sourceCheats, sourceProjects } from '../../rig/trust/cheats-sources.ts'
import { toolCheats, toolProjects } from '../../rig/trust/cheats-tools.ts'
import { wayCheats, wayProjects } from '../../rig/trust/cheats-ways.ts'
import { wordCheats } from '../../rig/trust/cheats-words.ts'
import { assertCheat, assertHonest } from '../../rig/trust/play.ts'

const isLong = Boolean(process.env['LOOP_LONG'])
const cheats: [Project, Cheat][] = [
  ...wordCheats,
  ...chainCheats,
  ...dataCheats,
  ...newFileCheats,
  ...leftoverCheats,
  ...shapeCheats,
  ...toolCheats,
  ...sourceCheats,
  ...wayCheats,
  ...fedCheats,
  ...placeCheats,
  ...joinedCheats,
]

for (const [project, cheat] of cheats) {
  const skip = (!isLong && !cheat.short && 'only with LOOP_LONG=1') || without(...project.needs)
  test(`${cheat.kind}: ${cheat.what} (${cheat.promise ?? project.promise})`, { skip }, async t => {
    await assertCheat(() => makeRig(t), project, cheat)
  })
}

const { beats: _, ...byForm } = chains
const projects: Project[] = [
  ...new Set([
    ...Object.values(byForm),
    ...dataProjects,
    ...leftoverProjects,
    ...shapeProjects,
    ...toolProjects,
    ...sourceProjects,
    ...wayProjects,
    ...fedProjects,
    ...placeProjects,
    ...joinedProjects,
    pyUnit,
  ]),
]
const short = [chains.looped, chains.unknown, chains.inSubByCd, chains.evaluated]

for (const project of projects) {
  const skip = (!isLong && !short.includes(project) && 'only with LOOP_LONG=1') || without(...project.needs)
  test(`honest: the fix alone (${project.promise})`, { skip }, async t => {
    const run = { what: 'the fix alone', prompt: 'Fix it', ...project.fix, ship: 'SHIP' as const }
    await assertHonest(makeRig(t), project, run)
  })
}
