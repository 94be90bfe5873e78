/**
 * Connections that send half a request and then nothing, as many as an agent or another user of the machine likes:
 * they shut out neither the page nor a program, over the port or over the socket.
 */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { call } from '../../../src/server/api/client.ts'
import { api, ask, collect, keyOf, serveForTests } from '../../rig/api.ts'
import { until } from '../../rig/rig.ts'

serveForTests()

const open = new Set<Socket>()
after(() => {
  for (const socket of open) socket.destroy()
})

/** Connected once it resolves, or dropped already. */
function halfOpen(text: string): Promise<void> {
  return new Promise(resolve => {
    const socket = connect(api.port, '127.0.0.1', () => {
      open.add(socket)
      socket.write(text)
      resolve()
    })
    socket.on('error', () => resolve()).on('close', () => open.delete(socket))
  })
}

const half = () => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\n`
const withoutBody = () =>
  `POST /v1/sign-in HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n{`

test('600 connections with half a request shut nobody out', async () => {
  const headers = { authorization: `Bearer ${await keyOf(api.rig)}` }
  const stream = collect('/v1/feed?list=0', 2)
  for (const text of [half(), '', withoutBody()]) {
    await Promise.all(Array.from({ length: 600 }, () => halfOpen(text)))
    for (const path of ['/v1/loops', '/v1/daemon']) assert.equal((await ask(path, { headers })).status, 200)
    assert.equal((await ask('/', {})).status, 200, 'who is not signed in yet gets the page')
    assert.equal((await call(api.socket, 'daemon')).ok, true)
    await until('the others to be dropped', () => open.size <= 64)
  }
  const loop = await api.rig.background('echo more >> work', 'true', '--no-baseline')
  const news = await stream
  assert.deepEqual([news[0]?.event, news[1]?.event], ['hello', 'row'], 'a stream from before still has news')
  await api.rig.reaches(loop, 'completed')
})
