/**
 * The steps of an agent run: prepare it (prompt, directory), attach to it (launching it if nobody has), stop it, end
 * its remaining processes. Each step can be repeated by another host after any crash.
 *
 * At the end of a run its output is read to the end, for the event with its outcome and cost; also of
 * runs that were stopped, killed or lost. That decides nothing and signals no process.
 */
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { agentEnv } from '../../../adapters/agents/agent.ts'
import { reportedUsage } from '../../../adapters/agents/usage-file.ts'
import { refusedIn } from '../../../adapters/network/way-out.ts'
import { cutOutput, nextLookMs, printedBytes } from '../../../adapters/process/cut-output.ts'
import { identify, isClaimed, readExit } from '../../../adapters/process/files.ts'
import {
  clear,
  type Handle,
  isElsewhere,
  launch,
  lookAtRun,
  recognize,
  shimSaid,
  stopRunning,
  watchRun,
} from '../../../adapters/process/run.ts'
import type { Launch } from '../../../adapters/process/shim.ts'
import type { Step } from '../../../core/loop/decide.ts'
import type { Run } from '../../../core/loop/parts/work.ts'
import { buildPrompt, type Excerpt } from '../../../core/loop/prompt.ts'
import {
  addItem,
  noReport,
  type Report,
  type RunEnding,
  spending,
  told,
} from '../../../core/loop/run-report.ts'
import type { State } from '../../../core/loop/state.ts'
import { endOf, recover } from '../../../core/loop/verdict.ts'
import { wantedAnswer } from '../../../model/answer.ts'
import { ok, type Result } from '../../../model/failure.ts'
import type { Event, EventOf } from '../../../model/loop/event.ts'
import type { Spec } from '../../../model/loop/spec.ts'
import { runsIn } from '../../../model/run.ts'
import { keepAside } from '../../../platform/platform.ts'
import { excerpt, settle, writeDurably } from '../../../store/files/artifact.ts'
import { loopDir, runDir } from '../../../store/files/paths.ts'
import { inWords } from '../../recorded.ts'
import { agentRunEnv } from '../environment.ts'
import { agentsPlace, leftByAgent, ownFilesOf, providerOf, sandboxOf } from '../sandbox.ts'
import { answerFile, answerSchemaFile, answerSchemaText } from './answer.ts'
import { type Listener, listenTo } from './output.ts'
import { cleanOf, redactFile, secretBytes } from './redaction.ts'
import { stepFailed, type Task } from './steps.ts'

const pollMs = 200
/** Of the output of a criterion at either end; less where what fails is named. */
const excerptBytes = { named: 300, unnamed: 2_500 }

export async function prepareRun(step: Extract<Step, { kind: 'prepare' }>, task: Task): Promise<Event[]> {
  const { world, state } = task
  if (isOverGroupBudget(task)) return [{ kind: 'loop.held', data: { reason: 'group-budget' } }]
  const root = loopDir(world.store.paths, state.id)
  const dir = runDir(step.run)
  const runs = dirname(join(root, dir))
  if (existsSync(runs) && !statSync(runs).isDirectory()) {
    return [stepFailed('prepare', { kind: 'runs-no-directory', path: runs })]
  }
  clearUnrecorded(join(root, dir))
  mkdirSync(join(root, dir), { recursive: true, mode: 0o700 })
  const path = join(dir, 'prompt')
  const bytes = writeDurably(join(root, path), buildPrompt(state, step.iteration, excerpts(state, root)))
  const prompt = { path, bytes, tail: '' }
  const isSandboxed = state.spec.sandbox?.level === 'files'
  mkdirSync(agentsPlace(join(root, dir), isSandboxed), { recursive: true, mode: 0o700 })
  const wanted = wantedAnswer(state.spec)
  if (wanted) writeDurably(join(root, dir, answerSchemaFile), answerSchemaText(wanted))
  const { run, iteration } = step
  const injected = state.human.injected.length
  const { agent } = state.work
  const session = sessionToContinue(state, iteration)
  const data = { run, iteration, dir, boot: world.here.boot, prompt, injected, agent }
  return [{ kind: 'run.started', data: { ...data, ...(session !== null && { session }) } }]
}

/**
 * A host that died here recorded nothing, so nothing was launched from these files. Where something was, the events of
 * that are lost, and its output may be all that is left.
 */
export function clearUnrecorded(dir: string): void {
  if (isClaimed(dir)) keepAside(dir)
  else rmSync(dir, { recursive: true, force: true })
}

/** Only a session that a run of this loop has named is continued; "the last session" could be a person's. */
function sessionToContinue({ spec, cost, work }: State, iteration: number): string | null {
  // A question is asked the second time in the same session, the third time in a fresh one.
  if (wantedAnswer(spec)) return iteration === 2 ? (cost.sessions[work.agent]?.id ?? null) : null
  return spec.contextMode === 'continue' ? (cost.sessions[work.agent]?.id ?? null) : null
}

