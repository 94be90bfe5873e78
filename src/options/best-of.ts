/** The group that a start's options ask for; null if they ask for none. */
import { measuresFor, parseMetric } from '../core/text/measure.ts'
import { invalid, ok, type Result } from '../model/failure.ts'
import { type BestOf, type GroupSpec, mostAttempts } from '../model/group/spec.ts'
import type { Spec } from '../model/loop/spec.ts'
import { detectProject, listingOf } from './detect/project.ts'
import type { System } from './system.ts'
import { type Values } from './values.ts'

const onlyWith = ['best-of-metric', 'best-of-manual', 'best-of-judge', 'first-wins', 'serial-promise']

/** `parallel`: how many loops may run at once; null if their host decides. */
type BestOfContext = { parallel: number | null; system: System }

export function groupFrom(
  values: Values,
  asked: Spec,
  { parallel, system }: BestOfContext,
): Result<GroupSpec | null> {
  const { hooks, ...loop } = asked
  const wanted = bestOfFrom(values, loop)
  if (!wanted.ok) return wanted
  if (wanted.value === null) return ok(null)
  if (loop.checkpoint === 'none') {
    return invalid({ kind: 'copies-need-checkpoints' })
  }
  if (values.given('session')) {
    return invalid({ kind: 'session-with-copies' })
  }
  if (loop.criteria.every(({ command }) => command === null)) {
    return invalid({ kind: 'attempts-need-command' })
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

/** A single attempt needs no measures to compare. */
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
  const asked = attemptsFrom(values)
  if (!asked.ok) return asked
  // Only a group asks others: a plain loop that wants advice is a group of one.
  if (asked.value === null) return ok(loop.counsel ? { loop, attempts: 1, inTree: true } : null)
  const serial = values.given('serial-promise') && { serialPromise: true }
  return ok({ loop: { ...loop, ...serial }, ...asked.value })
}

/** The attempts that these values ask for; null if they ask for none. Looks at nothing else. */
export function attemptsFrom(values: Values): Result<Omit<BestOf, 'loop'> | null> {
  const isIsolated = values.given('isolated')
  const asked = values.value('best-of')
  if (asked === null) {
    const stray = onlyWith.find(name => values.given(name))
    if (stray) return invalid({ kind: 'only-with-best-of', flag: stray })
    return ok(isIsolated ? { attempts: 1, ...setupFrom(values) } : null)
  }
  if (isIsolated) return invalid({ kind: 'best-of-isolated' })
  const attempts = Number(asked)
  if (!Number.isInteger(attempts) || attempts < 2 || attempts > mostAttempts) {
    return invalid({ kind: 'bad-best-of', most: mostAttempts, asked })
  }
  const metric = metricFrom(values)
  if (!metric.ok) return metric
  const waves = Number(values.value('best-of-waves') ?? '1')
  if (waves !== 1 && waves !== 2) return invalid({ kind: 'bad-waves' })
  if (values.given('best-of-manual') && values.given('first-wins')) {
    return invalid({ kind: 'exclusive', one: 'best-of-manual', other: 'first-wins' })
  }
  const judge = values.given('best-of-judge')
  const other = ['best-of-manual', 'first-wins'].find(name => values.given(name))
  if (judge && other) return invalid({ kind: 'exclusive', one: 'best-of-judge', other })
  return ok({
    attempts,
    ...(waves === 2 && { waves }),
    ...(metric.value && { metric: metric.value }),
    ...setupFrom(values),
    ...(values.given('best-of-manual') && { isManual: true }),
    ...(judge && { judge }),
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
