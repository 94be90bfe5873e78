/** From the options of a start to a group: null where nothing asks for one. */
import { measuresFor } from '../../core/text/measures/measure.ts'
import { parseMetric } from '../../core/text/measures/metric.ts'
import { ok, type Result } from '../../model/failure.ts'
import { type BestOf, type GroupSpec, mostAttempts } from '../../model/group/spec.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { listingOf } from '../detect/listing.ts'
import { detectProject } from '../detect/project.ts'
import type { System } from '../system.ts'
import { invalid } from '../value.ts'
import type { Values } from '../values.ts'

const onlyWith = ['best-of-metric', 'best-of-manual', 'first-wins', 'serial-promise']

/** `parallel`: how many loops may run at once; null where whoever hosts them knows. */
type Around = { parallel: number | null; system: System }

export function groupFrom(
  values: Values,
  asked: Spec,
  { parallel, system }: Around,
): Result<GroupSpec | null> {
  const { hooks, ...loop } = asked
  const wanted = bestOfFrom(values, loop)
  if (!wanted.ok) return wanted
  if (wanted.value === null) return ok(null)
  if (loop.checkpoint === 'none') {
    return invalid('--best-of and --isolated need checkpoints: leave --checkpoint none out.')
  }
  if (values.given('session')) {
    return invalid('--session works in your own tree: leave --best-of and --isolated out.')
  }
  if (loop.criteria.every(({ command }) => command === null)) {
    return invalid('Attempts are told apart by a command: give one with -p.')
  }
  const { prompt: name, cwd, budgetUsd, attended, notify } = loop
  return ok({
    program: 'best-of',
    name,
    cwd,
    budgetUsd,
    parallel,
    bestOf: { ...wanted.value, ...measuresOf(wanted.value, system) },
    ...(hooks && { hooks }),
    ...(attended && { attended }),
    ...(notify && { notify }),
  })
}

/** Of one attempt nothing has to be told apart. */
function measuresOf({ attempts, loop }: BestOf, system: System): Pick<BestOf, 'measures'> {
  if (attempts < 2) return {}
  const found = measuresFor(detectProject(listingOf(loop.cwd, system)))
  const measures = found.map(({ name, command, better, timeoutMs, reads }) => ({
    name,
    command,
    better,
    timeoutMs,
    ...(reads !== 'output' && { reports: [...reads] }),
  }))
  return measures.length > 0 ? { measures } : {}
}

function bestOfFrom(values: Values, loop: Spec): Result<BestOf | null> {
  const isIsolated = values.given('isolated')
  const asked = values.value('best-of')
  if (asked === null) {
    const stray = onlyWith.find(name => values.given(name))
    if (stray) return invalid(`--${stray} is about --best-of: give that too, or leave it out.`)
    return ok(isIsolated ? { loop, attempts: 1, ...setupFrom(values) } : null)
  }
  if (isIsolated) return invalid('--best-of makes copies by itself: leave --isolated out.')
  const attempts = Number(asked)
  if (!Number.isInteger(attempts) || attempts < 2 || attempts > mostAttempts) {
    return invalid(`--best-of takes a number from 2 to ${mostAttempts}, not ${asked}.`)
  }
  const metric = metricFrom(values)
  if (!metric.ok) return metric
  const waves = Number(values.value('best-of-waves') ?? '1')
  if (waves !== 1 && waves !== 2) return invalid('--best-of-waves takes 1 or 2.')
  if (values.given('best-of-manual') && values.given('first-wins')) {
    return invalid('--best-of-manual and --first-wins exclude each other.')
  }
  return ok({
    loop: values.given('serial-promise') ? { ...loop, serialPromise: true } : loop,
    attempts,
    ...(waves === 2 && { waves }),
    ...(metric.value && { metric: metric.value }),
    ...setupFrom(values),
    ...(values.given('best-of-manual') && { isManual: true }),
    ...(values.given('first-wins') && { firstWins: true }),
  })
}

function setupFrom(values: Values): Pick<BestOf, 'copySetup'> {
  const command = values.value('copy-setup')?.trim()
  return command ? { copySetup: command } : {}
}

function metricFrom(values: Values): Result<BestOf['metric'] | null> {
  const text = values.value('best-of-metric')
  return text === null ? ok(null) : parseMetric(text)
}
