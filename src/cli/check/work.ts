/**
 * The material of the checks. The context: the loop whose promise runs the check, the iteration, and the saved trees to
 * compare; all of it comes from the journal, which no agent writes, and the run's mark identifies the promise. The files
 * that a step changed, with their text before and now. Runs of the project's commands in the tree or in a trial copy;
 * everything that a check creates is removed at its end. Its result: whether it holds, and why, in sentences that an
 * agent can act on.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, normalize } from 'node:path'
import { makeTrial, type Trial } from '../../adapters/workcopies/trial.ts'
import type { Checkpoints } from '../../checkpoints/contract.ts'
import { generatedWhy, isTestFile } from '../../core/change.ts'
import { type ChangedText, isSource } from '../../core/check.ts'
import { appliedNode, find, isKind } from '../../core/group/state.ts'
import { fold } from '../../core/loop/evolve.ts'
import { treeOf } from '../../core/loop/parts/tree.ts'
import type { State } from '../../core/loop/state.ts'
import { readState } from '../../engine/machine.ts'
import { type Failure, invalid, ok, type Result } from '../../model/failure.ts'
import type { CriterionResult, Recorded } from '../../model/loop/event.ts'
import { checkpointName } from '../../model/units.ts'
import { exec } from '../../platform/exec.ts'
import type { Store } from '../../store/contract.ts'
import { checkpointStore, pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { checkpointsOf } from '../../wiring/world.ts'

export type Judgement = { holds: boolean; unrunnable?: true; lines: string[] }

export type CheckRequest = {
  work: CheckWork
  /** The value of a flag of the check; null if it was not given. */
  value(name: string): string | null
  values(name: string): readonly string[]
}

/** A failure: it cannot be judged. */
export type Judged = Judgement | { ok: false; failure: Failure }

export type StepCheck = (asked: CheckRequest) => Promise<Judged>

export function holds(...lines: string[]): Judgement {
  return { holds: true, lines }
}

export function fails(...lines: string[]): Judgement {
  return { holds: false, lines }
}

export function cannot(...lines: string[]): Judgement {
  return { holds: false, unrunnable: true, lines }
}

export type Ran = { code: number | null; output: string; ms: number }

export type CheckWork = JudgedStep & {
  /** The files that differ from that saved tree. */
  changes(since: string): Promise<Result<ChangedText[]>>
  /** A copy of a saved tree, made once; a `fresh` one is made each time. */
  copy(saved: string, fresh?: boolean): Promise<Result<string>>
  /** The saved tree since which a step is judged: at the begin of the named one, otherwise of this one. */
  since(step: string | null): Result<string>
  run(command: string, place: string): Promise<Ran>
  textOf(path: string): string | null
  end(): Promise<void>
}

const mostBytes = 2_000_000
const mostOutput = 32 * 1024 * 1024

export function workIn(situation: JudgedStep): CheckWork {
  const { tree, store, trials, checkpoints, env } = situation
  const made: Trial[] = []
  const known = new Map<string, string>()

  async function copy(saved: string, fresh = false): Promise<Result<string>> {
    const there = fresh ? undefined : known.get(saved)
    if (there !== undefined) return ok(there)
    const trial = await makeTrial(saved, { tree, store, place: trials })
    if (!trial.ok) return trial
    made.push(trial.value)
    if (!fresh) known.set(saved, trial.value.path)
    return ok(trial.value.path)
  }

  async function changes(since: string): Promise<Result<ChangedText[]>> {
    const { now } = situation
    if (now === null) return ok([])
    const names = await checkpoints.changed({ from: since, to: now })
    if (!names.ok) return names
    const old = await copy(since)
    if (!old.ok) return old
    const both = names.value.map(path => ({
      path,
      before: textAt(join(old.value, path)),
      after: textAt(join(tree, path)),
    }))
    return ok(both.filter(({ before, after }) => before !== after))
  }

  return {
    ...situation,
    changes,
    copy,
    since: step => (step === null ? ok(situation.before ?? '') : situation.beginOf(step)),
    run: (command, place) => run(command, { place, tree, env }),
    textOf: path => textAt(join(tree, path)),
    async end() {
      for (const { remove } of made.splice(0)) await remove()
    },
  }
}

/** Null if the file is missing or is not hand-written. */
function textAt(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() && stat.size <= mostBytes ? readFileSync(path, 'utf8') : null
}

async function run(
  command: string,
  { place, tree, env }: { place: string; tree: string; env: NodeJS.ProcessEnv },
): Promise<Ran> {
  const began = performance.now()
  const own = { ...env }
  // A project installed in its virtual environment would be imported from there instead of the copy.
  const modules = [join(place, 'src'), place].filter(path => existsSync(path))
  if (place !== tree) own['PYTHONPATH'] = [...modules, own['PYTHONPATH']].filter(Boolean).join(delimiter)
  const argv = ['/bin/sh', '-c', 'exec 2>&1; /bin/sh -c "$1"', 'sh', command] as const
  const done = await exec({ argv, cwd: place, env: own, maxBytes: mostOutput })
  return { code: done.code, output: done.stdout.toString(), ms: performance.now() - began }
}

/** Writes these files into a copy; null removes one. */
export function put(place: string, files: readonly { path: string; text: string | null }[]): void {
  for (const { path, text } of files) {
    const at = join(place, path)
    rmSync(at, { force: true })
    if (text === null) continue
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, text)
  }
}