/** Launches the run if nobody has and records its identity; afterwards waits for its end. */
export async function attachRun(task: Task): Promise<Event[]> {
  const run = openRun(task.state)
  if (!run.identity) return beginRun(task, run)
  const handle = handleOf(task, run)
  const doorbell = watchRun(handle.dir)
  const heard = hear(task, handle.dir)
  const tooMuch = outputWatch(handle.dir, task.state.spec)
  try {
    while (!task.signal.aborted) {
      const event = await endOfRun(task, handle, { heard, tooMuch })
      if (event) return [event]
      const usualMs = task.world.pollMs?.() ?? pollMs
      const { maxOutputBytes } = task.state.spec
      await doorbell.ring(nextLookMs(printedBytes(handle.dir), maxOutputBytes, usualMs), task.signal)
    }
    return []
  } finally {
    heard.listener?.close()
    doorbell.close()
  }
}

async function beginRun(task: Task, run: Run): Promise<Event[]> {
  const { world } = task
  const handle = handleOf(task, run)
  const next = recover(run, lookAtRun(handle), world.here.boot)
  let identity = identify(handle.dir)
  if (next === 'launch') {
    world.fault('spawn:before')
    const prepared = launchOf(task, run)
    const launched = prepared.ok ? await launch(prepared.value, world.here) : prepared
    world.fault('spawn')
    if (!launched.ok) return [stepFailed('start of the agent', launched.failure.facts)]
    identity = launched.value.identity
  } else if (identity) identity = await recognize(handle, 0)
  if (!identity) return [await lost(task, run, { how: 'spoilt' })]
  const event: Event = { kind: 'run.launched', data: { run: run.run, identity } }
  // A quick agent has already ended: one write to the journal is enough for both events.
  return readExit(handle.dir) ? [event, await ended(task, run, {})] : [event]
}

type Watching = { heard: Heard; tooMuch: ReturnType<typeof outputWatch> }

/** The event of the run's end; null while it runs. */
async function endOfRun(task: Task, handle: Handle, { heard, tooMuch }: Watching): Promise<Event | null> {
  const { world, state } = task
  const run = openRun(state)
  const next = recover(run, lookAtRun(handle), world.here.boot)
  if (next === 'ended') return ended(task, run, { heard })
  if (typeof next === 'object') return lost(task, run, { how: next.lost, heard })
  for (const item of heard.listener?.next().items ?? []) addItem(heard.report, item)
  const { end, limit, auth } = heard.report
  const how = tooMuch(end !== null || limit !== null || auth !== null)
  if (!how) return null
  // A short grace: a flood that continues would fill the disk.
  await stopRunning(handle, how === 'flooded' ? floodGraceMs : state.spec.graceMs)
  if (how === 'flooded') await clear(handle)
  return ended(task, run, { heard, how })
}

/** The time that an agent gets to exit after its final message; some never do. */
const lastWordMs = 10_000

/**
 * The shim enforces the wall-clock timeout; a run that exceeds it by this much has tampered with the shim's timer. Not
 * less: on a busy machine an honest shim is late by seconds, and would lose how its command ended.
 */
const overdueMs = 5_000

const floodGraceMs = 100

type Stopped = 'flooded' | 'idle' | 'lingered' | 'timeout'

/**
 * Called repeatedly: tells whether the run printed too much, was silent too long, did not exit after its final
 * message, or exceeded its time.
 */
function outputWatch(dir: string, spec: Spec): (isDone: boolean) => Stopped | null {
  let known = 0
  let since = performance.now()
  const latest = since + spec.timeoutMs + spec.graceMs + overdueMs
  return isDone => {
    if (performance.now() > latest) return 'timeout'
    const bytes = printedBytes(dir)
    if (bytes > spec.maxOutputBytes) return 'flooded'
    if (bytes !== known) since = performance.now()
    known = bytes
    const silentMs = performance.now() - since
    if (isDone && silentMs > lastWordMs) return 'lingered'
    return spec.idleTimeoutMs && silentMs > spec.idleTimeoutMs ? 'idle' : null
  }
}

export async function stopRun(task: Task): Promise<Event[]> {
  const { world, state } = task
  const run = openRun(state)
  const handle = handleOf(task, run)
  const identity = run.identity ?? identify(handle.dir)
  if (identity && isElsewhere(identity, world.here) && lookAtRun(handle).alive && !readExit(handle.dir)) {
    return [stepFailed('stop of the agent', { kind: 'agent-elsewhere' })]
  }
  await stopRunning(handle, state.spec.graceMs)
  return [await ended(task, run, { how: 'stopped' })]
}

