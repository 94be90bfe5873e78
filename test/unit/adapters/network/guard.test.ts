/** The proxy of a sandbox, with real sockets: what it lets through, and what it refuses, however it is asked. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Server } from 'node:net'
import { type TestContext, test } from 'node:test'
import { guardServer } from '../../../../src/adapters/network/guard.ts'

async function listening(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    if ('closeAllConnections' in server) (server as ReturnType<typeof createServer>).closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

type Wish = { names?: Record<string, string>; env?: NodeJS.ProcessEnv }

/** A server, and a guard that knows these names as addresses. `list` may name the port of the server: `PORT`. */
async function place(t: TestContext, list: string[], { names = {}, env = {} }: Wish = {}) {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(`${request.headers.host}${request.url}`)
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => response.end(`${request.method} ${body}`))
  })
  const port = await listening(t, server)
  const refused: string[] = []
  const guard = guardServer({
    list: list.map(host => host.replace('PORT', String(port))),
    env,
    refuse(host, why) {
      refused.push(`${host.replace(String(port), 'PORT')} ${why}`)
      return 'refused'
    },
    resolve: async name => {
      const address = names[name]
      if (address === undefined) throw new Error('unknown')
      return [{ address, family: 4 }]
    },
  })
  const at = await listening(t, guard)
  /** What comes back for these bytes, until the other side ends. */
  const say = async (text: string): Promise<string> => {
    const socket = connect(at, '127.0.0.1')
    socket.write(text.replaceAll('PORT', String(port)))
    let said = ''
    for await (const chunk of socket) said += chunk
    return said
  }
  return { heard, refused, say, port, at, guard }
}

const get = (url: string, host = 'x') => `GET ${url} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
const tunnelled = (to: string) => `CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n${get('/through', 'inner')}`

test('a listed host is reached, by its address and through a tunnel', async t => {
  const { heard, refused, say, port } = await place(t, ['good.example:PORT', '127.0.0.1:PORT'], {
    names: { 'good.example': '127.0.0.1' },
  })
  assert.match(await say(get('http://good.example:PORT/plain?q=1')), /^HTTP\/1\.1 200 [^]*GET $/)
  const post =
    'POST http://good.example:PORT/sent HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody'
  assert.match(await say(post), /POST body$/)
  assert.match(await say(tunnelled('good.example:PORT')), /^HTTP\/1\.1 200 Connection[^]*HTTP\/1\.1 200 OK/)
  assert.match(await say(tunnelled('GOOD.example.:PORT')), /^HTTP\/1\.1 200 Connection/)
  assert.match(await say(tunnelled('127.0.0.1:PORT')), /^HTTP\/1\.1 200 Connection/)
  // In a tunnel nothing is read; outside of one the host is the one that was judged.
  assert.deepEqual(heard, [
    `good.example:${port}/plain?q=1`,
    `good.example:${port}/sent`,
    'inner/through',
    'inner/through',
    'inner/through',
  ])
  assert.deepEqual(refused, [])
})

test('what is not listed is refused, however it is asked for', async t => {
  const { heard, refused, say } = await place(t, ['good.example:PORT', 'near.example:PORT'], {
    names: { 'near.example': '127.0.0.1' },
  })
  const rows: [string, RegExp, string | null][] = [
    [get('http://127.0.0.1:PORT/'), /^HTTP\/1\.1 403/, '127.0.0.1:PORT not-listed'],
    [tunnelled('127.0.0.1:PORT'), /^HTTP\/1\.1 403 [^]*refused$/, '127.0.0.1:PORT not-listed'],
    [tunnelled('2130706433:PORT'), /^HTTP\/1\.1 403/, '2130706433:PORT not-listed'],
    // An address is written in one way before it is compared.
    [get('http://0x7f.1:PORT/'), /^HTTP\/1\.1 403/, '127.0.0.1:PORT not-listed'],
    [tunnelled('[::ffff:127.0.0.1]:PORT'), /^HTTP\/1\.1 403/, '[::ffff:127.0.0.1]:PORT not-listed'],
    [tunnelled('localhost:PORT'), /^HTTP\/1\.1 403/, 'localhost:PORT not-listed'],
    [tunnelled('good.example:22'), /^HTTP\/1\.1 403/, 'good.example:22 not-listed'],
    [tunnelled('xgood.example:PORT'), /^HTTP\/1\.1 403/, 'xgood.example:PORT not-listed'],
    // A name that leads to this machine: whoever owns the name could say so.
    [get('http://near.example:PORT/'), /^HTTP\/1\.1 403/, 'near.example:PORT private'],
    [tunnelled('near.example:PORT'), /^HTTP\/1\.1 403/, 'near.example:PORT private'],
    [tunnelled('good.example:PORT'), /^HTTP\/1\.1 502/, null],
    [get('/', '127.0.0.1:PORT'), /^HTTP\/1\.1 400/, null],
    [get('https://good.example:PORT/'), /^HTTP\/1\.1 400/, null],
    [get('http://good.example:PORT@127.0.0.1:PORT/'), /^HTTP\/1\.1 400/, null],
    [tunnelled('good.example:PORT@127.0.0.1:PORT'), /^HTTP\/1\.1 400/, null],
    [tunnelled('good.example'), /^HTTP\/1\.1 400/, null],
    ['nonsense\r\n\r\n', /^HTTP\/1\.1 400/, null],
  ]
  for (const [text, answer, expected] of rows) {
    refused.length = 0
    assert.match(await say(text), answer, text)
    assert.deepEqual(refused, expected === null ? [] : [expected], text)
  }
  assert.deepEqual(heard, [])
})

test('each request of a connection is judged, and none can be hidden in another', async t => {
  const { heard, refused, say, port } = await place(t, ['good.example:PORT', '127.0.0.1:PORT'], {
    names: { 'good.example': '127.0.0.1' },
  })
  const first = 'GET http://good.example:PORT/first HTTP/1.1\r\nHost: bad.example\r\n\r\n'
  const both = await say(`${first}${get('http://bad.example:PORT/second')}`)
  assert.deepEqual(both.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 403'])
  const fields = 'Host: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n'
  const hidden = `POST http://good.example:PORT/third HTTP/1.1\r\n${fields}\r\n0\r\n\r\n${get('http://bad.example:PORT/fourth')}`
  assert.match(await say(hidden), /^HTTP\/1\.1 400/)
  assert.deepEqual(heard, [`good.example:${port}/first`])
  assert.deepEqual(refused, ['bad.example:PORT not-listed'])
})

