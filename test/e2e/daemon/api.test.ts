/** The answers of loopd's routes: they fit their schemas, streams continue where they were cut, a browser signs in. */

import assert from 'node:assert/strict'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type * as z from 'zod'
import { failureWords } from '../../../src/failures/words.ts'
import { call } from '../../../src/server/api/client.ts'
import type { Route } from '../../../src/server/api/contract/route.ts'
import { type RouteName, routes } from '../../../src/server/api/contract.ts'
import { api, ask, collect, keyOf, serveForTests } from '../../rig/api.ts'
import { readOr, until } from '../../rig/rig.ts'

serveForTests()

const all = Object.entries(routes) as [RouteName, Route][]

test('a body is refused if it is not JSON, has another content type, or does not fit the route', async () => {
  const authorization = `Bearer ${api.token}`
  const post = (type: string, body: string) =>
    ask(`/v1/loops/${api.loop}/commands`, {
      method: 'POST',
      headers: { authorization, 'content-type': type },
      body,
    })
  assert.equal((await post('text/plain', '{"kind":"pause"}')).status, 415)
  assert.equal((await post('application/json', '{"kind":')).status, 400)
  assert.equal((await post('application/json', '{"kind":"dance"}')).status, 400)
  assert.equal((await post('application/json', '{"kind":"pause","more":1}')).status, 400)
  const refused = await post('application/json', '{"kind":"pause"}')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /it has already ended: completed/)
})

test('every route that answers with JSON keeps to its schema', async () => {
  const params = { id: api.loop, run: '1', file: 'out' as const }
  const answers: [RouteName, Awaited<ReturnType<typeof call>>][] = [
    ['daemon', await call(api.socket, 'daemon')],
    ['loops', await call(api.socket, 'loops', { query: {} })],
    ['loop', await call(api.socket, 'loop', { params })],
    ['events', await call(api.socket, 'events', { params, query: {} })],
    ['history', await call(api.socket, 'history', { params })],
    ['diff', await call(api.socket, 'diff', { params, query: { from: 'initial', to: 'iter-001-after' } })],
    ['openapi', await call(api.socket, 'openapi')],
  ]
  for (const [name, answer] of answers) {
    assert.ok(answer.ok, `${name}: ${answer.ok ? '' : failureWords(answer.failure)}`)
    const parsed = (routes[name].answer as z.ZodType).safeParse(answer.value)
    assert.ok(parsed.success, `${name}: ${parsed.error?.message}`)
  }
  const document = answers.at(-1)?.[1]
  assert.ok(document?.ok)
  const { paths } = document.value as { paths: Record<string, object> }
  assert.deepEqual(new Set(Object.keys(paths)), new Set(all.map(([, { path }]) => path)))
})

test('an address of loop ui gives a key once; the key is enough from then on', async () => {
  const key = await keyOf(api.rig)
  assert.match(key, /^\d+\.[\w-]{43}$/)
  const headers = { authorization: `Bearer ${key}` }
  assert.equal((await ask('/v1/loops', { headers })).status, 200)
  assert.equal((await ask('/v1/loops', { headers: { cookie: `loopd=${key}` } })).status, 401)
  const page = await ask('/', {})
  assert.equal(page.status, 200)
  assert.match(page.text, /^<!doctype html>/)
  assert.equal(statSync(api.rig.paths.daemon.token).mode & 0o777, 0o600)
})

test('the figures are those of the journal', async () => {
  const { text } = await ask('/metrics', { headers: { authorization: `Bearer ${api.token}` } })
  assert.match(text, /^loops\{status="completed"\} 1$/m)
  assert.match(text, /^loop_iterations_total 2$/m)
  assert.match(text, /^loop_verdicts_total\{verdict="PASS"\} 1$/m)
  assert.match(text, /^loop_checkpoint_seconds_count 6$/m)
  assert.match(text, /^loop_agent_seconds_total [\d.]+$/m)
  assert.match(text, /^process_resident_memory_bytes \d+$/m)
  for (const line of text.trim().split('\n'))
    assert.match(line, /^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? \S+)$/)
})

