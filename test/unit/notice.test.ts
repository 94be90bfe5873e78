/** Who is told what, by which way, and what becomes of a notice that does not get through. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { notify, wordsOf } from '../../src/adapters/notify.ts'
import { evolve } from '../../src/core/evolve.ts'
import type { State } from '../../src/core/state.ts'
import type { Event } from '../../src/model/event.ts'
import { noticeOf } from '../../src/views/notice.ts'
import { after, at, created, ended, held, recorded } from './given.ts'

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
    { kind: 'loop.completed', data: {} },
    ['info', 'loop ID completed', 'completed'],
  ],
  [
    'failed',
    at('boundary'),
    { kind: 'loop.failed', data: { reason: 'stuck' } },
    ['error', 'loop ID failed', 'stuck'],
  ],
  [
    'crashed',
    at('boundary'),
    { kind: 'loop.crashed', data: { reason: 'agent-errors' } },
    ['error', 'loop ID crashed', 'agent-errors'],
  ],
  ['a question', at('boundary'), held('unanswered'), ['warning', 'loop ID waits for you', 'unanswered']],
  ['a broken step', at('boundary'), held('step-failed'), ['warning', 'loop ID is paused', 'step-failed']],
  ['a pause of the user', at('boundary'), held('paused-by-user'), null],
  ['cancelled by the user', at('boundary'), { kind: 'loop.cancelled', data: {} }, null],
  ['a run that cost little', running, ended(1, { costUsd: 1 }), null],
]

for (const [what, before, event, expected] of cases) {
  test(`told or not: ${what}`, () => assert.deepEqual(told(before, event), expected))
}

test('80 % of the budget is told once', () => {
  const poor = { ...running, spec: { ...running.spec, budgetUsd: 10 } }
  const most = ['warning', 'loop ID has spent most of its budget', 'budget-80']
  assert.equal(told({ ...poor, costUsd: 2 }, ended(1, { costUsd: 5.9 })), null)
  assert.deepEqual(told({ ...poor, costUsd: 2 }, ended(1, { costUsd: 6 })), most)
  assert.equal(told({ ...poor, costUsd: 8 }, ended(1, { costUsd: 1 })), null)
})

test('what an agent or a prompt says steers no terminal', () => {
  const state = created({ prompt: 'a\u001B]0;title\u0007b\nsecond line' })
  const grown = recorded({ kind: 'loop.completed', data: {} }, { seq: 2 })
  assert.equal(noticeOf(grown, after(state, grown), state)?.message, 'ab: the promise already holds')
})

test('a command line is words, and nothing in it means anything', () => {
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

const message = { title: 't', message: 'm', level: 'info', loop: 'abcdef', reason: 'completed' }

test('a webhook that refuses is tried again, and gets the notice once it takes it', async t => {
  const bodies: string[] = []
  const server = createServer((asked, answer) => {
    let body = ''
    asked.on('data', chunk => {
      body += chunk
    })
    asked.on('end', () => {
      bodies.push(body)
      answer.writeHead(bodies.length === 1 ? 503 : 204).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  const failures: string[] = []
  const webhook = `http://127.0.0.1:${address.port}/hook`
  const channels = {
    command: [],
    webhook,
    env: {},
    failed: (_: string, why: string) => void failures.push(why),
  }
  await notify(message, channels, AbortSignal.timeout(30_000))
  assert.deepEqual(
    bodies.map(body => JSON.parse(body)),
    [message, message],
  )
  assert.deepEqual(failures, [])
})

test('a command that is not there is said, and nothing is thrown', async () => {
  const failures: string[] = []
  const failed = (channel: string, why: string) => void failures.push(`${channel}: ${why}`)
  const channels = { command: ['/nowhere/notify'], webhook: null, env: {}, failed }
  await notify(message, channels, AbortSignal.timeout(5_000))
  assert.match(failures.join(), /^command: \/nowhere\/notify: .*ENOENT/)
})
