/** How hosts are written, and which one is meant. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isListed, ownPorts, parseNetwork, parseReach } from '../../../../src/model/loop/network.ts'

test('a host is a name or an address, with a port or the two usual ones', () => {
  const rows: [string, { host: string; ports: number[] } | null][] = [
    ['example.com', { host: 'example.com', ports: [443, 80] }],
    ['Example.COM:8443', { host: 'example.com', ports: [8443] }],
    ['*.example.com', { host: '*.example.com', ports: [443, 80] }],
    ['10.0.0.7:5432', { host: '10.0.0.7', ports: [5432] }],
    ['[fd00::1]:80', { host: 'fd00::1', ports: [80] }],
    ['localhost:5432', { host: 'localhost', ports: [5432] }],
    ...[
      '',
      '*',
      '*.com',
      'a*.example.com',
      'https://example.com',
      'example.com/x',
      'user@example.com',
      'example.com:0',
      'example.com:65536',
      'example.com:443:80',
      'fd00::1',
      'exa mple.com',
      'localhost',
      '127.0.0.1',
      '127.0.0.1:80',
      '[::1]:443',
    ].map((text): [string, null] => [text, null]),
  ]
  for (const [text, expected] of rows) assert.deepEqual(parseReach(text), expected, text)
})

test('a network is open, none, or a list', () => {
  assert.equal(parseNetwork('open'), 'open')
  assert.deepEqual(parseNetwork('none'), [])
  assert.deepEqual(parseNetwork('a.example, B.example:81'), ['a.example', 'b.example:81'])
  for (const text of ['', 'a.example,', 'none,', 'open everything'])
    assert.equal(parseNetwork(text), null, text)
})

test('a host is listed by its text and its port', () => {
  const list = ['a.example', '*.b.example:8443', '10.0.0.7:5432']
  const rows: [string, number, boolean][] = [
    ['a.example', 443, true],
    ['a.example', 80, true],
    ['a.example', 22, false],
    ['x.a.example', 443, false],
    ['xa.example', 443, false],
    ['a.example.evil', 443, false],
    ['x.b.example', 8443, true],
    ['x.y.b.example', 8443, true],
    ['b.example', 8443, false],
    ['xb.example', 8443, false],
    ['x.b.example', 443, false],
    ['10.0.0.7', 5432, true],
    ['10.0.0.7', 5433, false],
    ['167772167', 5432, false],
  ]
  for (const [host, port, expected] of rows)
    assert.equal(isListed(list, { host, port }), expected, `${host}:${port}`)
})

test('ports of this machine have a door each, once', () => {
  assert.deepEqual(
    ownPorts(['a.example', 'localhost:5432', '127.0.0.1:5432', '[::1]:5432', '127.0.0.2:80']),
    [
      { host: '127.0.0.1', port: 5432, at: '127.0.0.1' },
      { host: '::1', port: 5432, at: '::1' },
    ],
  )
})
