/**
 * A loop whose work is done in a session: it is recorded like any other, its baseline is run and its tree saved;
 * then the session works, and the hook holds it to the promise. No agent is started.
 */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { ensureLoopDirectory, makeDirectories, makeFirstFree } from '../../adapters/tree-file.ts'
import type { State } from '../../core/loop/state.ts'
import type { SessionLoop } from '../../core/session/stop.ts'
import { drive } from '../../engine/drive.ts'
import { createLoop, leaveJournal } from '../../engine/host.ts'
import { hostHere } from '../../hooks/situation.ts'
import { fail, invalid, ok, type Result } from '../../model/failure.ts'
import type { StartWish } from '../../options/resolve.ts'
import type { Paths } from '../../store/files/paths.ts'
import {
  isUnderWay,
  type Marker,
  readMarkers,
  removeMarker,
  writeMarker,
} from '../../store/files/session-marker.ts'
import { toldWords } from '../../views/words/reinforcement.ts'
import { withWorld } from '../../wiring/world.ts'
import type { Input } from '../command-table.ts'
import { foregroundView } from '../foreground/drive.ts'

export const program = join(import.meta.dirname, '..', 'bin', 'loop')

/** The session in which this process was started, if its host program says so. */
export function sessionHere(env: NodeJS.ProcessEnv): string | null {
  return sessionVariables.map(name => env[name]).find(Boolean) ?? null
}

/** The process of that session, if its host program names it. */
export function hostField(env: NodeJS.ProcessEnv): { host?: string } {
  const host = sessionHere(env) ? hostHere(env) : undefined
  return host === undefined ? {} : { host }
}

export const sessionVariables = ['CLAUDE_CODE_SESSION_ID', 'LOOP_SESSION']

/** The task of a session, and additional texts for it. */
export type SessionWish = Pick<StartWish, 'spec' | 'injected'> & { taskList?: string }

/** Records the loop and drives it until it waits for its session; a mistake in the promise shows in its state. */
export function beginSession(wish: SessionWish, input: Input): Promise<Result<State>> {
  return withWorld(input.env, async world => {
    const view = foregroundView(input, world)
    const loop = createLoop(world, wish)
    if (!loop.ok) {
      view.stop()
      return loop
    }
    try {
      // Before anything slow: if this process is killed now, the session is still held.
      const marker = markerOf(loop.value.state, input.env)
      const { taskList } = wish
      writeMarker(
        world.store.paths,
        taskList === undefined ? marker : { ...marker, loop: { ...marker.loop, taskList } },
      )
      const state = await drive(loop.value, new AbortController().signal)
      if (state.turn.outcome) removeMarker(world.store.paths, state.id)
      return ok(state)
    } finally {
      leaveJournal(loop.value)
      view.stop()
    }
  })
}

export function markerOf({ id, spec, human }: State, env: NodeJS.ProcessEnv): Marker {
  const loop: SessionLoop = {
    tree: spec.cwd,
    session: sessionHere(env),
    id,
    spec: spec.prompt.slice(0, 2_000),
    criteria: spec.criteria.map(({ name, command }) => ({ name, command })),
    status: 'in_progress',
    maxIterations: spec.maxIterations,
    budgetUsd: spec.budgetUsd,
    run: spec.session?.run ?? null,
    told: human.injected.map(toldWords),
    ...hostField(env),
  }
  return { name: id, program, loop }
}

/** Another loop without a journal that holds a session of this work tree. */
export function otherMarker(paths: Paths, tree: string): Marker | null {
  const inTree = readMarkers(paths).filter(({ loop }) => loop.tree === tree && loop.id === null)
  return inTree.find(isUnderWay) ?? null
}

/** A link to a directory does not count: nothing is written through a link that an agent planted. */
export function canBeDirectory(dir: string): Result<null> {
  const there = lstatSync(dir, { throwIfNoEntry: false })
  return there && !there.isDirectory() ? fail('system', { kind: 'not-a-directory', path: dir }) : ok(null)
}

/** Creates `.loop/runs/<date>-<slug>` with its `_meta.md`; never reuses an existing one. */
export function makeRun(
  tree: string,
  { slug, goal, today }: { slug: string; goal: string; today: string },
): Result<string> {
  if (!/^[a-z0-9][a-z0-9_-]{0,59}$/.test(slug)) {
    return invalid({ kind: 'bad-run-name', name: slug })
  }
  const root = join(tree, '.loop')
  const runs = join(root, 'runs')
  for (const dir of [root, runs]) {
    const free = canBeDirectory(dir)
    if (!free.ok) return free
  }
  ensureLoopDirectory(root)
  makeDirectories(root, 'runs')
  const names = [slug, ...Array.from({ length: 98 }, (_, i) => `${slug}-${i + 2}`)]
  const made = makeFirstFree(
    runs,
    names.map(name => `${today}-${name}`),
    null,
  )
  if (made === null) return fail('system', { kind: 'too-many-runs', path: runs })
  const meta = `# ${slug}\n\n- goal: ${goal.replaceAll(/\s+/g, ' ').slice(0, 500)}\n- pipeline: tasks\n- created: ${today}\n`
  makeFirstFree(join(runs, made), ['_meta.md'], meta)
  return ok(join('.loop', 'runs', made))
}
