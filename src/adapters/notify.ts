/**
 * Notifies the user: by a command, which gets title and message as arguments and everything in its environment, never
 * through a shell; and by a webhook. Both are retried for two hours. A notice that cannot be delivered never stops a
 * loop.
 */
import { tmpdir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { exec } from '../platform/exec.ts'

type Message = {
  id: string
  at: number
  title: string
  message: string
  level: string
  loop: string | null
  reason: string
}

type Channel = 'command' | 'webhook'

export type Telling = {
  /** The command as words (empty for none) and the webhook. Asked before each attempt: the user may correct them. */
  channels(): { command: string[]; webhook: string | null }
  env: NodeJS.ProcessEnv
  signal: AbortSignal
  told(channel: Channel): void
  /** Called for each attempt that fails; `givenUp` with the last one. */
  failed(channel: Channel, why: string, givenUp: boolean): void
  pausesMs?: readonly number[]
}

const commandMs = 10_000
const webhookMs = 10_000
/** The pauses before each further attempt: eight attempts within two hours. */
const usualPausesMs = [1_000, 5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000]
/** A thousand loops may end at once: do not start a thousand programs. */
const mostAtOnce = 4

/** True once both channels have delivered the notice or given up, false if aborted before. Never rejects. */
export async function notify(message: Message, telling: Telling): Promise<boolean> {
  const byCommand = (): Promise<Trial> => call(message, telling.channels().command, telling)
  const byWebhook = (): Promise<Trial> => post(message, telling.channels().webhook, telling.signal)
  const settled = await Promise.all([
    tried('command', byCommand, telling),
    tried('webhook', byWebhook, telling),
  ])
  return settled.every(Boolean)
}

/** One attempt to send a notice. Null: it was sent, or the channel is not configured. `hopeless`: do not try again. */
type Trial = { why: string; hopeless: boolean } | null

async function tried(channel: Channel, attempt: () => Promise<Trial>, telling: Telling): Promise<boolean> {
  const { signal, told, failed, pausesMs = usualPausesMs } = telling
  for (const [n, pause] of [0, ...pausesMs].entries()) {
    if (pause > 0) await delay(pause, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) return false
    const trial = await inTurn(attempt)
    if (trial === null) {
      told(channel)
      return true
    }
    if (signal.aborted) return false
    const givenUp = trial.hopeless || n === pausesMs.length
    failed(channel, trial.why, givenUp)
    if (givenUp) return true
  }
  return true
}

const turns = { free: mostAtOnce, waiting: [] as (() => void)[] }

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (turns.free === 0) await new Promise<void>(resolve => turns.waiting.push(resolve))
  else turns.free -= 1
  try {
    return await work()
  } finally {
    const next = turns.waiting.shift()
    if (next) next()
    else turns.free += 1
  }
}

async function call(message: Message, command: string[], { env, signal }: Telling): Promise<Trial> {
  const [program, ...args] = command
  if (program === undefined) return null
  const { id, title, message: text, level, loop, reason } = message
  const told = await exec({
    argv: [program, ...args, title, text],
    cwd: tmpdir(),
    env: {
      ...(env as Record<string, string>),
      LOOP_NOTICE: id,
      LOOP_TITLE: title,
      LOOP_MESSAGE: text,
      LOOP_LEVEL: level,
      LOOP_REASON: reason,
      LOOP_ID: loop ?? '',
    },
    signal: AbortSignal.any([signal, AbortSignal.timeout(commandMs)]),
    maxBytes: 65_536,
  })
  if (told.code === 0) return null
  const why =
    told.cut === 'stopped' ? 'did not end in time' : told.stderr.toString('utf8').trim().slice(0, 200)
  // A program that is not installed: most machines without a desktop have no notify-send.
  return { why: `${program}: ${why || `exit ${told.code}`}`, hopeless: told.cut === 'unstartable' }
}

async function post(message: Message, url: string | null, signal: AbortSignal): Promise<Trial> {
  if (url === null) return null
  const why = await sent(url, message, signal)
  return why === null ? null : { why, hopeless: false }
}

/** Null if it was accepted, otherwise the reason. */
async function sent(url: string, message: Message, signal: AbortSignal): Promise<string | null> {
  try {
    const { address, authorization } = withoutPassword(url)
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization },
      body: JSON.stringify(message),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(webhookMs)]),
    })
    await response.body?.cancel()
    return response.ok ? null : `it answered ${response.status}`
  } catch (error) {
    const { cause, message: text } = error as Error
    return cause instanceof Error ? cause.message : text
  }
}

/** fetch refuses an address with a user name and password, and its error message would show them. */
function withoutPassword(url: string): { address: URL; authorization: { authorization?: string } } {
  const address = new URL(url)
  const { username, password } = address
  if (!username && !password) return { address, authorization: {} }
  Object.assign(address, { username: '', password: '' })
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { address, authorization: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}

/** Splits a command line into words: spaces separate them, quotes keep spaces together. No other character is special. */
export function wordsOf(line: string): string[] {
  const words = line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)
  return Array.from(words, ([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, a, b) => a ?? b))
}
