/**
 * The end of an agent run: reads its output to the end and makes the event with its outcome and cost. It also serves
 * runs that were stopped, killed or lost. It decides nothing and signals no process.
 */
import { join } from 'node:path'
import { reportedUsage } from '../../../adapters/agents/usage-file.ts'
import { refusedIn } from '../../../adapters/network/way-out.ts'
import { cutOutput } from '../../../adapters/process/cut-output.ts'
import { readExit } from '../../../adapters/process/files.ts'
import { shimSaid } from '../../../adapters/process/run.ts'
import type { Run } from '../../../core/loop/parts/work.ts'
import {
  addItem,
  noReport,
  type Report,
  type RunEnding,
  spending,
  told,
} from '../../../core/loop/run-report.ts'
import type { State } from '../../../core/loop/state.ts'
import { endOf } from '../../../core/loop/verdict.ts'
import type { Event, EventOf } from '../../../model/loop/event.ts'
import type { Spec } from '../../../model/loop/spec.ts'
import { settle } from '../../../store/files/artifact.ts'
import { loopDir } from '../../../store/files/paths.ts'
import { inWords } from '../../recorded.ts'
import { leftByAgent } from '../sandbox.ts'
import { type Listener, listenTo } from './output.ts'
import { cleanOf } from './redaction.ts'
import type { Task } from './steps.ts'

/** The output of an agent read so far. */
export type Heard = { listener: Listener | null; report: Report }

export function hear({ world, state }: Task, dir: string): Heard {
  const { read } = world.agents[state.work.agent]
  return { listener: read && listenTo(dir, read(world.now)), report: noReport() }
}

type Ended = { how?: EventOf<'run.ended'>['data']['how']; heard?: Heard }

export async function ended(task: Task, run: Run, { how, heard }: Ended): Promise<Event> {
  const dir = join(loopDir(task.world.store.paths, task.state.id), run.dir)
  const exit = readExit(dir)
  // Read to its end before it is cut.
  const report = await heardToEnd(task, dir, heard)
  const isCut = cutOutput(dir, task.state.spec.maxOutputBytes)
  const files = outputs(task, run)
  const natural = exit ? endOf(exit) : 'killed'
  // gemini's exit codes look like signals; its own final message shows that there was none.
  const spoke = report.end !== null || report.limit !== null || report.auth !== null
  const itself = natural === 'killed' && exit && spoke ? 'exited' : natural
  // A fast command ends before anybody looks: the limit is the same for it.
  const ending = how ?? (isCut ? 'flooded' : itself)
  return {
    kind: 'run.ended',
    data: {
      run: run.run,
      how: ending,
      exitCode: exit?.code ?? null,
      durationMs: exit?.durationMs ?? 0,
      ...files,
      ...refusedIn(dir),
      ...told(report, endingOf(task, run, { how: ending, err: files.err.tail })),
    },
  }
}

export async function lost(
  task: Task,
  run: Run,
  { how, heard }: { how: 'spoilt' | 'restarted' | 'killed'; heard?: Heard },
): Promise<Event> {
  const dir = join(loopDir(task.world.store.paths, task.state.id), run.dir)
  const report = await heardToEnd(task, dir, heard)
  cutOutput(dir, task.state.spec.maxOutputBytes)
  const files = outputs(task, run)
  const spent = spending(report, endingOf(task, run, { how: 'lost', err: files.err.tail }))
  const why = inWords({ kind: 'run-lost', how, said: shimSaid(dir) })
  return { kind: 'run.lost', data: { run: run.run, ...why, ...files, ...spent } }
}

/** Reads all of the agent's output. */
async function heardToEnd(task: Task, dir: string, heard = hear(task, dir)): Promise<Report> {
  await heard.listener?.finish(item => addItem(heard.report, item))
  return heard.report
}

function endingOf(
  { world, state }: Task,
  run: Run,
  { how, err }: { how: RunEnding['how']; err: string },
): RunEnding {
  const written = reportedUsage(leftByAgent(join(loopDir(world.store.paths, state.id), run.dir), 'usage'))
  const { endsItself, capabilities, read } = world.agents[state.work.agent]
  const before = state.cost.sessions[state.work.agent]
  return {
    at: world.now(),
    how,
    before: before && before.id === run.session ? before : null,
    model: specOf(state).model ?? null,
    price: state.spec.price ?? null,
    // For an agent whose output loop understands, a limit is accepted only from there.
    told: { ...written, ...(read && { limit: null }) },
    complaint: err.trim().split('\n').at(-1)?.slice(0, 300) ?? '',
    clean: cleanOf(world.env),
    endsItself,
    reportsCost: capabilities.cost !== 'unknown',
  }
}

/** The spec for the agent that runs: a fallback has its own program and model. */
export function specOf({ spec, work: { agent } }: State): Spec {
  const fallback = agent === spec.agent ? undefined : spec.fallbacks?.find(one => one.agent === agent)
  if (!fallback) return spec
  const { model: _, ...rest } = spec
  return { ...rest, ...fallback }
}

function outputs({ world, state }: Task, run: Run) {
  const root = loopDir(world.store.paths, state.id)
  const clean = cleanOf(world.env)
  return {
    out: settle(root, join(run.dir, 'out'), clean),
    err: settle(root, join(run.dir, 'err'), clean),
  }
}
