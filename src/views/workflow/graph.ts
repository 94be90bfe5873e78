/**
 * A workflow as a graph: text, Mermaid or DOT (JSON: documents/workflow). Names can be anybody's: each format escapes them by its own
 * rules.
 */

import { spelledOut } from '../../core/text/plain-text.ts'
import type { When, WorkflowLoop, WorkflowSpec } from '../../model/group/workflow.ts'

export const graphFormats = ['text', 'mermaid', 'dot', 'json'] as const

type Drawn = Pick<WorkflowSpec, 'name' | 'loops'>

/** The condition in the syntax of a workflow file. */
export function whenText(when: When): string {
  switch (when.op) {
    case 'ended':
      return `${when.how}(${when.loop})`
    case 'output':
      return `outputs.${when.loop}.${when.field} ${when.is === 'equal' ? '==' : '!='} ${JSON.stringify(when.value)}`
    case 'not':
      return `!${inParentheses(when.term)}`
    case 'and':
    case 'or':
      return when.terms.map(inParentheses).join(when.op === 'and' ? ' && ' : ' || ')
    default:
      return when satisfies never
  }
}

function inParentheses(when: When): string {
  return 'terms' in when && when.terms.length > 1 ? `(${whenText(when)})` : whenText(when)
}

export function graphText({ name, loops }: Drawn): string {
  const width = Math.max(...loops.map(loop => loop.id.length))
  return [
    spelledOut(name),
    ...loops.map(loop => `  ${loop.id.padEnd(width)}  ${facts(loop).join('; ')}`.trimEnd()),
  ].join('\n')
}

function facts({ needs, when, place, bestOf, confirm, retry, matrix }: WorkflowLoop): string[] {
  const values = Object.entries(matrix).map(([key, value]) => `${key}: ${value}`)
  return [
    ...(needs.length > 0 ? [`after ${needs.join(', ')}`] : []),
    ...(when ? [`when ${whenText(when)}`] : []),
    ...values,
    ...(bestOf === null ? [] : [`best of ${bestOf}`]),
    ...(confirm ? ['asks before it begins'] : []),
    ...(retry ? [`up to ${retry.max} more ${retry.max === 1 ? 'try' : 'tries'}`] : []),
    place === 'tree' ? 'in the tree' : 'in a copy',
  ].map(spelledOut)
}

export function graphMermaid({ name, loops }: Drawn): string {
  const at = new Map(loops.map(({ id }, i) => [id, `n${i}`]))
  return [
    '---',
    `title: ${JSON.stringify(spelledOut(name))}`,
    '---',
    'flowchart TD',
    ...loops.map(({ id, name: label }) => `  ${at.get(id)}["${mermaid(label)}"]`),
    ...loops.flatMap(({ id, needs, when }) =>
      needs.map(need => `  ${at.get(need)} -->${when ? `|"${mermaid(whenText(when))}"|` : ''} ${at.get(id)}`),
    ),
  ].join('\n')
}

/** Escapes by number everything that Mermaid or HTML could interpret. */
function mermaid(text: string): string {
  return spelledOut(text).replaceAll(/[^A-Za-z0-9 .,:()_-]/gu, character => `#${character.codePointAt(0)};`)
}

export function graphDot({ name, loops }: Drawn): string {
  return [
    `digraph ${dot(name)} {`,
    '  node [shape=box];',
    ...loops.map(({ id, name: label }) => `  ${dot(id)} [label=${dot(label)}];`),
    ...loops.flatMap(({ id, needs, when }) =>
      needs.map(need => `  ${dot(need)} -> ${dot(id)}${when ? ` [label=${dot(whenText(when))}]` : ''};`),
    ),
    '}',
  ].join('\n')
}

/** In quotes, with only these two escapes: `\l`, `\N` and the like would be interpreted. */
function dot(text: string): string {
  return `"${spelledOut(text).replaceAll(/[\\"]/g, '\\$&')}"`
}
