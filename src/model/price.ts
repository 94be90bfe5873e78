/**
 * List prices of tokens, for agents that report tokens but no cost. The result is an estimate and always shown
 * as one (`~`): it does not know discounts, subscriptions or price changes. `--price` overrides it.
 */
import type { Tokens } from './agent.ts'

/** US dollars per million tokens. */
export type Price = { input: number; output: number; cached: number }

/** Prices by prefix of the model's name; the first match is used. */
const list: [string, Price][] = [
  ['gpt-5-nano', { input: 0.05, output: 0.4, cached: 0.005 }],
  ['gpt-5-mini', { input: 0.25, output: 2, cached: 0.025 }],
  ['gpt-5.1-codex-mini', { input: 0.25, output: 2, cached: 0.025 }],
  ['gpt-5-codex', { input: 1.25, output: 10, cached: 0.125 }],
  ['gpt-5.1', { input: 1.25, output: 10, cached: 0.125 }],
  ['gpt-5', { input: 1.25, output: 10, cached: 0.125 }],
  ['gemini-2.5-flash-lite', { input: 0.1, output: 0.4, cached: 0.025 }],
  ['gemini-2.5-flash', { input: 0.3, output: 2.5, cached: 0.075 }],
  ['gemini-2.5-pro', { input: 1.25, output: 10, cached: 0.31 }],
  ['gemini-3-pro', { input: 2, output: 12, cached: 0.2 }],
  // These values are the ones that Claude Code 2.1.325 uses.
  ['claude-opus-5-5', { input: 4, output: 20, cached: 0.2 }],
  ['claude-opus-5', { input: 5, output: 25, cached: 0.5 }],
  ['claude-opus-4-1', { input: 15, output: 75, cached: 1.5 }],
  ['claude-opus-4', { input: 5, output: 25, cached: 0.5 }],
  ['claude-sonnet-5-5', { input: 2, output: 10, cached: 0.1 }],
  ['claude-sonnet-5', { input: 2, output: 10, cached: 0.2 }],
  ['claude-sonnet-4', { input: 3, output: 15, cached: 0.3 }],
  ['claude-haiku-5-5', { input: 0.5, output: 2.5, cached: 0.05 }],
  ['claude-haiku-4-5', { input: 1, output: 5, cached: 0.1 }],
  ['claude-fable-5', { input: 10, output: 50, cached: 1 }],
]

export function priceOf(model: string | null): Price | null {
  const name = model?.split('/').at(-1) ?? ''
  return list.find(([prefix]) => name.startsWith(prefix))?.[1] ?? null
}

export function costOf(tokens: Tokens, price: Price): number {
  const { input, output, cached } = tokens
  return (input * price.input + output * price.output + cached * price.cached) / 1_000_000
}

/** Reads `1.25/10` or `1.25/10/0.125`: input, output and cached input (default: a tenth of input). */
export function parsePrice(text: string): Price | null {
  const parts = text.split('/')
  if (parts.length < 2 || parts.length > 3 || !parts.every(part => /^\d+(\.\d+)?$/.test(part))) return null
  const [input = 0, output = 0, cached = input / 10] = parts.map(Number)
  return { input, output, cached }
}
