/**
 * The text form of a session loop's marker file. Its first three lines (work tree, session, program) let a
 * shell script decide whether there is anything to do; the JSON after them is authoritative. An incomplete
 * marker counts as none.
 */
import { objectOf, parseJson } from './state-file.ts'
import type { SessionLoop } from './stop.ts'

type Marked = { program: string; loop: SessionLoop }

export function markerText({ program, loop }: Marked): string {
  const lines = [loop.tree, loop.session ?? '', program].map(line => line.replaceAll(/[\r\n]/g, '?'))
  return `${[...lines, JSON.stringify(loop)].join('\n')}\n`
}

export function parseMarker(text: string): Marked | null {
  const [, , program = '', ...rest] = text.split('\n')
  const loop = objectOf(parseJson(rest.join('\n')))
  return loop && isWhole(loop) ? { program, loop } : null
}

function isWhole(loop: Record<string, unknown>): loop is SessionLoop {
  const { tree, session, id, spec, criteria, status, maxIterations, budgetUsd, run, told, taskList, host } =
    loop
  return (
    [tree, spec, status].every(isText) &&
    String(tree).startsWith('/') &&
    [session, id, run].every(value => value === null || (isText(value) && value !== '')) &&
    [taskList, host].every(value => value === undefined || isText(value)) &&
    [maxIterations, budgetUsd].every(value => value === null || typeof value === 'number') &&
    Array.isArray(criteria) &&
    criteria.every(isCriterion) &&
    Array.isArray(told) &&
    told.every(isText)
  )
}

function isCriterion(value: unknown): boolean {
  const criterion = objectOf(value)
  return isText(criterion?.['name']) && (criterion['command'] === null || isText(criterion['command']))
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
