/** Every route of loopd against every attack that a web page, a name server or another user could try. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '../../../src/server/api/contract/route.ts'
import { type RouteName, routes } from '../../../src/server/api/contract.ts'
import { api, ask, serveForTests, upgrade, type Wish } from '../../rig/api.ts'

serveForTests()

/** What a browser says about a link that a person follows on another site. */
const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

const isPage = (name: string) => name === 'page' || name === 'pageInside'

/** A name that browsers look up as ::1 first, where loopd does not listen and any program may. */
const localhost = (good: Record<string, string>): [string, Wish] => [
  'the name localhost',
  { headers: { ...good, host: `localhost:${api.port}` } },
]

const all = Object.entries(routes) as [RouteName, Route][]

for (const [name, route] of all) {
  test(`${name}: refused to everybody but its user`, async () => {
    const path = pathOf(route)
    const method = route.method.toUpperCase()
    const good = { authorization: `Bearer ${api.token}` }
    const json = route.body ? { 'content-type': 'application/json' } : {}
    const body = route.body ? '{}' : ''
    const without: [string, Wish][] = [
      ['no token', { headers: {} }],
      ['a wrong token', { headers: { authorization: `Bearer ${api.token.slice(1)}x` } }],
      ['a forged key', { headers: { authorization: `Bearer 99999999999999.${'A'.repeat(43)}` } }],
      [
        'what only a browser adds',
        { headers: { cookie: `loopd=${api.token}`, 'sec-fetch-site': 'same-origin' } },
      ],
      ['a link of another page', { headers: { ...good, ...visit } }],
    ]
    const attacks: [string, Wish][] = [
      ...(route.open ? [] : without),
      ['another host', { headers: { ...good, host: 'evil.example' } }],
      ['another port of this machine', { headers: { ...good, host: `127.0.0.1:${api.port + 1}` } }],
      ...(isPage(name) ? [] : [localhost(good)]),
      ['a foreign page', { headers: { ...good, origin: 'http://evil.example' } }],
      ['a page without a name', { headers: { ...good, origin: 'null' } }],
      ['a page on another port', { headers: { ...good, origin: `http://127.0.0.1:${api.port + 1}` } }],
      ['cross-site', { headers: { ...good, 'sec-fetch-site': 'cross-site' } }],
      ['a frame', { headers: { ...good, ...visit, 'sec-fetch-dest': 'iframe' } }],
      ['a form of another page', { headers: { ...good, ...visit }, method: 'POST' }],
      ['same-site', { headers: { ...good, 'sec-fetch-site': 'same-site' } }],
      ['another method', { headers: good, method: 'DELETE' }],
      [
        'a body of unknown length',
        { headers: { ...good, ...json, 'transfer-encoding': 'chunked' }, method: 'POST', body: '{}' },
      ],
      ['a large body', { headers: { ...good, ...json }, method: 'POST', body: 'x'.repeat(1_100_000) }],
    ]
    for (const [what, wish] of attacks) {
      const answer = await ask(path, { method, body, ...wish, headers: { ...json, ...wish.headers } })
      assert.ok(answer.status >= 400 && answer.status < 500, `${what}: ${answer.status} ${answer.text}`)
      assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/, what)
      assert.equal(answer.headers['access-control-allow-origin'], undefined)
    }
    assert.match(await upgrade(path), /^HTTP\/1\.1 40[0-9] /)
  })
}

test('a link of another site shows the page, which holds nothing of its user', async () => {
  for (const path of ['/', '/app/loops/x']) {
    const { status, text, headers } = await ask(path, { headers: visit })
    assert.equal(status, 200)
    assert.match(text, /^<!doctype html>/)
    assert.equal(text.includes(api.loop), false)
    assert.equal(headers['set-cookie'], undefined)
    assert.equal(headers['x-frame-options'], 'DENY')
  }
  assert.equal((await ask('/app/x', { headers: { ...visit, host: 'evil.example' } })).status, 421)
})

test('localhost serves no page: it sends the browser to the address where only loopd can be', async () => {
  const host = `localhost:${api.port}`
  for (const path of ['/', '/app/loops/x?tab=log', '/app//evil.example']) {
    const { status, text, headers } = await ask(path, { headers: { host } })
    assert.deepEqual([status, text], [302, ''], path)
    assert.equal(headers.location, `http://127.0.0.1:${api.port}${path}`)
  }
})

test('paths that climb out are refused, encoded or not', async () => {
  const headers = { authorization: `Bearer ${api.token}` }
  const paths = [
    '/v1/loops/../../etc/passwd',
    `/v1/loops/${api.loop}/runs/1/..%2f..%2fenv`,
    `/v1/loops/${api.loop}/runs/..%2f..%2f/out`,
    '/v1/loops/%2e%2e%2fhosts',
    `/v1/loops/${api.loop}/runs/1/claim`,
    `/v1/loops/${api.loop}/runs/01/out`,
    '//etc/passwd',
    '/v1/loops/%00',
    '/v1/loops/%ff%fe',
    `/v1/loops/${api.loop}/diff?from=../x&to=y`,
  ]
  for (const path of paths) {
    const { status, text } = await ask(path, { headers })
    assert.ok(status === 400 || status === 404, `${path}: ${status} ${text}`)
  }
})

test('routes of the socket are not found over the network', async () => {
  const headers = { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' }
  for (const [, route] of all.filter(([, { local }]) => local)) {
    const { status, text } = await ask(pathOf(route), { method: 'POST', headers, body: '{"now":true}' })
    assert.equal(status, 403)
    assert.match(text, /loopd answers this only on its Unix socket/)
  }
})

function pathOf({ path, query }: Route): string {
  const params: Record<string, string> = {
    id: api.loop,
    run: '1',
    file: 'out',
    output: 'out',
    verification: '1-0',
    rest: 'loops/x',
    asset: 'app.js',
    template: 'tdd',
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
  const values: Record<string, string> = {
    from: 'initial',
    to: 'iter-001',
    code: 'x',
    checkpoint: 'initial',
    path: 'work',
    cwd: '/',
    q: 'line',
  }
  if (filled.includes('/runs/')) return filled
  const wanted = Object.keys(query?.shape ?? {}).filter(name => Object.hasOwn(values, name))
  return wanted.length === 0 ? filled : `${filled}?${wanted.map(name => `${name}=${values[name]}`).join('&')}`
}
