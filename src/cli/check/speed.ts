/**
 * The checks about speed, all measured at the time of the check: claims of an agent do not count. `bench`: the
 * benchmark runs and uses the target. `faster`: the old and the new tree in alternating rounds on the same machine;
 * a report must not claim more than was measured.
 */
import { sectionNamed } from '../../core/check.ts'
import { matchesGlob } from '../../model/glob.ts'
import { someOf } from '../../model/units.ts'
import { write } from '../terminal.ts'
import {
  type CheckRequest,
  type CheckWork,
  cannot,
  fails,
  holds,
  type Judged,
  put,
  type StepCheck,
  targetFiles,
} from './work.ts'

const rounds = 7

export const bench: StepCheck = async ({ work, value, values }) => {
  const command = value('bench') ?? ''
  const target = value('target') ?? '.'
  if (work.before === null && targetFiles(work, target).length === 0)
    return cannot(`There is no source at ${target}. Name a file or a directory: --set target=…`)
  const first = await work.run(command, work.tree)
  if (first.code !== 0) {
    write(1, first.output.slice(-10_000))
    return fails(`The benchmark "${command}" does not run: exit ${first.code}.`)
  }
  if (work.before === null) return fails('The benchmark runs.', 'Its workload is not described yet.')
  const place = await work.copy(work.now ?? '', true)
  if (!place.ok) return place
  const whole = await work.run(command, place.value)
  if (whole.code !== 0)
    return fails(
      `The benchmark does not run in a copy of the project: exit ${whole.code}. Use no absolute paths.`,
    )
  put(
    place.value,
    targetFiles(work, target)
      .filter(({ path }) => !values('bench-files').some(glob => matchesGlob(path, glob)))
      .map(({ path }) => ({ path, text: '' })),
  )
  const broken = await work.run(command, place.value)
  if (broken.code === 0) return fails(`The benchmark runs without ${target}, too: it does not measure it.`)
  return holds(`The benchmark runs (${ms(first.ms)}), and needs ${target}.`)
}

export const faster: StepCheck = async asked => {
  const { work, value } = asked
  const measured = await measure(asked)
  if (!('old' in measured)) return measured
  const { old, now } = measured
  // Noise only makes a run slower: comparing the best old run with the median new run is the strict choice.
  const gain = 100 * (1 - middle(now) / Math.min(...old))
  const wanted = Number(value('gain') ?? '10')
  const words = `Measured by loop in ${rounds} rounds, in turns: before ${ms(Math.min(...old))} at best, now ${ms(middle(now))} in the middle: ${gain.toFixed(1)} % less.`
  if (!(gain >= wanted)) return fails(words, `At least ${wanted} % less is asked for.`)
  const claim = claimProblem(work, value('file'), middle(old) / middle(now))
  return claim === null ? holds(words) : fails(words, claim)
}

/** The times of all rounds, in milliseconds. */
type Measured = { old: number[]; now: number[] }

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
}

async function measure({ work, value, values }: CheckRequest): Promise<Measured | Judged> {
  const command = value('bench') ?? ''
  if (work.before === null) return fails('Nothing was changed yet.')
  const since = work.since(value('since'))
  if (!since.ok) return since
  const changed = await work.changes(since.value)
  if (!changed.ok) return changed
  const bent = changed.value
    .map(({ path }) => path)
    .filter(path => values('bench-files').some(glob => matchesGlob(path, glob)))
  if (bent.length > 0)
    return fails(`The benchmark must stay as it is; changed: ${someOf(bent)}. Put it back.`)
  const [before, after] = [await work.copy(since.value, true), await work.copy(work.now ?? '', true)]
  if (!before.ok) return before
  if (!after.ok) return after
  const times: Measured = { old: [], now: [] }
  for (let round = 0; round < rounds; round += 1) {
    times.old.push((await work.run(command, before.value)).ms)
    const now = await work.run(command, after.value)
    if (now.code !== 0) return fails(`The benchmark ends with exit ${now.code}: ${now.output.slice(-2_000)}`)
    times.now.push(now.ms)
  }
  return times
}

const tolerance = 1.25

/** `before: 120 ms` and `after: 80 ms` in the section Result: the claim must not exceed the measurement. */
function claimProblem(work: CheckWork, file: string | null, measured: number): string | null {
  if (file === null) return null
  const body = sectionNamed(work.textOf(file) ?? '', 'Result') ?? ''
  const figure = (word: string) =>
    Number(new RegExp(`\\b${word}\\b[^\\d\\n]{0,20}([\\d.]+) *ms\\b`, 'i').exec(body)?.[1] ?? Number.NaN)
  const claimed = figure('before') / figure('after')
  if (!(claimed > 0)) return `${file}: the section Result has to say "before: … ms" and "after: … ms".`
  return claimed > measured * tolerance
    ? `${file} claims ${claimed.toFixed(2)} times as fast; measured were ${measured.toFixed(2)} times. Write what was measured.`
    : null
}

function ms(time: number): string {
  return `${time.toFixed(0)} ms`
}
