/** The filled-in values of the form, and the requests made from them. */
import type { RouteRequest } from '../../src/server/api/contract.ts'

export const kinds = [
  ['loop', 'Loop'],
  ['best-of', 'Best of several'],
  ['plan', 'Plan'],
  ['template', 'Template'],
  ['workflow', 'Workflow'],
] as const

export type Kind = (typeof kinds)[number][0]

export type Filled = {
  kind: Kind
  cwd: string
  prompt: string
  promises: string[]
  options: Record<string, string>
  template: string
  file: string
  /** Values of the variables of a template or workflow. */
  set: Record<string, string>
}

/** The input of every part of the form. */
export type FormProps = { filled: Filled; set(change: Partial<Filled>): void }

export function firstFilled(query: URLSearchParams): Filled {
  return {
    kind: kinds.find(([name]) => name === query.get('kind'))?.[0] ?? 'loop',
    cwd: query.get('cwd') ?? '',
    prompt: query.get('prompt') ?? '',
    promises: [query.get('promise') ?? ''],
    options: {},
    template: query.get('template') ?? '',
    file: query.get('file') ?? '',
    set: {},
  }
}

/** An empty value leaves the default; a switch is `yes`; an option that may be repeated has one line for each value. */
export function optionsOf(filled: Filled): Record<string, string | true | string[]> {
  const given = Object.entries(filled.options).flatMap(
    ([key, text]): [string, string | true | string[]][] => {
      if (text === '') return []
      if (text === 'yes') return [[key, true]]
      const lines = text.split('\n').filter(line => line.trim() !== '')
      return [[key, lines.length > 1 ? lines : text]]
    },
  )
  return Object.fromEntries(given)
}

const usualAttempts = '3'

export function bodyOf(filled: Filled): RouteRequest<'start'>['body'] {
  const { kind, cwd, prompt, promises } = filled
  const all = promises.map(text => text.trim()).filter(text => text !== '')
  const attempts = kind === 'best-of' ? { best_of: usualAttempts } : {}
  const given = { ...attempts, ...optionsOf(filled) }
  const body: Record<string, unknown> = { cwd, prompt, promise: all, ...given }
  return body as RouteRequest<'start'>['body']
}

export function setOf({ set }: Filled): Record<string, string> {
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== ''))
}
