/**
 * Groups over the API of loopd and over MCP: started by the same options, shown as one row with members, commanded by
 * people.
 */

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { failureWords } from '../../../src/failures/words.ts'
import { call } from '../../../src/server/api/client.ts'
import { api, ask, collect, answered as fits, refusedBy, serveForTests } from '../../rig/api.ts'
import { cost, waitFor } from '../../rig/group.ts'
import { connect } from '../../rig/mcp-client.ts'
import { until } from '../../rig/rig.ts'

serveForTests()

type Body = Record<string, unknown>

async function started(more: Body): Promise<string> {
  const body = { prompt: 'do it', agent: 'custom', cwd: api.rig.tree, ...more } as never
  const asked = await call(api.socket, 'start', { body })
  assert.ok(asked.ok, asked.ok ? '' : failureWords(asked.failure))
  return asked.value.id
}

async function detailOf(id: string) {
  const asked = await call(api.socket, 'loop', { params: { id } })
  assert.ok(asked.ok)
  return asked.value
}

const command = (id: string, body: Body) =>
  call(api.socket, 'command', { params: { id }, body: body as never })

async function refusal(id: string, body: Body): Promise<string> {
  const asked = await command(id, body)
  assert.ok(!asked.ok, JSON.stringify(body))
  return failureWords(asked.failure)
}

