/**
 * A loopd with a port and one finished loop, and functions that send requests as a browser, a program or an attacker
 * would.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { after, before } from 'node:test'
import type * as z from 'zod'
import { failureWords } from '../../src/failures/words.ts'
import { call } from '../../src/server/api/client.ts'
import { type RouteAnswer, type RouteName, type RouteRequest, routes } from '../../src/server/api/contract.ts'
import { type DaemonRig, makeDaemonRig } from './daemon.ts'
import { freePort } from './port.ts'

export type Answer = { status: number; headers: IncomingMessage['headers']; text: string }
export type Wish = { method?: string; headers?: Record<string, string>; body?: string }
export type Frame = { event: string; id: string | undefined; data: unknown }

/** Set before the first test of the file. */
export const api = { rig: {} as DaemonRig, port: 0, token: '', socket: '', loop: '' }

export function serveForTests(): void {
  const cleanups: (() => void | Promise<void>)[] = []
  before(async () => {
    const rig = makeDaemonRig({ after: work => void cleanups.push(work as () => void) })
    const port = await freePort()
    await rig.loop(['config', 'set', 'web_ui_port', String(port)])
    await rig.startDaemon()
    const token = readFileSync(rig.paths.daemon.token, 'utf8').trim()
    const agent = 'i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo "line $i of äöü"; done; echo x >> work'
    const loop = await rig.background(agent, 'test "$(wc -l < work)" -ge 2')
    await rig.reaches(loop, 'completed')
    Object.assign(api, { rig, port, token, loop, socket: rig.env['LOOPD_SOCKET'] ?? '' })
  })
  after(async () => {
    for (const clean of cleanups) await clean()
  })
}

export function ask(path: string, { method = 'GET', headers = {}, body = '' }: Wish): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = headers['transfer-encoding'] ? {} : { 'content-length': Buffer.byteLength(body) }
    const options = { host: '127.0.0.1', port: api.port, path, method, headers: { ...headers, ...length } }
    const asking = request({ ...options, timeout: 60_000 }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      const end = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      response.on('end', end).on('error', end)
    })
    // A server that refuses a large body may close the connection before it was sent.
    let hasAnswer = false
    asking.once('response', () => {
      hasAnswer = true
    })
    asking.on('error', error => (hasAnswer ? undefined : reject(error)))
    asking.on('timeout', () => asking.destroy(new Error(`${method} ${path} was not answered`)))
    asking.end(body)
  })
}

/** The key that a browser gets by an address of `loop ui`, which works once. */
export async function keyOf(rig: DaemonRig): Promise<string> {
  const { stdout, stderr, code } = await rig.loop(['ui', '--print'])
  assert.equal(code, 0, stderr)
  const url = new URL(stdout.trim())
  assert.equal(url.search, '', 'nothing secret is sent with the first request')
  const sent = { code: url.hash.replace('#code=', '') }
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const signIn = () => ask('/v1/sign-in', { method: 'POST', headers, body: JSON.stringify(sent) })
  const first = await signIn()
  assert.equal(first.status, 200, first.text)
  const second = await signIn()
  assert.equal(second.status, 403)
  assert.match(second.text, /This link has expired or was already used\. For a new one: loop ui/)
  return JSON.parse(first.text).key
}

/** The answer of a route over the socket, checked against its schema, so that no field is missing or unknown. */
export async function answered<N extends RouteName>(
  name: N,
  given: Partial<RouteRequest<N>>,
): Promise<RouteAnswer<N>> {
  const answer = await call(api.socket, name, given)
  assert.ok(answer.ok, `${name}: ${answer.ok ? '' : failureWords(answer.failure)}`)
  const parsed = (routes[name].answer as z.ZodType).safeParse(answer.value)
  assert.ok(parsed.success, `${name}: ${parsed.error?.message}`)
  return answer.value
}

/** The sentence of a route's refusal. */
export async function refusedBy<N extends RouteName>(
  name: N,
  given: Partial<RouteRequest<N>>,
): Promise<string> {
  const answer = await call(api.socket, name, given)
  assert.ok(!answer.ok, `${name} is not refused`)
  return failureWords(answer.failure)
}

/** The first line of the response to a WebSocket request. */
export function upgrade(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const connection = connect(api.port, '127.0.0.1', () => {
      connection.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\nAuthorization: Bearer ${api.token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      )
    })
    connection.once('data', data => {
      connection.destroy()
      resolve(data.toString('latin1').split('\r\n')[0] ?? '')
    })
    connection.once('error', reject)
  })
}

/** This many frames of a stream, or all of it. */
export function collect(path: string, most: number, lastEventId?: string): Promise<Frame[]> {
  const headers = {
    authorization: `Bearer ${api.token}`,
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  }
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port: api.port, path, headers }, response => {
      let text = ''
      const frames = () => text.split('\n\n').slice(0, -1).map(frameOf)
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk
        if (frames().length < most) return
        response.destroy()
        resolve(frames())
      })
      response.on('end', () => resolve(frames()))
    })
    asking.on('error', reject)
    asking.end()
  })
}

function frameOf(text: string): Frame {
  const field = (name: string) =>
    text
      .split('\n')
      .find(line => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  return { event: field('event') ?? '', id: field('id'), data: JSON.parse(field('data') ?? 'null') }
}