export async function clearRun(task: Task): Promise<Event[]> {
  const run = openRun(task.state)
  const { alive, killed, suspects } = await clear(handleOf(task, run))
  if (alive.length > 0) return [{ kind: 'run.survived', data: { run: run.run, alive } }]
  const redacted = await redactRun(task, run)
  if (task.signal.aborted) return []
  return [
    { kind: 'run.cleared', data: { run: run.run, killed, suspects, ...(redacted > 0 && { redacted }) } },
  ]
}

/** No process writes to its files any more, so secrets are removed. Returns how many were in its output. */
async function redactRun(task: Task, run: Run): Promise<number> {
  const dir = join(loopDir(task.world.store.paths, task.state.id), run.dir)
  const secrets = secretBytes(task.world.env)
  const redact = (name: string) => redactFile(join(dir, name), secrets, task.signal)
  for (const name of ['prompt', 'usage', answerFile]) await redact(name)
  return (await redact('out')) + (await redact('err'))
}

function handleOf({ world, state }: Task, run: Run): Handle {
  return {
    dir: join(loopDir(world.store.paths, state.id), run.dir),
    marker: marker(state, run.run),
    tree: state.spec.cwd,
    here: world.here,
    identity: run.identity,
  }
}

function launchOf(task: Task, run: Run): Result<Launch> {
  const { world, state } = task
  const { spec } = state
  const dir = join(loopDir(world.store.paths, state.id), run.dir)
  // An agent that gets its directory as an argument gets the path that is valid inside the run.
  const given = { ...specOf(state), cwd: runsIn(spec) }
  const wanted = wantedAnswer(spec)
  const schema = wanted && { ...wanted, file: join(dir, answerSchemaFile) }
  const call = world.agents[state.work.agent].call(given, run.session ?? null, schema)
  // Old runs, and those without a sandbox, have no directory of their own for what the agent writes.
  const place = dirname(leftByAgent(dir, 'usage'))
  const env = {
    ...agentEnv(agentRunEnv(world, spec, state.work.agent), call),
    LOOP_ID: state.id,
    LOOP_ITERATION: String(run.iteration),
    LOOP_PROMPT_FILE: join(dir, 'prompt'),
    LOOP_USAGE_FILE: join(place, 'usage'),
    ...(wanted && { LOOP_ANSWER_FILE: join(place, answerFile) }),
  }
  const own = ownFilesOf({ spec: given, env }, world.agents)
  const provider = providerOf({ spec: given, env }, world.agents)
  const files = [
    { at: join(dir, 'prompt'), as: 'read-only' as const },
    ...(schema ? [{ at: schema.file, as: 'read-only' as const }] : []),
    { at: place, as: 'writable' as const },
  ]
  const cwd = runsIn(spec)
  const mounts = spec.copy?.mounts
  const sandbox = sandboxOf({ spec, cwd, mounts, env, own, provider, files }, world)
  if (!sandbox.ok) return sandbox
  return ok({
    dir,
    cwd,
    argv: call.argv,
    mounts,
    sandbox: sandbox.value,
    env,
    timeoutMs: spec.timeoutMs,
    graceMs: spec.graceMs,
    stopSignal: world.agents[state.work.agent].stopSignal,
    marker: marker(state, run.run),
  })
}

function openRun(state: State): Run {
  if (!state.work.run) throw new Error('Internal error: a step of a run without a run')
  return state.work.run
}

function marker(state: State, run: number): string {
  return `${state.id}/${runDir(run)}`
}

function excerpts(state: State, root: string): Record<string, Excerpt> {
  return Object.fromEntries(
    state.judged.results.map(({ name, fails, output }) => [
      name,
      excerpt(join(root, output.path), excerptBytes[fails ? 'named' : 'unnamed']),
    ]),
  )
}

/**
 * The budget of a group, checked by a member before each run: the known cost of all members together, whoever hosts
 * them; only running runs can add to it.
 */
export function isOverGroupBudget({ world: { store }, state }: Task): boolean {
  const { group } = state.spec
  const head = group === undefined ? null : store.heads.get(group)
  if (group === undefined || !head?.ok || head.value.budgetUsd === null) return false
  // A person who resumes a member of an ended group can give it a budget of its own.
  if (head.value.endedAt !== null && state.spec.budgetUsd !== null) return false
  const costs = store.journals.inGroup(group).map(id => {
    const member = store.heads.get(id)
    return member.ok ? (member.value.costUsd ?? 0) : 0
  })
  return costs.reduce((sum, cost) => sum + cost, 0) >= head.value.budgetUsd
}

/** The output of an agent read so far. */
type Heard = { listener: Listener | null; report: Report }

function hear({ world, state }: Task, dir: string): Heard {
  const { read } = world.agents[state.work.agent]
  return { listener: read && listenTo(dir, read(world.now)), report: noReport() }
}

type Ended = { how?: EventOf<'run.ended'>['data']['how']; heard?: Heard }

async function ended(task: Task, run: Run, { how, heard }: Ended): Promise<Event> {
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

async function lost(
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
function specOf({ spec, work: { agent } }: State): Spec {
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
