/** The first lines of a start on a terminal: what is to be done, what decides, who does it, and up to where. */
import type { State } from '../../../core/loop/state.ts'
import { oneLine } from '../../../core/text/plain-text.ts'
import type { Criterion, Spec } from '../../../model/loop/spec.ts'
import { count, formatMoney } from '../../../model/units.ts'
import { cutTo, textWidth } from '../../layout/width.ts'
import { ink } from '../look.ts'
import { fitNames, type StartView } from './pieces.ts'

/** `note`: where it continues. */
export function headLines({ id, spec }: State, view: StartView, note = ''): string[] {
  const rest = [
    agentTitle(spec),
    limitTitle(spec),
    ...(spec.sandbox ? ['in a sandbox'] : []),
    ...(spec.checkpoint === 'none' ? ['no checkpoints, so no undo'] : []),
    ...(note === '' ? [] : [note]),
  ]
  return [
    titleLine(`loop ${id}`, spec.prompt, view),
    factsLine(spec.criteria.map(criterionWords), rest, view),
    '',
  ]
}

export function titleLine(name: string, prompt: string, { look, width }: StartView): string {
  const text = oneLine(prompt.trim().split('\n')[0] ?? '')
  return `${ink(look, 'bold', name)}  ${cutTo(text, Math.max(8, width - name.length - 2))}`
}

/** The checks are cut first: how far it goes has to be read. */
export function factsLine(checks: readonly string[], rest: readonly string[], view: StartView): string {
  const end = rest
    .filter(one => one !== '')
    .map(one => ` · ${one}`)
    .join('')
  const room = Math.max(12, view.width - 2 - textWidth(end))
  const shown = checks.length === 0 ? end.slice(3) : fitNames(checks, room) + end
  return ink(view.look, 'dim', cutTo(`  ${shown}`, view.width))
}

function criterionWords({ name, command }: Criterion): string {
  return command === null ? `you confirm "${oneLine(name)}"` : name
}

export function agentTitle({ agent, model, fallbacks = [] }: Spec): string {
  const others = fallbacks.length > 0 ? `, then ${fallbacks.map(one => one.agent).join(', ')}` : ''
  return `${agent}${model === undefined ? '' : ` (${model})`}${others}`
}

/** `up to 10 iterations, $25` */
export function limitTitle({ maxIterations, budgetUsd }: Pick<Spec, 'maxIterations' | 'budgetUsd'>): string {
  const limits = [
    ...(maxIterations === null ? [] : [count(maxIterations, 'iteration')]),
    ...(budgetUsd === null ? [] : [formatMoney(budgetUsd)]),
  ]
  return limits.length === 0 ? 'without a limit' : `up to ${limits.join(', ')}`
}