const mostFiles = 2_000

/** A path that leads out of the tree matches nothing. */
export function targetFiles(
  work: Pick<CheckWork, 'tree' | 'textOf'>,
  target: string,
): { path: string; text: string }[] {
  const from = normalize(target).replace(/\/+$/, '')
  if (from.startsWith('..') || from.startsWith('/')) return []
  return pathsBelow(work.tree, from === '.' ? '' : from)
    .filter(path => isSource(path) && !isTestFile(path) && generatedWhy({ path }) === null)
    .flatMap(path => {
      const text = work.textOf(path)
      return text === null ? [] : [{ path, text }]
    })
}

function pathsBelow(tree: string, from: string): string[] {
  const stat = statSync(join(tree, from), { throwIfNoEntry: false })
  if (stat?.isFile()) return [from]
  if (!stat?.isDirectory()) return []
  const found: string[] = []
  const open = [from]
  for (let at = open.pop(); at !== undefined && found.length < mostFiles; at = open.pop()) {
    for (const entry of readdirSync(join(tree, at), { withFileTypes: true }).toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory() && !/^(?:\.|node_modules$|vendor$|venv$|target$)/.test(entry.name))
        open.push(path)
      else if (entry.isFile()) found.push(path)
    }
  }
  return found
}

export function isWithin(path: string, target: string): boolean {
  const from = normalize(target).replace(/\/+$/, '')
  return from === '.' || path === from || path.startsWith(`${from}/`)
}

type JudgedStep = {
  /** The directory that is judged. */
  tree: string
  env: NodeJS.ProcessEnv
  /** The saved tree at the start of the step; null at the baseline, before any work. */
  before: string | null
  /** The saved tree that is judged. */
  now: string | null
  /** The result of this check before the step; null if there is none. */
  baseline: Pick<CriterionResult, 'verdict' | 'failing' | 'total'> | null
  checkpoints: Checkpoints
  /** The git store of the checkpoints, and the directory for trial copies. */
  store: string
  trials: string
  /** The tree with which another step of the same workflow began. */
  beginOf(step: string): Result<string>
}

export function situationOf(env: NodeJS.ProcessEnv, tree: string): Result<JudgedStep> {
  const paths = pathsFrom(env)
  const store = openStoreToRead(paths)
  if (!store.ok) return store
  const [mark = ''] = (env['LOOP_RUN'] ?? '').split(' ')
  const judged = store.value && judgedBy(store.value, mark)
  if (!store.value || !judged) return invalid({ kind: 'check-outside-promise' })
  const opened = store.value
  const { state, before, now, baseline } = judged
  const { spec } = state
  return ok({
    tree,
    env,
    before,
    now,
    baseline,
    checkpoints: checkpointsOf(paths, spec),
    store: checkpointStore(paths, spec),
    trials: join(paths.cache, 'trials'),
    beginOf: step => beginOf(opened, spec.group ?? '', step),
  })
}

type JudgedLoop = Pick<JudgedStep, 'before' | 'now' | 'baseline'> & { state: State }

/** `a1b2c3/verify/2-0` for a loop; for a group, the promise of the result that is being applied to its tree. */
function judgedBy(store: Store, mark: string): JudgedLoop | null {
  const [, id = '', iteration, index] = /^([a-z0-9]+)\/(?:verify\/(\d+)-(\d+))?/.exec(mark) ?? []
  if (iteration === undefined) return appliedIn(store, id)
  const events = eventsOf(store, id)
  if (!events) return null
  const state = fold(events)
  const { checkpoints } = state.tree
  const before = treeOf(checkpoints, 'initial') ?? null
  const now = treeOf(checkpoints, checkpointName(Number(iteration), true)) ?? before
  return { state, before, now, baseline: baselineOf(events, state.spec.criteria[Number(index)]?.name) }
}

function appliedIn(store: Store, id: string): JudgedLoop | null {
  const group = id === '' ? null : readState(store, id, 'group')
  if (!group?.ok) return null
  const apply = group.value.nodes.find(one => isKind(one, 'apply') && one.stage === 'started')
  const source = apply && isKind(apply, 'apply') ? appliedNode(group.value, apply.node) : undefined
  const state = source?.member ? loopState(store, source.member) : null
  if (!apply || !state) return null
  const { saved, merged } = apply.applying
  return { state, before: saved, now: merged?.tree ?? null, baseline: null }
}

function loopState(store: Store, id: string): State | null {
  const events = eventsOf(store, id)
  return events && fold(events)
}

function eventsOf(store: Store, id: string): Recorded[] | null {
  const events = store.journals.read(id)
  return events.ok && events.value[0]?.kind === 'loop.created' ? events.value : null
}

function baselineOf(events: readonly Recorded[], name: string | undefined): JudgedStep['baseline'] {
  for (const event of events) {
    if (event.kind === 'promise.verified' && event.data.iteration === 0)
      return event.data.results.find(result => result.name === name) ?? null
  }
  return null
}

function beginOf(store: Store, id: string, step: string): Result<string> {
  const group = id === '' ? null : readState(store, id, 'group')
  const member = group?.ok ? find(group.value, step)?.member : null
  const state = member ? loopState(store, member) : null
  const tree = state && treeOf(state.tree.checkpoints, 'initial')
  return tree ? ok(tree) : invalid({ kind: 'step-not-begun', step })
}
