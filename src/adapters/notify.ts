/**
 * Telling a person who is not looking: by a command of theirs, which gets title and message as arguments and
 * all of it in its environment, never through a shell; and by a webhook. Both are tried again when they fail,
 * and given up at last. A notice that cannot be delivered never keeps a loop from going on.
 */
import { tmpdir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { exec } from './process/exec.ts'

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
  /** The words of the command, empty for none; asked before each try, since they may be mended meanwhile. */
  channels(): { command: string[]; webhook: string | null }
  env: NodeJS.ProcessEnv
  signal: AbortSignal
  told(channel: Channel): void
  /** Called for each try that fails; `givenUp` for the last. */
  failed(channel: Channel, why: string, givenUp: boolean): void
  pausesMs?: readonly number[]
}

const commandMs = 10_000
const webhookMs = 10_000
/** Before each try after the first: eight within two hours. */
const usualPausesMs = [1_000, 5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000]
/** Loops may end by the thousand at once; their user has one machine. */
const mostAtOnce = 4

/** Whether it is settled: both were told, or given up. False when it was stopped before. Never rejects. */
export async function notify(message: Message, telling: Telling): Promise<boolean> {
  const byCommand = (): Promise<Trial> => call(message, telling.channels().command, telling)
  const byWebhook = (): Promise<Trial> => post(message, telling.channels().webhook, telling.signal)
  const settled = await Promise.all([
    tried('command', byCommand, telling),
    tried('webhook', byWebhook, telling),
  ])
  return settled.every(Boolean)
}

/** Null: it was told, or there is nobody to tell. */
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
  // One that is not there will not be there in an hour: most machines without a desktop have no notify-send.
  return { why: `${program}: ${why || `exit ${told.code}`}`, hopeless: told.cut === 'unstartable' }
}

async function post(message: Message, url: string | null, signal: AbortSignal): Promise<Trial> {
  if (url === null) return null
  const why = await sent(url, message, signal)
  return why === null ? null : { why, hopeless: false }
}

/** Null when it was taken; else why not. */
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

/** fetch takes no address with a name and a password in it, and would print it. */
function withoutPassword(url: string): { address: URL; authorization: { authorization?: string } } {
  const address = new URL(url)
  const { username, password } = address
  if (!username && !password) return { address, authorization: {} }
  Object.assign(address, { username: '', password: '' })
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { address, authorization: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}

/** A command line as words: spaces between them, quotes around what holds some. Nothing else means anything. */
export function wordsOf(line: string): string[] {
  const words = line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)
  return Array.from(words, ([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, a, b) => a ?? b))
}
