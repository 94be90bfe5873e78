/** Notices: which events cause one, by which channel, and what happens to a notice that cannot be delivered. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { notify, type Telling, wordsOf } from '../../../../../src/adapters/notify.ts'
import { evolve } from '../../../../../src/core/loop/evolve.ts'
import type { State } from '../../../../../src/core/loop/state.ts'
import type { Event } from '../../../../../src/model/loop/event.ts'
import { noticeOf } from '../../../../../src/views/faces/notice.ts'
import { after, at, but, created, ended, held, recorded, shipped, unready } from '../../../../rig/given.ts'

function told(before: State, event: Event) {
  const grown = recorded(event, { seq: before.seq + 1, at: before.lastAt })
  const notice = noticeOf(grown, evolve(before, grown), before)
  return notice && [notice.level, notice.title.replace(before.id, 'ID'), notice.reason]
}

const running = at('running')

const cases: [string, State, Event, string[] | null][] = [
  [
    'completed',
    at('boundary'),
    { kind: 'loop.completed', data: { ship: shipped } },
    ['info', 'loop ID completed', 'completed'],
  ],
  [
    'failed',
    at('boundary'),
    { kind: 'loop.failed', data: { reason: 'stuck', ship: unready } },
    ['error', 'loop ID failed', 'stuck'],
  ],
  [
    'crashed',
    at('boundary'),
    { kind: 'loop.crashed', data: { reason: 'agent-errors', ship: unready } },
    ['error', 'loop ID crashed', 'agent-errors'],
  ],
  ['a question', at('boundary'), held('unanswered'), ['warning', 'loop ID waits for you', 'unanswered']],
  [
    'a question of a loop of the background',
    after(
      at('boundary'),
      { kind: 'loop.queued', data: { priority: 'normal' } },
      { kind: 'loop.dequeued', data: {} },
    ),
    { kind: 'question.asked', data: { criterion: 'red or blue?', agent: true } },
    ['warning', 'loop ID waits for you', 'question'],
  ],
  [
    'a promise that may never work',
    at('initial'),
    held('promise-doubtful'),
    ['warning', 'loop ID waits for you', 'promise-doubtful'],
  ],
  ['a broken step', at('boundary'), held('step-failed'), ['warning', 'loop ID is paused', 'step-failed']],
  ['a pause of the user', at('boundary'), held('paused-by-user'), null],
  ['cancelled by the user', at('boundary'), { kind: 'loop.cancelled', data: { ship: unready } }, null],
  ['a run that cost little', running, ended(1, { costUsd: 1 }), null],
]

for (const [what, before, event, expected] of cases) {
  test(`told or not: ${what}`, () => assert.deepEqual(told(before, event), expected))
}

test('80 % of the budget is told once', () => {
  const spent = (costUsd: number) => but(running, { spec: { budgetUsd: 10 }, cost: { costUsd } })
  const most = ['warning', 'loop ID has spent most of its budget', 'budget-80']
  assert.equal(told(spent(2), ended(1, { costUsd: 5.9 })), null)
  assert.deepEqual(told(spent(2), ended(1, { costUsd: 6 })), most)
  assert.equal(told(spent(8), ended(1, { costUsd: 1 })), null)
  const cut = recorded(ended(1, { how: 'timeout', costUsd: 6, costIncomplete: true }))
  const message = noticeOf(cut, after(spent(2), cut), spent(2))?.message
  assert.equal(message, 'at least $8 of $10 spent: add a cart')
})

test('what an agent or a prompt says steers no terminal', () => {
  const state = created({ prompt: 'a\u001B]0;title\u0007b\nsecond line' })
  const grown = recorded({ kind: 'loop.completed', data: { ship: shipped } }, { seq: 2 })
  assert.equal(noticeOf(grown, after(state, grown), state)?.message, 'ab: the promise already holds')
})

test('a command line is split into words, and no character in it is special', () => {
  assert.deepEqual(wordsOf(' notify-send  -u "low end" \'a b\'c $HOME `x` '), [
    'notify-send',
    '-u',
    'low end',
    'a bc',
    '$HOME',
    '`x`',
  ])
  assert.deepEqual(wordsOf(''), [])
})

const message = {
  id: 'abcdef:9',
  at: 1,
  title: 't',
  message: 'm',
  level: 'info',
  loop: 'abcdef',
  reason: 'completed',
}

/** A webhook that answers with these codes, one after the other; the last one repeats. */
async function webhookOf(t: TestContext, codes: number[]) {
  const bodies: string[] = []
  const keys: (string | undefined)[] = []
  const server = createServer((asked, answer) => {
    let body = ''
    keys.push(asked.headers.authorization)
    asked.on('data', chunk => {
      body += chunk
    })
    asked.on('end', () => {
      bodies.push(body)
      answer.writeHead(codes[bodies.length - 1] ?? codes.at(-1) ?? 500).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  return { bodies, keys, url: `http://127.0.0.1:${address.port}/hook` }
}

function tellingBy(command: string[], webhook: string | null) {
  const said: string[] = []
  const telling: Telling = {
    channels: () => ({ command, webhook }),
    env: {},
    signal: new AbortController().signal,
    told: channel => void said.push(`${channel} told`),
    failed: (channel, why, givenUp) =>
      void said.push(`${channel} ${givenUp ? 'given up' : 'failed'}: ${why}`),
    pausesMs: [1, 1],
  }
  return { said, telling }
}

test('a webhook that refuses is tried again, and gets the notice once it takes it', async t => {
  const { bodies, url } = await webhookOf(t, [503, 204])
  const { said, telling } = tellingBy([], url)
  assert.equal(await notify(message, telling), true)
  assert.deepEqual(
    bodies.map(body => JSON.parse(body)),
    [message, message],
  )
  assert.deepEqual(said, ['command told', 'webhook failed: it answered 503', 'webhook told'])
})

test('a webhook that never takes it is given up after the last try', async t => {
  const { bodies, url } = await webhookOf(t, [500])
  const { said, telling } = tellingBy([], url)
  assert.equal(await notify(message, telling), true)
  assert.equal(bodies.length, 3)
  assert.equal(said.at(-1), 'webhook given up: it answered 500')
})

test('stopped before it was taken, it is not settled', async t => {
  const { url } = await webhookOf(t, [500])
  const stop = new AbortController()
  const { telling } = tellingBy([], url)
  const failed = () => stop.abort()
  assert.equal(await notify(message, { ...telling, signal: stop.signal, failed, pausesMs: [60_000] }), false)
})

test('an address that is mended between two tries is used', async t => {
  const { bodies, url } = await webhookOf(t, [204])
  const { telling } = tellingBy([], null)
  let webhook = 'http://127.0.0.1:1/'
  const failed = () => {
    webhook = url
  }
  await notify(message, { ...telling, failed, channels: () => ({ command: [], webhook }) })
  assert.equal(bodies.length, 1)
})

test('a command that fails is tried again; one that is not there is given up at once', async () => {
  const failing = tellingBy(['/bin/sh', '-c', 'exit 3'], null)
  await notify(message, failing.telling)
  assert.deepEqual(
    failing.said.filter(line => line.startsWith('command')),
    [
      'command failed: /bin/sh: exit 3',
      'command failed: /bin/sh: exit 3',
      'command given up: /bin/sh: exit 3',
    ],
  )
  const missing = tellingBy(['/nowhere/notify'], null)
  await notify(message, missing.telling)
  const [only, ...more] = missing.said.filter(line => line.startsWith('command'))
  assert.match(only ?? '', /^command given up: \/nowhere\/notify: .*ENOENT/)
  assert.deepEqual(more, [])
})

test('a name and a password in the address are sent as such, and are in no message', async t => {
  const { keys, url } = await webhookOf(t, [401, 204])
  const { said, telling } = tellingBy([], url.replace('://', '://me:s%40crt@'))
  await notify(message, telling)
  assert.deepEqual(
    keys,
    Array.from({ length: 2 }, () => `Basic ${btoa('me:s@crt')}`),
  )
  assert.doesNotMatch(said.join(), /s(%40|@)crt/)
})
