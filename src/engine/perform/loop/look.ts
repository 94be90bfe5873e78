/**
 * A second look: the promise runs in a clean copy of the tree that is put together for one question
 * (core/loop/assess/second-look). The copy is made from checkpoints, so the work tree is not touched; the copy is
 * removed when the answer is known. A look that fails is an ERROR, which never makes a result suspect.
 */
import { copyFileSync, existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { endLeftover } from '../../../adapters/verify.ts'
import type { MakeRequest, WorkCopy } from '../../../adapters/workcopies/contract.ts'
import {
  hasLostTests,
  isLikeBaseline,
  isSameFailure,
  isShort,
} from '../../../core/loop/assess/second-look.ts'
import type { Step } from '../../../core/loop/decide.ts'
import { treeOf } from '../../../core/loop/parts/tree.ts'
import { type JudgedOnce, judgedOnce, together } from '../../../core/loop/parts/trust.ts'
import { dividedBy } from '../../../core/trust/chain.ts'
import { isKnownJudge, type SideRules } from '../../../core/trust/side.ts'
import { failureWords } from '../../../failures/words.ts'
import { fail, ok, type Result } from '../../../model/failure.ts'
import type { Event } from '../../../model/loop/event.ts'
import type { SteeringChange } from '../../../model/loop/trust.ts'
import { runsIn } from '../../../model/run.ts'
import { verifiedName } from '../../../model/units.ts'
import { loopDir } from '../../../store/files/paths.ts'
import { judgeCriterion } from '../criterion.ts'
import { readingOf } from './promise-text.ts'
import { partsFor } from './sides.ts'
import { begunAt, frozenPath, rulesAtBegin } from './steering.ts'
import type { Task } from './steps.ts'

type LookStep = Extract<Step, { kind: 'look' }>
/** `touched`: files that judge, and that the run itself has written. */
type Looked = { results: JudgedOnce[]; why: string; touched: string[] }

export async function takeLook(step: LookStep, task: Task): Promise<Event[]> {
  const { state, signal } = task
  const began = performance.now()
  const looked = await withoutUsual(await lookAt(step, task), step, task)
  if (signal.aborted) return []
  const { which, home, iteration } = step
  const results = looked.ok ? looked.value.results : []
  // Work that hangs in a clean copy does not pass there; whether the copy is to blame, calibration tells.
  const judged = looked.ok ? together(results) : 'ERROR'
  const found = judged === 'ERROR' && which === 'green' && results.length > 0 ? 'FAIL' : judged
  const isFewer = (result: JudgedOnce) =>
    which === 'green' && (isShort(state, result) || hasLostTests(state, result))
  const met = results.filter(result => result.verdict === 'PASS' && !isFewer(result))
  const fewer = found === 'PASS' && met.length < results.length
  const touched = looked.ok && which === 'green' ? looked.value.touched : []
  const verdict = found === 'PASS' && (fewer || touched.length > 0) ? 'FAIL' : found
  const said = looked.ok ? looked.value.why : failureWords(looked.failure)
  const why = touched.length > 0 ? `${said}; it has written ${touched.slice(0, 5).join(', ')}` : said
  const isLike = looked.ok && isLikeBaseline(state, results)
  const isSame = looked.ok && which === 'green' && found === 'FAIL' && isSameFailure(state, results)
  const durationMs = Math.round(performance.now() - began)
  const data = {
    iteration,
    which,
    home,
    verdict,
    why,
    durationMs,
    ...(results.length > 1 && { met: met.map(({ name }) => name) }),
    ...(isLike && { likeBaseline: true as const }),
    ...(isSame && { sameFailure: true as const }),
    ...(fewer && { fewer: true as const }),
  }
  return [{ kind: 'look.taken', data }]
}

/**
 * A run with the work that writes what judges it has not passed, even if it puts that back. Files that the promise
 * writes without the work too are its own affair.
 */
async function withoutUsual(looked: Result<Looked>, step: LookStep, task: Task): Promise<Result<Looked>> {
  if (step.which !== 'green' || !looked.ok || looked.value.touched.length === 0) return looked
  const usual = await lookAt({ ...step, which: 'calibrate' }, task)
  const known = usual.ok ? usual.value.touched : []
  return ok({ ...looked.value, touched: looked.value.touched.filter(path => !known.includes(path)) })
}

/** The tests, scripts and compared files of the tree that the loop found. */
async function judgingPaths({ world, state }: Task, rules: SideRules | null): Promise<string[]> {
  const { cwd, copy } = state.spec
  const { reference } = state.tree
  if (reference === null || rules === null) return []
  const saved = await world.copies(copy?.tree ?? cwd).tree.files(reference)
  if (!saved.ok) return []
  await saved.value.close()
  return saved.value.paths.filter(path => isKnownJudge(path, rules)).slice(0, mostJudging)
}

const mostJudging = 5_000

/** By the ctime, which no program can put back. */
function writtenSince(directory: string, paths: readonly string[], sinceMs: number): string[] {
  return paths.filter(path => {
    const stat = lstatSync(join(directory, path), { throwIfNoEntry: false })
    return stat === undefined || stat.ctimeMs > sinceMs
  })
}

/**
 * Dependency directories are borrowed from the tree, since copying them can take longer than the promise. A mounted
 * directory cannot be removed (`npm ci`), so that a failure there counts only if it is that of the baseline; any other
 * is tried again in a copy of its own.
 */
async function lookAt(step: LookStep, task: Task): Promise<Result<Looked>> {
  const base = await composed(step, task)
  if (!base.ok) return base
  const first = await lookIn('borrow', { step, task, base: base.value })
  if (!first.ok || !first.value.isBorrowed || task.signal.aborted) return first
  const { results } = first.value
  const isSure = together(results) === 'PASS' || isSameFailure(task.state, results)
  return isSure ? first : lookIn('share', { step, task, base: base.value })
}

type LookPlace = { step: LookStep; task: Task; base: string }

async function lookIn(
  dependencies: 'borrow' | 'share',
  { step, task, base }: LookPlace,
): Promise<Result<Looked & { isBorrowed: boolean }>> {
  const { world, state } = task
  const { cwd, copy: own } = state.spec
  const copies = world.copies(own?.tree ?? cwd)
  const name = lookName(step)
  const place = { loop: state.id, name }
  const home = join(loopDir(world.store.paths, state.id), 'looks', name)
  try {
    await endLook(name, task)
    const copy = await copies.make({ ...place, ...requestFor(step, task), base, dependencies })
    if (!copy.ok) return copy
    const { which } = step
    const rules = rulesAtBegin(task)
    const parts = which === 'calibrate' ? [] : await partsFor(which, task, rules)
    for (const [path, text] of parts) writeFileSync(join(copy.value.path, path), text)
    rmSync(home, { recursive: true, force: true })
    mkdirSync(join(home, 'home'), { recursive: true, mode: 0o700 })
    mkdirSync(join(home, 'tmp'), { mode: 0o700 })
    const judging = which === 'red' ? [] : await judgingPaths(task, rules)
    const there = judging.filter(path => existsSync(join(copy.value.path, path)))
    const sinceMs = world.now()
    const written = () => writtenSince(copy.value.path, there, sinceMs)
    let touched: string[] | null = null
    // What is brought then is written by nobody but us.
    const beforeLooking = () => {
      touched ??= written()
    }
    const judged = await judgeIn(copy.value, { step, home, task, beforeLooking })
    if (!judged.ok) return judged
    const changed = await copies.changed(copy.value, task.signal)
    if (changed !== null) return fail('step-failed', { kind: 'changed-during-look', path: changed })
    return ok({ ...judged.value, touched: touched ?? written(), isBorrowed: copy.value.borrowed.length > 0 })
  } finally {
    await copies.remove({ path: copies.pathOf(place) })
    rmSync(join(home, 'home'), { recursive: true, force: true })
    rmSync(join(home, 'tmp'), { recursive: true, force: true })
  }
}

/**
 * Only red has the ignored files that were written since the loop began. Where nothing but the work has changed, a copy
 * that takes longer than the promise is not worth it.
 */
function requestFor({ which }: LookStep, task: Task): Pick<MakeRequest, 'signal' | 'ignoredUntilMs'> {
  const { state, signal } = task
  const { changed, tookMs } = state.trust
  const untilMs = which === 'red' ? null : begunAt(task)
  const isOptional = which === 'green' && changed.length === 0
  return {
    signal: isOptional ? AbortSignal.any([signal, AbortSignal.timeout(tookMs + 1_000)]) : signal,
    ...(untilMs !== null && { ignoredUntilMs: untilMs }),
  }
}

/** The saved tree for this look. Paths outside of the tree are the same in every copy. */
async function composed({ which, iteration }: LookStep, { world, state }: Task): Promise<Result<string>> {
  const { cwd, copy } = state.spec
  const { reference, checkpoints } = state.tree
  const now = treeOf(checkpoints, verifiedName(iteration))
  if (reference === null || !now)
    throw new Error('Internal error: a second look without the trees to look at')
  if (which === 'calibrate') return ok(reference)
  const isInTree = ({ path, kind }: SteeringChange) => !path.startsWith('/') && kind !== 'ignored'
  const files = state.trust.changed.filter(isInTree).map(({ path }) => path)
  const git = world.copies(copy?.tree ?? cwd).tree
  if (files.length === 0) return ok(which === 'green' ? now : reference)
  return which === 'green'
    ? git.withFiles({ into: now, from: reference, files })
    : git.withFiles({ into: reference, from: now, files })
}

type Judging = { step: LookStep; home: string; task: Task; beforeLooking(): void }

async function judgeIn(
  copy: WorkCopy,
  { step, home, task, beforeLooking }: Judging,
): Promise<Result<Omit<Looked, 'touched'>>> {
  const { world, state, signal } = task
  const { spec } = state
  const place = {
    cwd: copy.path,
    copy: { tree: spec.copy?.tree ?? spec.cwd, base: copy.base, ...(copy.mounts && { mounts: copy.mounts }) },
  }
  const own = step.home === 'fresh' ? { HOME: join(home, 'home'), TMPDIR: join(home, 'tmp') } : {}
  const judged = { ...spec, env: { ...frozenPath(task), ...spec.env, ...own } }
  const results: JudgedOnce[] = []
  const said: string[] = []
  for (const { name, command, dir, isLooking } of commandsOf(step, task, copy)) {
    if (isLooking) {
      beforeLooking()
      bringLooked(task, copy)
    }
    const at = join('looks', lookName(step), dir)
    const run = { id: state.id, dir: at, name, command, spec: judged, cwd: runsIn(place), mayDoubt: false }
    const done = await judgeCriterion(copy.mounts ? { ...run, mounts: copy.mounts } : run, world, signal)
    if (done === null) return ok({ results: [], why: '' })
    if (!done.ok) return done
    results.push(judgedOnce(done.value))
    said.push(`${name}: ${done.value.verdict} (${done.value.why})`)
  }
  return ok({ results: byName(results), why: said.join('; ') })
}

type LookCommand = { name: string; command: string; dir: string; isLooking: boolean }

/**
 * The commands of the criteria. Those that only look come last in a green look if a file judges the others and is the
 * work to them: then it is there as it is now.
 */
function commandsOf({ which }: LookStep, { state, world }: Task, copy: WorkCopy): LookCommand[] {
  const { criteria } = state.spec
  const all = criteria.flatMap(({ name, command }, index) =>
    command === null ? [] : [{ name, command, dir: String(index), isLooking: false }],
  )
  if (which !== 'green' || !state.trust.changed.some(({ looked }) => looked)) return all
  const reading = readingOf(copy.path, world.env)
  const divided = all.map(one => ({ one, ...dividedBy(one.command, reading) }))
  return [
    ...divided.flatMap(({ one, running }) => (running === null ? [] : { ...one, command: running })),
    ...divided.flatMap(({ one, looking }, at) =>
      looking === null
        ? []
        : { ...one, command: looking, dir: String(criteria.length + at), isLooking: true },
    ),
  ]
}

function bringLooked({ state }: Task, copy: WorkCopy): void {
  for (const { path, looked } of state.trust.changed) {
    const file = join(state.spec.cwd, path)
    if (!looked || !lstatSync(file, { throwIfNoEntry: false })?.isFile()) continue
    mkdirSync(dirname(join(copy.path, path)), { recursive: true })
    copyFileSync(file, join(copy.path, path))
  }
}

/** One result for each criterion: the first that did not pass, else the one with the counts. */
function byName(results: readonly JudgedOnce[]): JudgedOnce[] {
  return [...Map.groupBy(results, ({ name }) => name).values()].flatMap(
    list =>
      list.find(({ verdict }) => verdict !== 'PASS') ??
      list.find(({ total }) => total !== null) ??
      list[0] ??
      [],
  )
}

/** Ends and removes what a killed host has left of looks at the newest verdict. */
export async function endLooks(task: Task): Promise<void> {
  const { iteration } = task.state.work
  for (const which of ['calibrate', 'green', 'red'] as const)
    await endLook(lookName({ iteration, which }), task)
}

/** A used copy is never trusted. Its promise may still run, and would write into the next one. */
async function endLook(name: string, { world, state }: Pick<Task, 'world' | 'state'>): Promise<void> {
  const { cwd, copy, criteria } = state.spec
  const copies = world.copies(copy?.tree ?? cwd)
  // Each can be divided into two.
  for (const index of [...criteria, ...criteria].keys()) {
    const path = join('looks', name, String(index))
    const dir = join(loopDir(world.store.paths, state.id), path)
    await endLeftover({ dir, marker: `${state.id}/${path}`, cwd }, world.here)
  }
  await copies.remove({ path: copies.pathOf({ loop: state.id, name }) })
}

function lookName({ iteration, which }: Pick<LookStep, 'iteration' | 'which'>): string {
  return `look-${iteration}-${which}`
}