test('a best-of is started, listed as one row, chosen by a person, and rolled back', async () => {
  const agent_cmd = `${cost(0.25)}; echo x > best`
  const id = await started({ promise: 'test -f best', agent_cmd, best_of: 2, best_of_manual: true })
  await until('it to ask', async () => (await detailOf(id)).status === 'waiting')
  const asking = await detailOf(id)
  assert.equal(asking.kind, 'group')
  assert.equal(asking.program, 'best-of')
  assert.equal(asking.costUsd, 0.5)
  assert.deepEqual(asking.choices, ['1-direct', '2-tests-first', 'none'])
  assert.deepEqual(
    asking.members?.map(({ node, status, group }) => [node, status, group]),
    ['1-direct', '2-tests-first'].map(node => [node, 'completed', id]),
  )
  assert.ok(asking.next.includes(`loop answer ${id} 1-direct`))

  const listed = await call(api.socket, 'loops', { query: {} })
  assert.ok(listed.ok)
  assert.deepEqual(
    listed.value.rows.map(row => [row.id, row.kind, row.members?.length]),
    [
      [id, 'group', 2],
      [api.loop, 'loop', undefined],
    ],
  )

  const [first] = asking.members ?? []
  assert.match(
    await refusal(id, { kind: 'inject', text: 'x' }),
    /is a group, and inject is for one loop\. Its loops: /,
  )
  assert.match(await refusal(id, { kind: 'checkpoint', name: null }), /checkpoint is for one loop/)
  assert.match(
    await refusal(id, { kind: 'answer', by: 'me', text: 'nobody' }),
    /is answered by one of: 1-direct/,
  )
  assert.match(await refusal(id, { kind: 'resume', agent: 'claude' }), /--agent is for one loop/)
  assert.match(await refusal(api.loop, { kind: 'pick', node: '1' }), /is no group: there is nothing to pick/)
  const history = await call(api.socket, 'history', { params: { id } })
  assert.ok(!history.ok && /is a group, and this is for one loop/.test(failureWords(history.failure)))
  const headers = {
    authorization: `Bearer ${api.token}`,
    'content-type': 'application/json',
    'x-loop-run': String(first?.id),
  }
  for (const body of [
    { kind: 'pause' },
    { kind: 'pick', node: '1' },
    { kind: 'answer', by: 'a', text: 'none' },
  ]) {
    const asked = await ask(`/v1/loops/${id}/commands`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    assert.ok(asked.status >= 400, `${body.kind}: ${asked.text}`)
  }

  const drawn = await fits('graph', { params: { id } })
  assert.deepEqual(
    drawn.nodes.map(({ id: node, kind, needs, stage }) => [node, kind, needs.length, stage]).slice(0, 2),
    [
      ['1-direct', 'loop', 0, 'ended'],
      ['2-tests-first', 'loop', 0, 'ended'],
    ],
  )
  const gate = drawn.nodes.find(({ kind }) => kind === 'gate')
  assert.deepEqual([gate?.stage, gate?.choices], ['started', ['1-direct', '2-tests-first', 'none']])
  assert.match(await refusedBy('graph', { params: { id: api.loop } }), /is no group/)

  const answered = await command(id, { kind: 'answer', by: 'me', text: '2-tests-first' })
  assert.ok(answered.ok, answered.ok ? '' : failureWords(answered.failure))
  await until('its end', async () => (await detailOf(id)).status === 'completed')
  assert.equal((await detailOf(id)).inTree, '2-tests-first')
  assert.equal(readFileSync(join(api.rig.tree, 'best'), 'utf8'), 'x\n')
  const kinds = (await collect(`/v1/loops/${id}/events/stream`, 3)).map(
    ({ data }) => (data as { kind: string }).kind,
  )
  assert.deepEqual(kinds.slice(0, 3), ['group.created', 'group.queued', 'group.dequeued'])

  const compared = await fits('compare', { params: { id } })
  assert.deepEqual(
    [compared.winner, compared.inTree, compared.why],
    ['2-tests-first', '2-tests-first', 'your choice'],
  )
  assert.deepEqual(
    compared.attempts.map(one => [one.node, one.how, one.costUsd]),
    [
      ['1-direct', 'completed', 0.25],
      ['2-tests-first', 'completed', 0.25],
    ],
  )
  const range = { from: '1-direct', to: '2-tests-first' }
  const same = await fits('changes', { params: { id }, query: range })
  assert.deepEqual(same.files, [])
  const brought = await fits('changes', { params: { id }, query: { from: 'initial', to: '1-direct' } })
  assert.deepEqual(
    brought.files.map(({ path }) => path),
    ['best'],
  )

  const rolled = await command(id, { kind: 'rollback', to: 'initial' })
  assert.ok(rolled.ok, rolled.ok ? '' : failureWords(rolled.failure))
  assert.equal((await detailOf(id)).inTree, null)
  const picked = await command(id, { kind: 'pick', node: '1' })
  assert.ok(picked.ok, picked.ok ? '' : failureWords(picked.failure))
  await until('the pick', async () => (await detailOf(id)).inTree === '1-direct')
  const { text } = await ask('/metrics', { headers: { authorization: `Bearer ${api.token}` } })
  assert.match(text, /^loop_groups\{status="completed"\} 1$/m)
  assert.match(text, /^loops\{status="completed"\} 3$/m)
})

test('the stream of loops shows a group with its members as they change; pause, resume and cancel reach it', async () => {
  const agent_cmd = `${cost(0.1)}; ${waitFor('go')}; echo x >> work2`
  const id = await started({ promise: 'test -f never', agent_cmd, best_of: 2, max_iterations: 50 })
  await until('both to run', async () => {
    const { members = [] } = await detailOf(id)
    return members.length === 2 && members.every(({ status }) => status === 'running')
  })
  const frames = await collect('/v1/stream', 4)
  const shown = frames.filter(({ event }) => event === 'loop').map(({ data }) => data as Body)
  const group = shown.find(one => one['id'] === id)
  assert.equal((group?.['members'] as unknown[] | undefined)?.length, 2)
  assert.equal(shown.filter(one => one['group'] === id).length, 2)

  assert.ok((await command(id, { kind: 'pause' })).ok)
  writeFileSync(join(api.rig.aside, 'go'), '')
  await until('it to rest', async () => (await detailOf(id)).status === 'paused')
  const resting = await detailOf(id)
  assert.equal(resting.reason, 'paused by you')
  for (const { reason } of resting.members ?? []) assert.equal(reason, 'paused with its group')
  assert.deepEqual(resting.next, [`loop resume ${id} -b`])
  assert.ok((await command(id, { kind: 'resume', budget: 30 })).ok)
  await until('it to go on', async () => (await detailOf(id)).status === 'running')
  assert.equal((await detailOf(id))['budgetUsd'], 30)
  assert.ok((await command(id, { kind: 'cancel' })).ok)
  await until('its end', async () => (await detailOf(id)).status === 'cancelled')
})

test('over MCP: a best-of is started and shown, and a tool for a single loop answers with its loops', async t => {
  const session = await connect(t, api.rig)
  const agent_cmd = `${waitFor('mcp')}; echo x > mcp`
  const wish = { prompt: 'do it', promise: 'test -f mcp', agent: 'custom', agent_cmd, best_of: 2 }
  const answer = await session.call('start', wish)
  assert.equal(answer.refused, false, answer.text)
  const id = String(answer.value['id'])
  const rowOf = async (asked: Body = {}) => {
    const { value } = await session.call('status', asked)
    return (value['loops'] as (Body & { members?: Body[] })[]).find(row => row['id'] === id)
  }
  const row = await until('its members', async () => {
    const found = await rowOf()
    return found?.members?.length === 2 ? found : null
  })
  assert.deepEqual([row['kind'], row['program']], ['group', 'best-of'])
  assert.deepEqual(
    row.members?.map(one => one['node']),
    ['1-direct', '2-tests-first'],
  )
  for (const [tool, more] of [
    ['criteria', {}],
    ['history', {}],
    ['inject', { text: 'x' }],
  ] as const) {
    const refused = await session.call(tool, { loop: id, ...more })
    assert.ok(refused.refused, tool)
    assert.match(refused.text, /is a group, and this is for one loop\. Name one of its members: \w{6}, \w{6}/)
  }
  const one = await session.call('criteria', { loop: String(row.members?.[0]?.['id']) })
  assert.deepEqual(one.value['unmet'], ['test -f mcp'])
  writeFileSync(join(api.rig.aside, 'mcp'), '')
  await until('its end', async () => (await rowOf({ loop: id }))?.['status'] === 'completed')
  const tools = (await session.client.listTools()).tools.map(({ name }) => name)
  for (const forPeople of ['pick', 'apply']) assert.ok(!tools.includes(forPeople))
  const choice = await session.call('answer', { loop: id, text: '1-direct' })
  assert.match(
    choice.text,
    /is for a human, not for the agent/,
    'only a plan takes the words of its user from an agent',
  )
})