test('private addresses of both versions are not what a listed name may lead to', async t => {
  const near = [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.9.9.9',
    '169.254.169.254',
    '172.31.0.1',
    '192.168.1.1',
  ]
  const more = [
    '::1',
    '::',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '224.0.0.1',
    'ff02::1',
  ]
  for (const address of [...near, ...more]) {
    const { refused, say } = await place(t, ['name.example'], { names: { 'name.example': address } })
    assert.match(await say(tunnelled('name.example:443')), /^HTTP\/1\.1 403/, address)
    assert.deepEqual(refused, ['name.example:443 private'], address)
  }
})

test('behind a proxy of the user that one is asked, for what is listed only', async t => {
  const names = { 'far.example': '127.0.0.1' }
  const upstream = await place(t, ['far.example:PORT', '127.0.0.1:PORT'], { names })
  const asked: string[] = []
  const note = ({ method, url, headers }: IncomingMessage) =>
    void asked.push(`${method} ${url} ${headers['proxy-authorization']}`)
  upstream.guard.prependListener('request', note).prependListener('connect', note)
  const proxy = `http://me:p%40ss@127.0.0.1:${upstream.at}`
  const env = { HTTP_PROXY: proxy, https_proxy: proxy, NO_PROXY: 'localhost, .near.example' }
  const far = `far.example:${upstream.port}`
  const list = [far, '127.0.0.1:PORT', 'x.near.example:PORT', 'lost.example']
  const { say, heard } = await place(t, list, { env, names: { 'x.near.example': '127.0.0.1' } })
  assert.match(await say(get(`http://${far}/plain`)), /^HTTP\/1\.1 200 [^]*GET $/)
  assert.match(await say(tunnelled(far)), /^HTTP\/1\.1 200 Connection[^]*HTTP\/1\.1 200 OK/)
  assert.match(await say(tunnelled('other.example:443')), /^HTTP\/1\.1 403/)
  assert.match(await say(tunnelled('lost.example:443')), /^HTTP\/1\.1 502 [^]*the proxy 127.* answered 403$/)
  const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
  assert.deepEqual(asked, [
    `GET http://${far}/plain ${basic}`,
    `CONNECT ${far} ${basic}`,
    `CONNECT lost.example:443 ${basic}`,
  ])
  assert.deepEqual(upstream.heard, [`${far}/plain`, 'inner/through'])
  // Names that NO_PROXY has, and this machine, are reached from here.
  assert.match(await say(tunnelled('x.near.example:PORT')), /^HTTP\/1\.1 200/)
  assert.match(await say(tunnelled('127.0.0.1:PORT')), /^HTTP\/1\.1 200/)
  assert.equal(heard.length, 2)
  assert.equal(asked.length, 3)
})
