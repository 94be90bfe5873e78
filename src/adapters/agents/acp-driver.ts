/**
 * A program: runs one prompt through an agent that speaks the Agent Client Protocol (JSON-RPC, one message per
 * line) and prints what it says, one JSON object per line. Grants every permission once. Offers the agent
 * neither files nor terminals of its own: it works in the directory it was started in.
 *
 *   acp-driver COMMAND SESSION      (empty: a new one); the prompt is on stdin
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { lineSplitter, longestLine } from './stream.ts'

const [command = '', session = ''] = process.argv.slice(2)
const prompt = readFileSync(0, 'utf8')
/** A plain command takes the place of its shell, so that a signal reaches it; sh cannot exec anything else. */
const isPlain = /^[\w./~:@%+,-]+(?:\s+[\w./~:=@%+,-]+)*$/.test(command.trim())
const agent = spawn('/bin/sh', ['-c', isPlain ? `exec ${command}` : command], { stdio: 'pipe' })
const waiting = new Map<number, (message: Message) => void>()
let asked = 0
/** A loaded session repeats its earlier runs; those messages are ignored. */
let isReplay = false
/** The end of what it wrote to stderr: its own reason, where it fails. */
let said = ''
const mostSaid = 4_000
/** What a failing agent wrote to stderr may come after its answer, or after its end. */
const lateMs = 300

type Message = {
  id?: number
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: unknown }
}

agent.once('error', error => stop({ type: 'error', message: error.message }))
agent.once('exit', code => failed({ message: `the agent ended with ${code} in the middle` }))
agent.stderr.setEncoding('utf8').on('data', (text: string) => {
  process.stderr.write(text)
  said = (said + text).slice(-mostSaid)
})
agent.stdin.on('error', () => undefined) // its end is told by `exit`
const split = lineSplitter(longestLine)
agent.stdout.setEncoding('utf8').on('data', (text: string) => split.add(text).forEach(receive))

run().catch((error: Error) => failed({ message: error.message }))

async function run(): Promise<void> {
  await call('initialize', {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  })
  const place = { cwd: process.cwd(), mcpServers: [] }
  isReplay = session !== ''
  const opened = isReplay
    ? await call('session/load', { sessionId: session, ...place })
    : await call('session/new', place)
  isReplay = false
  const sessionId = session || String(opened['sessionId'])
  print({ type: 'session', id: sessionId })
  const { stopReason } = await call('session/prompt', { sessionId, prompt: [{ type: 'text', text: prompt }] })
  stop({ type: 'end', stopReason })
}

function call(method: string, params: object): Promise<Record<string, unknown>> {
  asked += 1
  const id = asked
  send({ jsonrpc: '2.0', id, method, params })
  return new Promise(resolve => {
    waiting.set(id, ({ result, error }) => {
      if (error) failed({ ...error, method })
      else resolve(result ?? {})
    })
  })
}

function receive(line: string): void {
  let message: Message
  try {
    message = JSON.parse(line) as Message
  } catch {
    return // no message: something its programs printed
  }
  const { id, method, params } = message
  if (method === undefined) {
    if (id !== undefined) waiting.get(id)?.(message)
  } else if (method === 'session/update') {
    if (!isReplay) print({ type: 'update', update: params?.['update'] })
  } else if (method === 'session/request_permission') allow(id, params)
  else if (id !== undefined) send({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'not offered' } })
}

function allow(id: number | undefined, params: Message['params']): void {
  const options = (params?.['options'] ?? []) as { optionId: string; kind: string }[]
  const chosen =
    options.find(({ kind }) => kind === 'allow_once') ?? options.find(({ kind }) => kind === 'allow_always')
  const title = (params?.['toolCall'] as { title?: string } | undefined)?.title ?? ''
  print({ type: 'permission', title, granted: chosen !== undefined })
  const outcome = chosen ? { outcome: 'selected', optionId: chosen.optionId } : { outcome: 'cancelled' }
  send({ jsonrpc: '2.0', id, result: { outcome } })
}

function send(message: object): void {
  agent.stdin.write(`${JSON.stringify(message)}\n`)
}

function print(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

/** Of several failures the first one counts: an agent often ends after the error that it answered with. */
function failed(message: object): void {
  agent.removeAllListeners('exit')
  setTimeout(() => stop({ type: 'error', ...message, said }), lateMs)
}

function stop(message: { type: string; [field: string]: unknown }): never {
  print(message)
  agent.removeAllListeners('exit')
  agent.kill('SIGKILL')
  process.exit(message.type === 'end' ? 0 : 1)
}
