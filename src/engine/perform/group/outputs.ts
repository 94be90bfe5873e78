/**
 * The outputs of a loop in $LOOP_OUTPUT_FILE: one JSON object, or lines `name=value`. A declared name that is
 * missing is an error, never an empty value.
 */
import type { NodeState } from '../../../core/group/state.ts'
import type { Facts } from '../../../failures/all.ts'
import { readBytes, sizeOf } from '../../../store/files/artifact.ts'

const mostBytes = 256_000

export function leftOutputs(
  { node }: NodeState,
  file: string,
): { outputs?: Record<string, string>; trouble?: Facts } {
  const declared = node.kind === 'loop' ? (node.outputs ?? []) : []
  if (declared.length === 0) return {}
  const bytes = sizeOf(file)
  if (bytes > mostBytes) return { trouble: { kind: 'outputs-too-large', mostBytes } }
  const text = bytes === 0 ? '' : readBytes(file, 0, bytes).toString()
  const found = text.trimStart().startsWith('{') ? fromJson(text) : fromLines(text)
  if (!found) return { trouble: { kind: 'outputs-unreadable' } }
  const names = declared.filter(name => !Object.hasOwn(found, name))
  if (names.length > 0) return { trouble: { kind: 'outputs-missing', names } }
  return { outputs: Object.fromEntries(declared.map(name => [name, found[name] ?? ''])) }
}

/** Null unless it is an object of plain values. */
function fromJson(text: string): Record<string, string> | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const entries = Object.entries(value)
    const isPlain = entries.every(([, one]) => ['string', 'number', 'boolean'].includes(typeof one))
    return isPlain ? Object.fromEntries(entries.map(([name, one]) => [name, String(one)])) : null
  } catch {
    return null
  }
}

function fromLines(text: string): Record<string, string> {
  const pairs = text.split('\n').flatMap(line => {
    const [, name, value] = /^([A-Za-z][\w-]*)=(.*)$/.exec(line) ?? []
    return name === undefined ? [] : [[name, value ?? ''] as const]
  })
  return Object.fromEntries(pairs)
}