test('a stream of events goes on where it was cut', async () => {
  const whole = await collect(`/v1/loops/${api.loop}/events/stream`, api.rig.events(api.loop).length)
  const events = api.rig.events(api.loop)
  assert.deepEqual(
    whole.map(({ id, data }) => [id, (data as { kind: string }).kind]),
    events.map(({ seq, kind }) => [String(seq), kind]),
  )
  const rest = await collect(`/v1/loops/${api.loop}/events/stream`, events.length - 5, '5')
  assert.deepEqual(rest, whole.slice(5))
})

test('a stream of output goes on where it was cut, and ends with the run', async () => {
  const path = `/v1/loops/${api.loop}/runs/1/out/stream`
  const frames = await collect(path, Number.POSITIVE_INFINITY)
  const text = frames.map(({ data }) => (data as { text?: string }).text ?? '').join('')
  assert.equal(text, readOr(join(api.rig.dir(api.loop), 'runs/1/out')))
  assert.equal(frames.at(-1)?.event, 'end')
  const bytes = Buffer.byteLength('line 1 of äöü\n')
  const rest = await collect(path, Number.POSITIVE_INFINITY, String(bytes))
  assert.match(JSON.stringify(rest[0]?.data), /^\{"text":"line 2 of äöü\\n/)
})

test('the output of a promise is found at the path in its criterion; another path is not found', async () => {
  const headers = { authorization: `Bearer ${api.token}` }
  const { rig } = api
  const id = await rig.background(
    'echo x >> seen',
    'echo "run $(cat seen 2>/dev/null | wc -l)"; test -e seen',
  )
  await rig.reaches(id, 'completed')
  const status = JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
  const [criterion] = Object.values(status.criteria) as { evidence: { output: string } }[]
  assert.equal(criterion?.evidence.output, 'verify/1-0/out')
  const get = (path: string) => ask(`/v1/loops/${id}/${path}`, { headers })
  assert.equal((await get('verify/1-0/out')).text, 'run 1\n')
  assert.equal((await get('verify/0-0/out')).text, 'run 0\n')
  assert.equal((await get('verify/1-0/out?from=4')).text, '1\n')
  for (const path of [
    'verify/2-0/out',
    'verify/1-1/out',
    'runs/77/out',
    'runs/77/prompt',
    'runs/77/out/stream',
  ]) {
    const missing = await get(path)
    assert.equal(missing.status, 404, `${path}: ${missing.text}`)
    assert.equal(JSON.parse(missing.text).error.reason, 'unknown-loop')
  }
  assert.equal((await get('verify/../out')).status, 404)
  assert.equal((await get('verify/x/out')).status, 400)
})

test('a loop is started, watched, paused, resumed and cancelled over the API', async () => {
  const agent_cmd = 'touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; echo x >> work'
  const how = { agent: 'custom', agent_cmd, checkpoint: 'none', no_baseline: true, max_iterations: 2 }
  const body = { prompt: 'do the work', promise: 'never=false', cwd: api.rig.tree, ...how }
  // Without an environment of its own the loop gets that of loopd.
  const started = await call(api.socket, 'start', { body })
  assert.ok(started.ok, JSON.stringify(started))
  assert.deepEqual(started.value.notices, [])
  const params = { id: started.value.id }
  await until('the agent', () => readOr(join(api.rig.aside, 'up'), 'no') === '')
  const paused = await call(api.socket, 'command', { params, body: { kind: 'pause' } })
  assert.ok(paused.ok, JSON.stringify(paused))
  writeFileSync(join(api.rig.aside, 'go'), '')
  await api.rig.reaches(params.id, 'paused')
  const resumed = await call(api.socket, 'command', { params, body: { kind: 'resume' } })
  assert.ok(resumed.ok, JSON.stringify(resumed))
  await api.rig.reaches(params.id, 'failed')
  const command = (wish: object) => {
    const headers = { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' }
    return ask(`/v1/loops/${params.id}/commands`, { method: 'POST', headers, body: JSON.stringify(wish) })
  }
  const refusals: [object, RegExp][] = [
    [{ timeout: 'long' }, /--timeout is a time like 90s/],
    [{ agent_cmd: '/nonexistent/agent' }, /\/nonexistent\/agent is no program/],
    [{ agent: { agent: 'custom', agentCmd: 'true' } }, /agent/],
    [{}, /it has used 2 iterations; raise the limit/],
  ]
  for (const [changes, sentence] of refusals) {
    const refused = await command({ kind: 'resume', ...changes })
    assert.ok(refused.status >= 400 && refused.status < 500, refused.text)
    assert.match(refused.text, sentence)
  }
  const other = { timeout: '15m', verify_timeout: '1m', agent_cmd: 'echo other >> work', max_iterations: 3 }
  assert.equal((await command({ kind: 'resume', ...other })).status, 200)
  await api.rig.reaches(params.id, 'failed')
  const resumes = api.rig
    .events(params.id)
    .flatMap(event => (event.kind === 'loop.resumed' ? event.data : []))
  const { timeoutMs, verifyTimeoutMs, agent } = resumes.at(-1) ?? {}
  assert.deepEqual([timeoutMs, verifyTimeoutMs, agent?.agentCmd], [900_000, 60_000, 'echo other >> work'])
  assert.match(readOr(join(api.rig.tree, 'work')), /other\n$/)
  const cancelled = await call(api.socket, 'command', { params, body: { kind: 'cancel' } })
  assert.equal(cancelled.ok, false)
})

function postStart(body: object) {
  const headers = { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' }
  return ask('/v1/loops', { method: 'POST', headers, body: JSON.stringify(body) })
}

test('a start over the API is refused with the sentence of the command line, and records nothing', async () => {
  const good = { prompt: 'x', promise: 'true', cwd: api.rig.tree, agent: 'custom', agent_cmd: 'true' }
  const [created] = api.rig.events(api.loop)
  assert.ok(created?.kind === 'loop.created')
  const { promise: _, ...without } = good
  const rows: [object, RegExp][] = [
    [
      { spec: created.data.spec },
      /"the request: Unrecognized key: \\"spec\\"\. There are: prompt, promise, /,
    ],
    [{ ...good, promis: 'true' }, /Unrecognized key: \\"promis\\"\. Did you mean \\"promise\\"\?/],
    [without, /"promise: expected a text, or a list of texts"/],
    [{ ...good, cwd: 'src' }, /"cwd: /],
    [{ ...good, cwd: '/nowhere/at/all' }, /"\/nowhere\/at\/all is not there\. Check --cwd\."/],
    [{ ...good, timeout: 'soon' }, /"--timeout is a time like 90s, 5m or 1h30m; not \\"soon\\"\."/],
    [{ ...good, agent: 'custm' }, /"There is no agent custm\. Did you mean custom\?"/],
    [{ ...good, prompt: '-' }, /"Give the prompt as text: there is no standard input here\."/],
    [{ ...good, priority: 'now' }, /"priority: Invalid option/],
    ...['trust', 'session', 'inject'].map((key): [object, RegExp] => [
      { ...good, [key]: true },
      /"the request: Unrecognized key: /,
    ]),
  ]
  const before = api.rig.loops().length
  for (const [body, sentence] of rows) {
    const { status, text } = await postStart(body)
    assert.equal(status, 400, text)
    assert.match(text, sentence)
  }
  assert.equal(api.rig.loops().length, before)
})

test('a start over the API goes by the configuration of its user, and of its tree once that is trusted', async () => {
  const { rig } = api
  const file = join(rig.tree, '.loop', 'config.yaml')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, 'max_iterations: 3\n')
  await rig.loop(['config', 'set', 'stuck_limit', '9'])
  const started = async () => {
    const how = { agent: 'custom', agent_cmd: 'echo x >> work', injected: ['mind the gap'] }
    const body = { prompt: 'x', promise: 'true', cwd: rig.tree, ...how }
    const answer = await call(api.socket, 'start', { body })
    assert.ok(answer.ok, JSON.stringify(answer))
    await rig.reaches(answer.value.id, 'completed')
    const [created, told] = rig.events(answer.value.id)
    assert.ok(created?.kind === 'loop.created' && told?.kind === 'context.injected')
    const { maxIterations, breakers, attended } = created.data.spec
    return { maxIterations, stuck: breakers?.stuck, attended, notices: answer.value.notices }
  }
  try {
    const notice = `${file} is not trusted and was not used. Read it, then trust it with: loop config trust --cwd ${rig.tree}`
    const common = { stuck: 9, attended: false }
    assert.deepEqual(await started(), { maxIterations: 10, ...common, notices: [notice] })
    await rig.loop(['config', 'trust'])
    assert.deepEqual(await started(), { maxIterations: 3, ...common, notices: [] })
  } finally {
    rmSync(file)
    await rig.loop(['config', 'unset', 'stuck_limit'])
  }
})

/** A paused loop without a host. */
async function pausedLoop(): Promise<string> {
  const agent = 'touch "$ASIDE/here"; while [ ! -e "$ASIDE/on" ]; do sleep 0.02; done; echo x >> work'
  const id = await api.rig.background(agent, 'false')
  await until('the agent', () => readOr(join(api.rig.aside, 'here'), 'no') === '')
  assert.equal((await api.rig.loop(['pause', id])).code, 0)
  writeFileSync(join(api.rig.aside, 'on'), '')
  await api.rig.reaches(id, 'paused')
  return id
}

test('a loop at rest performs concurrent commands one after the other, and a watcher sees each', async () => {
  const id = await pausedLoop()
  const before = api.rig.events(id).length
  const bodies = [1, 2, 3].flatMap(n => [
    { kind: 'rollback' as const, to: 'iter-001' },
    { kind: 'inject' as const, text: `hint ${n}` },
    { kind: 'checkpoint' as const, name: `mine-${n}` },
  ])
  const watched = collect(`/v1/loops/${id}/events/stream`, 1, String(before))
  const answers = await Promise.all(bodies.map(body => call(api.socket, 'command', { params: { id }, body })))
  for (const [i, answer] of answers.entries()) assert.ok(answer.ok, JSON.stringify([bodies[i], answer]))
  const kinds = api.rig.events(id).map(({ kind }) => kind)
  const count = (kind: string) => kinds.slice(before).filter(one => one === kind).length
  assert.deepEqual([count('tree.restored'), count('context.injected')], [3, 3])
  const [frame] = await watched
  assert.equal(frame?.id, String(before + 1))
})

test('a question of an agent appears in the API, and the answer alone lets the loop go on', async () => {
  const { rig } = api
  const agent =
    'case "$(cat)" in *"ada answers: blue"*) echo blue > colour;; *) echo \'{"question":"red or blue?"}\' > "$LOOP_USAGE_FILE";; esac'
  const id = await rig.background(agent, 'grep -q blue colour')
  await rig.reaches(id, 'waiting')
  const asked = await call(api.socket, 'loop', { params: { id } })
  assert.ok(asked.ok, JSON.stringify(asked))
  const { question, reason, next } = asked.value
  assert.deepEqual(
    { question, reason, next },
    {
      question: 'red or blue?',
      reason: 'the agent asks: red or blue?',
      next: [`loop answer ${id} "your answer"`],
    },
  )
  const body = { kind: 'answer' as const, by: 'ada', text: 'blue' }
  const answered = await call(api.socket, 'command', { params: { id }, body })
  assert.ok(answered.ok, JSON.stringify(answered))
  await rig.reaches(id, 'completed')
})
