/**
 * Telling a person who is not looking: by a command of theirs, which gets title and message as arguments and
 * all of it in its environment, never through a shell; and by a webhook, tried again when it does not answer.
 * A notice that can not be delivered is said once and never keeps a loop from going on.
 */
import { tmpdir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { exec } from './process/exec.ts'

export type Message = { title: string; message: string; level: string; loop: string | null; reason: string }

export type Channels = {
  /** The words of the command; empty for none. */
  command: string[]
  webhook: string | null
  env: NodeJS.ProcessEnv
  failed(channel: 'command' | 'webhook', why: string): void
}

const commandMs = 10_000
const webhookMs = 10_000
/** Before each try of a webhook after the first. */
const pausesMs = [1_000, 5_000, 30_000, 120_000]

/** Resolves when both have been told, or can not be. Never rejects. */
export async function notify(message: Message, channels: Channels, signal: AbortSignal): Promise<void> {
  await Promise.all([byCommand(message, channels), byWebhook(message, channels, signal)])
}

async function byCommand(message: Message, { command, env, failed }: Channels): Promise<void> {
  const [program, ...args] = command
  if (program === undefined) return
  const { title, message: text, level, loop, reason } = message
  const told = await exec({
    argv: [program, ...args, title, text],
    cwd: tmpdir(),
    env: {
      ...(env as Record<string, string>),
      LOOP_TITLE: title,
      LOOP_MESSAGE: text,
      LOOP_LEVEL: level,
      LOOP_REASON: reason,
      LOOP_ID: loop ?? '',
    },
    signal: AbortSignal.timeout(commandMs),
    maxBytes: 65_536,
  })
  if (told.code === 0) return
  const why =
    told.cut === 'stopped' ? 'did not end in time' : told.stderr.toString('utf8').trim().slice(0, 200)
  failed('command', `${program}: ${why || `exit ${told.code}`}`)
}

async function byWebhook(message: Message, channels: Channels, signal: AbortSignal): Promise<void> {
  const { webhook, failed } = channels
  if (webhook === null) return
  let why = ''
  for (const pause of [0, ...pausesMs]) {
    if (pause > 0) await delay(pause, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) break
    const problem = await post(webhook, message, signal)
    if (problem === null) return
    why = problem
  }
  failed('webhook', why || 'loopd was stopped')
}

/** Null when it was taken; else why not. */
async function post(url: string, message: Message, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
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

/** A command line as words: spaces between them, quotes around what holds some. Nothing else means anything. */
export function wordsOf(line: string): string[] {
  const words = line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)
  return Array.from(words, ([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, a, b) => a ?? b))
}
