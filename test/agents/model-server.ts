/**
 * A small model server on 127.0.0.1 that plays scripted turns to real agent programs. Speaks the streaming APIs of
 * Anthropic, OpenAI (chat and responses) and Gemini; the path of a request tells which one. A request without tools (a
 * title, a summary) uses up no turn. Knows no model and checks no key.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '../rig/port.ts'
import { anthropic, chat, gemini, responses } from './wire.ts'

export type ToolCall = { name: string; input: Record<string, unknown> | string }

/** One answer of the model. */
export type Turn = {
  say?: string
  tools?: ToolCall[]
  usage?: { input: number; output: number; cached?: number }
  /** An HTTP error instead of an answer. */
  error?: { status: number; headers?: Record<string, string>; body: unknown }
  /** `hangs`: sends the text, then nothing for ever. `cut`: sends the text, then closes the connection. */
  breaks?: 'hangs' | 'cut'
  /** The answer is held back until this resolves. */
  after?: Promise<void>
}

export type ModelServer = {
  url: string
  /** The bodies of the requests that used up a turn, in order. */
  asked: string[]
  /** Requested paths that belong to no API of a model. */
  strange: string[]
  turnsLeft(): number
  /** How often somebody began to speak TLS, which it does not. */
  hellos(): number
  add(...turns: Turn[]): void
  /** Sets the answer for requests after the last turn of the script. */
  idle(turn: Turn): void
  /** Refuses new connections from here on; open ones stay open. */
  goAway(): void
  /** Accepts connections again. */
  comeBack(): Promise<void>
  close(): void
}

type Manner = {
  /** Another address of this machine than 127.0.0.1: programs ask a proxy for it. */
  host?: string
  /** Its address says that it speaks TLS. */
  isSecure?: boolean
  /** The answer to requests after the last turn of the script. */
  idle?: Turn
  /** Nothing listens at the address until `comeBack`. */
  isAway?: boolean
  /**
   * The answer to a request with this body, instead of the next turn of the script: for agents that ask concurrently.
   */
  turnFor?(body: string): Turn | undefined
}

const apis = [
  { path: /\/messages$/, play: anthropic },
  { path: /\/chat\/completions$/, play: chat },
  { path: /\/responses$/, play: responses },
  { path: /:(streamGenerateContent|generateContent)$/, play: gemini },
]

/** The first byte of TLS. */
const handshake = 0x16

const atTheEnd: Turn = { say: 'The script has no more turns.' }

export async function modelServer(
  turns: Turn[],
  { host = '127.0.0.1', isSecure = false, idle: first = atTheEnd, isAway = false, turnFor }: Manner = {},
): Promise<ModelServer> {
  const left = [...turns]
  let idle = first
  const asked: string[] = []
  const strange: string[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname
    const raw = await bodyOf(request)
    const api = apis.find(candidate => candidate.path.test(path))
    if (!api) return answerOther({ request, response, path, strange })
    const body = JSON.parse(raw) as { tools?: unknown[] }
    const isWork = Array.isArray(body.tools) && body.tools.length > 0
    if (isWork) asked.push(raw)
    const turn = isWork ? (turnFor?.(raw) ?? left.shift() ?? idle) : { say: 'ok' }
    await turn.after
    if (turn.error) return refuse(response, turn.error)
    api.play(response, turn, { body, path })
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error))
  })
  let hellos = 0
  server.on('clientError', (error: Error & { rawPacket?: Buffer }, socket) => {
    if (error.rawPacket?.[0] === handshake) hellos += 1
    socket.destroy()
  })
  const listen = (at: number) =>
    new Promise<void>((resolve, reject) => server.once('error', reject).listen(at, host, resolve))
  if (!isAway) await listen(0)
  const port = isAway ? await freePort() : (server.address() as AddressInfo).port
  return {
    url: `${isSecure ? 'https' : 'http'}://${host}:${port}`,
    asked,
    strange,
    turnsLeft: () => left.length,
    hellos: () => hellos,
    add: (...more) => void left.push(...more),
    idle(turn) {
      idle = turn
    },
    goAway: () => void server.close(),
    comeBack: () => listen(port),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Other = { request: IncomingMessage; response: ServerResponse; path: string; strange: string[] }

function answerOther({ request, response, path, strange }: Other): void {
  if (path.endsWith('/models')) return sendJson(response, 200, { object: 'list', data: [] })
  if (path.endsWith(':countTokens')) return sendJson(response, 200, { totalTokens: 100 })
  strange.push(`${request.method} ${path}`)
  sendJson(response, 404, { error: { message: `no such path: ${path}` } })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8') || '{}'
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function refuse(response: ServerResponse, { status, headers, body }: NonNullable<Turn['error']>): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}
