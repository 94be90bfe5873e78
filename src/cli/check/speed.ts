/**
 * The checks about speed, all measured here and now: nothing that an agent claims counts. `bench`: the benchmark runs,
 * and it uses the target. `faster`: the tree as it was and as it is, in turns on the same machine, the best of several
 * rounds of each. `claims`: what the report says was gained is not more than that.
 */
import { sectionNamed } from '../../core/check/report.ts'
import type { Result } from '../../model/failure.ts'
import { matchesGlob } from '../../model/glob.ts'
import { write } from '../terminal.ts'
import {
  type CheckRequest,
  cannot,
  fails,
  holds,
  type Judgement,
  named,
  type StepCheck,
} from './judgement.ts'
import { targetFiles } from './target.ts'
import { type CheckWork, put } from './work.ts'

const rounds = 5

export const bench: StepCheck = async ({ work, value }) => {
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
  if (!place.ok) return cannot(place.failure.message)
  const whole = await work.run(command, place.value)
  if (whole.code !== 0)
    return fails(
      `The benchmark does not run in a copy of the project: exit ${whole.code}. Use no absolute paths.`,
    )
  put(
    place.value,
    targetFiles(work, target).map(({ path }) => ({ path, text: '' })),
  )
  const broken = await work.run(command, place.value)
  if (broken.code === 0) return fails(`The benchmark runs without ${target}, too: it does not measure it.`)
  return holds(`The benchmark runs (${ms(first.ms)}), and needs ${target}.`)
}

export const faster: StepCheck = async asked => {
  const { work, value } = asked
  const measured = await measure(asked)
  if (!measured.ok) return cannot(measured.failure.message)
  if ('holds' in measured.value) return measured.value
  const { old, now } = measured.value
  const gain = 100 * (1 - now / old)
  const wanted = Number(value('gain') ?? '10')
  const words = `Measured by loop, the best of ${rounds} rounds in turns: before ${ms(old)}, now ${ms(now)}, ${gain.toFixed(1)} % less.`
  if (gain < wanted) return fails(words, `At least ${wanted} % less is asked for.`)
  const claim = claimProblem(work, { file: value('file'), old, now })
  return claim === null ? holds(words) : fails(words, claim)
}

type Measured = { old: number; now: number }

async function measure({ work, value, values }: CheckRequest): Promise<Result<Measured | Judgement>> {
  const command = value('bench') ?? ''
  if (work.before === null) return { ok: true, value: fails('Nothing was changed yet.') }
  const step = value('since')
  const since = step === null ? { ok: true as const, value: work.before } : work.beginOf(step)
  if (!since.ok) return since
  const changed = await work.changes(since.value)
  if (!changed.ok) return changed
  const bent = changed.value
    .map(({ path }) => path)
    .filter(path => values('bench-files').some(glob => matchesGlob(path, glob)))
  if (bent.length > 0)
    return {
      ok: true,
      value: fails(`The benchmark must stay as it is; changed: ${named(bent)}. Put it back.`),
    }
  const [before, after] = [await work.copy(since.value, true), await work.copy(work.now ?? '', true)]
  if (!before.ok) return before
  if (!after.ok) return after
  const best = { old: Number.POSITIVE_INFINITY, now: Number.POSITIVE_INFINITY }
  for (let round = 0; round < rounds; round += 1) {
    const [old, now] = [await work.run(command, before.value), await work.run(command, after.value)]
    if (now.code !== 0)
      return {
        ok: true,
        value: fails(`The benchmark ends with exit ${now.code}: ${now.output.slice(-2_000)}`),
      }
    best.old = Math.min(best.old, old.ms)
    best.now = Math.min(best.now, now.ms)
  }
  return { ok: true, value: best }
}

const tolerance = 1.25

/** `before: 120 ms` and `after: 80 ms` of the section Result, as a ratio: no more is claimed than was measured. */
function claimProblem(
  work: CheckWork,
  { file, old, now }: Measured & { file: string | null },
): string | null {
  if (file === null) return null
  const body = sectionNamed(work.textOf(file) ?? '', 'Result')
  const figure = (word: string) =>
    Number(
      new RegExp(`\\b${word}\\b[^\\d\\n]{0,20}([\\d.]+) *ms\\b`, 'i').exec(body ?? '')?.[1] ?? Number.NaN,
    )
  const [before, after] = [figure('before'), figure('after')]
  if (!(before > 0 && after > 0))
    return `${file}: the section Result has to say "before: … ms" and "after: … ms".`
  return before / after > (old / now) * tolerance
    ? `${file} claims ${(before / after).toFixed(2)} times as fast; measured were ${(old / now).toFixed(2)} times. Write what was measured.`
    : null
}

function ms(time: number): string {
  return `${time.toFixed(0)} ms`
}
