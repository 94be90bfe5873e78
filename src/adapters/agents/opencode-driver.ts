/**
 * A program: runs one prompt through a private `opencode serve` and prints its events, one JSON object per
 * line, then a last line `loop.end` with what the session and its subagents have cost. A server, because
 * `opencode run` sleeps through a usage limit without a word and leaves out what subagents cost.
 *
 *   opencode-driver PROGRAM MODEL SESSION      (empty: its own choice, a new one); the prompt is on stdin
 *
 * A limit that lasts longer than `patienceMs` ends the run: waiting is loop's business. The server is a child
 * of this program and dies with the run, however that ends.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { lineSplitter, longestLine } from './stream.ts'

const [program = '', model = '', session = ''] = process.argv.slice(2)
const patienceMs = 10_000
const requestMs = 30_000
const bootMs = 60_000
/** Deltas and heartbeats are excluded: the whole part is sent once it is complete. */
const shown = [
  'session.status',
  'session.idle',
  'session.error',
  'file.edited',
  'message.part.updated',
  'message.updated',
]

const prompt = readFileSync(0, 'utf8')
/** Prevents other users of this machine from sending requests. */
const password = randomUUID()
const headers = { authorization: `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}` }
const server = spawn(program, ['serve', '--port', '0', '--hostname', '127.0.0.1'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, OPENCODE_SERVER_PASSWORD: password },
})
server.once('error', error => fail(`opencode could not be started: ${error.message}`))
server.once('exit', code => fail(`opencode serve ended with ${code}`))

const where = `directory=${encodeURIComponent(process.cwd())}`
let base = ''
let id = session
run().catch((error: Error) => fail(`opencode does not answer: ${error.message}`))

async function run(): Promise<void> {
  base = await address(server)
  id ||= await create()
  print({ type: 'loop.session', properties: { sessionID: id } })
  const following = follow(await listen())
  await ask('POST', `/session/${id}/prompt_async`, { parts: [{ type: 'text', text: prompt }], ...chosen() })
  await finish(await following)
}

/** The address, from the first line that names it; requests before that line are never answered. */
function address(child: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    const tooLate = setTimeout(() => fail(`opencode serve did not start within ${bootMs / 1_000}s`), bootMs)
    let said = ''
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      said = (said + chunk).slice(-10_000)
      const [, url] = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(said) ?? []
      if (!url) return
      clearTimeout(tooLate)
      resolve(url)
    })
  })
}

async function create(): Promise<string> {
  const made = await ask('POST', '/session', { title: `loop ${process.env['LOOP_ID'] ?? ''}` })
  return String((made as { id?: unknown } | null)?.id)
}

function chosen(): object {
  const [provider = '', ...rest] = model.split('/')
  return model === '' ? {} : { model: { providerID: provider, modelID: rest.join('/') } }
}

/** fetch cannot be used: it gives up after five minutes without data, and a model can think for longer. */
function listen(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${base}/event?${where}`, { headers }, resolve).once('error', reject)
  })
}

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${base}${path}?${where}`, {
    method,
    signal: AbortSignal.timeout(requestMs),
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) fail(`opencode answered ${response.status} to ${path}: ${text.slice(0, 500)}`)
  return text === '' ? null : parsed(text, `opencode answered what is no JSON to ${path}`)
}

type Event = { type?: string; properties?: Record<string, unknown> }

/** Prints the events of this session and its subagents until it is idle; returns the reason if it stopped earlier. */
async function follow(response: IncomingMessage): Promise<string> {
  let busy = false
  let overflows = 0
  const split = lineSplitter(longestLine)
  const decoder = new TextDecoder()
  for await (const chunk of response) {
    for (const line of split.add(decoder.decode(chunk as Buffer, { stream: true }))) {
      if (!line.startsWith('data: ')) continue
      const event = parsed(line.slice(6), 'its server sent an event that cannot be read') as Event
      if (!isShown(event)) continue
      print(event)
      if (event.properties?.['sessionID'] !== id) continue
      await showContext(event)
      const status = event.properties['status'] as { type?: string; next?: number } | undefined
      if (event.type === 'session.status' && status?.type === 'busy') busy = true
      if (status?.type === 'retry' && (status.next ?? 0) - Date.now() > patienceMs) return 'limit'
      if (event.type === 'session.error' && isOverflow(event)) overflows += 1
      // It would compact and overflow forever, and each round costs money.
      if (overflows >= 3) return 'overflow'
      if (busy && event.type === 'session.idle') return ''
    }
  }
  return 'stream'
}

let windowOfModel: Promise<number | null> | null = null
let modelNow: { providerID?: string; modelID?: string } = {}

/** Prints how full the context of its model is, after each of its steps. Subagents have contexts of their own. */
async function showContext({ type, properties }: Event): Promise<void> {
  const info = properties?.['info'] as { role?: string; providerID?: string; modelID?: string } | undefined
  if (type === 'message.updated' && info?.role === 'assistant') modelNow = info
  const part = properties?.['part'] as { type?: string; tokens?: StepTokens } | undefined
  if (type !== 'message.part.updated' || part?.type !== 'step-finish') return
  const { input = 0, output = 0, reasoning = 0, cache = {} } = part.tokens ?? {}
  const used = input + output + reasoning + (cache.read ?? 0) + (cache.write ?? 0)
  windowOfModel ??= findWindow(modelNow)
  print({ type: 'loop.context', properties: { used, window: await windowOfModel } })
}

type StepTokens = {
  input?: number
  output?: number
  reasoning?: number
  cache?: { read?: number; write?: number }
}

type Providers = {
  providers?: { id?: string; models?: Record<string, { limit?: { context?: number } }> }[]
}

/** Null if the server does not name it: nothing depends on it. */
async function findWindow({ providerID, modelID = '' }: typeof modelNow): Promise<number | null> {
  try {
    const answer = await fetch(`${base}/config/providers?${where}`, {
      headers,
      signal: AbortSignal.timeout(5_000),
    })
    const { providers = [] } = (await answer.json()) as Providers
    const provider = providers.find(one => one.id === providerID)
    return provider?.models?.[modelID]?.limit?.context || null
  } catch {
    return null
  }
}

function parsed(text: string, otherwise: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return fail(`${otherwise}: ${text.slice(0, 200)}`)
  }
}

function isOverflow({ properties }: Event): boolean {
  return (properties?.['error'] as { name?: string } | undefined)?.name === 'ContextOverflowError'
}

function isShown({ type, properties }: Event): boolean {
  if (!shown.includes(type ?? '')) return false
  if (type !== 'message.part.updated') return true
  const part = properties?.['part'] as { type?: string; time?: { end?: number }; state?: { status?: string } }
  if (part.type === 'text') return part.time?.end !== undefined
  return part.type === 'tool' ? part.state?.status !== 'pending' : part.type === 'step-finish'
}

async function finish(reason: string): Promise<never> {
  if (reason !== '') await ask('POST', `/session/${id}/abort`)
  const whole = await ask('GET', `/session/${id}`)
  const children = await ask('GET', `/session/${id}/children`)
  print({ type: 'loop.end', properties: { why: reason, session: whole, children } })
  return exit(reason === '' ? 0 : 1)
}

function print(event: object): void {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}

function fail(message: string): never {
  print({ type: 'loop.failed', properties: { message } })
  return exit(1)
}

function exit(code: number): never {
  server.removeAllListeners('exit')
  server.kill('SIGKILL')
  process.exit(code)
}
