/**
 * The routes for the page of the machine: agents, doctor, disk, garbage, configuration, figures, report; templates and
 * workflow files.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { offerLearnings } from '../../../src/engine/learnings.ts'
import { answered, api, ask, refusedBy, serveForTests } from '../../rig/api.ts'
import { until } from '../../rig/rig.ts'

serveForTests()

test('agents, the doctor, the disk, garbage, figures and the report', async () => {
  const agents = await answered('agents', { query: { cwd: api.rig.tree } })
  const custom = agents.find(({ name }) => name === 'custom')
  assert.deepEqual([custom?.isProgram, custom?.signedIn], [false, 'unknown'])
  const { checks } = await answered('doctor', {})
  assert.ok(checks.some(({ name, status }) => name === 'git' && status === 'ok'))
  const { freeBytes, parts } = await answered('disk', {})
  assert.ok(freeBytes !== null && freeBytes > 0)
  const bytesOf = (name: string) => parts.find(part => part.name === name)?.bytes ?? 0
  assert.ok(bytesOf('journals') > 0 && bytesOf('checkpoints') > 0)
  const { outputBytes, ...garbage } = await answered('gc', { body: { dry: true } })
  assert.deepEqual(garbage, {
    dryRun: true,
    checkpoints: 0,
    bytes: 0,
    trees: [],
    copies: [],
    outputs: [],
    unknown: { checkpoints: 0, copies: 0, outputs: 0, bytes: 0 },
  })
  assert.ok(outputBytes > 0, 'what the loop printed is counted')
  const { everyMs, samples } = await answered('metricHistory', {})
  assert.ok(everyMs === 60_000 && (samples[0]?.rssBytes ?? 0) > 10_000_000)
  const report = await answered('report', { query: { since: '1h' } })
  assert.deepEqual(
    report.done.map(({ id }) => id),
    [api.loop],
  )
  assert.match(await refusedBy('report', { query: { since: 'soon' } }), /--since is /)
})

test('the tasks and learnings of a directory are those of loop task and loop learn', async () => {
  const query = { cwd: api.rig.tree }
  assert.deepEqual((await answered('tasks', { query })).tasks, [])
  const added = await api.rig.loop(['task', 'add', 'mend the cart', '--cwd', api.rig.tree])
  assert.equal(added.code, 0, added.stderr)
  const { tasks } = await answered('tasks', { query })
  assert.deepEqual(
    tasks.map(({ subject, status }) => [subject, status]),
    [['mend the cart', 'pending']],
  )
  const place = { paths: api.rig.paths, tree: api.rig.tree }
  const texts = ['stripe webhooks come twice', 'a cart may be empty']
  const pending = texts.map((text, i) => ({
    id: `l-abc12${i}`,
    at: '2026-11-17T10:00:00.000Z',
    kind: 'discovery' as const,
    text,
    loop: null,
  }))
  offerLearnings(place, pending)
  assert.deepEqual((await answered('learnings', { query })).pending, pending)
  const settle = (id: string, keep: boolean) =>
    answered('settleLearning', { body: { cwd: api.rig.tree, id, keep } })
  assert.deepEqual(await settle('l-abc120', true), { id: 'l-abc120', kept: true })
  assert.deepEqual(await settle('l-abc121', false), { id: 'l-abc121', kept: false })
  const { learnings, ...rest } = await answered('learnings', { query })
  assert.deepEqual(rest, { pending: [], strange: 0 })
  assert.deepEqual(
    learnings.map(({ text, shown }) => [text, shown]),
    [[texts[0], 0]],
  )
  const gone = { cwd: api.rig.tree, id: 'l-abc121', keep: true }
  assert.match(await refusedBy('settleLearning', { body: gone }), /l-abc121/)
  assert.match(await refusedBy('tasks', { query: { cwd: '/nowhere/at/all' } }), /is not there/)
})

test('a plan is queued with its text as it is; only a plan has findings', async () => {
  const { rig } = api
  const text = "--it's a text; $(touch /tmp/never)"
  const options = { agent: 'custom', agent_cmd: 'true', budget: 1 }
  const plan = { cwd: rig.tree, text, options }
  const { id } = await answered('runPlan', { body: { ...plan, force: true } as never })
  const found = await answered('loop', { params: { id } })
  assert.deepEqual([found.kind, found.program], ['group', 'plan'])
  assert.deepEqual(await answered('findings', { params: { id } }), { id, rounds: [] })
  await answered('command', { params: { id }, body: { kind: 'cancel' } })
  const wish = { kind: 'review', finding: 'F-1', how: 'skip', by: 'me', text: '' } as const
  assert.match(await refusedBy('command', { params: { id }, body: wish }), /cannot be/)
  assert.match(await refusedBy('findings', { params: { id: api.loop } }), /is no group/)
  await until('its end', async () => (await answered('loop', { params: { id } })).status === 'cancelled')
  // Without force the plan waits, because its text leaves questions open.
  const asking = await answered('runPlan', { body: plan as never })
  await until('it to ask', async () => rig.status(asking.id) === 'waiting')
  const { question } = await answered('loop', { params: { id: asking.id } })
  assert.match(question ?? '', /^What must not change, and which limits apply\?/)
  await answered('command', { params: { id: asking.id }, body: { kind: 'cancel' } })
})

test('the configuration of the user is shown, set and unset, with the sentence of loop config', async () => {
  const valueOf = async (key: string) => {
    const { keys } = await answered('config', {})
    const found = keys.find(one => one.key === key)
    return [found?.value, found?.source === 'default', found?.default]
  }
  assert.deepEqual(await valueOf('stuck_limit'), ['5', true, '5'])
  const set = await answered('setConfig', { body: { key: 'stuck_limit', value: '9' } })
  assert.deepEqual(set, { key: 'stuck_limit', value: '9', changed: true })
  assert.deepEqual(await valueOf('stuck_limit'), ['9', false, '5'])
  await answered('setConfig', { body: { key: 'stuck_limit', value: null } })
  assert.deepEqual(await valueOf('stuck_limit'), ['5', true, '5'])
  const wrong = { key: 'stuck_limit', value: '-x' }
  assert.match(await refusedBy('setConfig', { body: wrong }), /stuck_limit is a whole number of at least 1/)
  assert.match(await refusedBy('setConfig', { body: { key: 'no_such', value: '1' } }), /no_such/)
})

test('a host that the user has named may ask, with the token and its own origin; no other may', async () => {
  const { rig, token } = api
  await answered('setConfig', { body: { key: 'web_ui_hosts', value: 'box.example.org, box:8443' } })
  const status = async (headers: Record<string, string>) =>
    (await ask('/v1/daemon', { headers: { authorization: `Bearer ${token}`, ...headers } })).status
  const rows: [Record<string, string>, number][] = [
    [{ host: 'box.example.org' }, 200],
    [{ host: 'box.example.org', origin: 'https://box.example.org' }, 200],
    [{ host: 'box:8443', origin: 'http://box:8443' }, 200],
    [{ host: 'box.example.org', origin: 'https://evil.example' }, 403],
    [{ host: 'box.example.org', 'sec-fetch-site': 'cross-site' }, 403],
    [{ host: 'box.example.org', authorization: 'Bearer x' }, 401],
    [{ host: 'evil.example' }, 421],
    [{ host: 'box' }, 421],
  ]
  for (const [headers, expected] of rows)
    assert.equal(await status(headers), expected, JSON.stringify(headers))
  await answered('setConfig', { body: { key: 'web_ui_hosts', value: null } })
  assert.equal(await status({ host: 'box.example.org' }), 421)
  const bad = await rig.loop(['config', 'set', 'web_ui_hosts', 'a b/c'])
  assert.match(bad.stderr, /web_ui_hosts is names/)
})

test('templates and workflow files are shown, judged, trusted by the hash of the shown text, and run', async () => {
  const { rig } = api
  const all = await answered('templates', { query: { cwd: rig.tree } })
  assert.ok(all.some(({ name, place }) => name === 'tdd' && place === 'built in'))
  const shown = await answered('template', { params: { template: 'tdd' }, query: { cwd: rig.tree } })
  assert.ok((shown.vars ?? []).length > 0 && shown.text.includes('vars:'))
  assert.match(
    await refusedBy('template', { params: { template: 'tddd' }, query: { cwd: rig.tree } }),
    /Did you mean tdd\?/,
  )
  assert.match(
    await refusedBy('runTemplate', { params: { template: 'tdd' }, body: { cwd: rig.tree } }),
    /needs a value: --set /,
  )
  const file = join(rig.tree, 'flow.yaml')
  const text = 'name: flow\nloops:\n  - id: one\n    prompt: do it\n    promise: test -e flow-{{what}}\n'
  writeFileSync(file, `${text}vars:\n  what: {description: which}\n`)
  const judged = await answered('validate', { body: { cwd: rig.tree, file } })
  assert.deepEqual([judged.valid, judged.loops, judged.unset], [true, ['one'], ['what']])
  writeFileSync(file, 'name: flow\nloops:\n  - id: one\n    promt: do it\n')
  const wrong = await answered('validate', { body: { cwd: rig.tree, file } })
  assert.equal(wrong.valid, false)
  assert.ok(wrong.problems.some(({ line, message }) => line === 4 && /promt/.test(message)))

  writeFileSync(file, `${text}vars:\n  what: {description: which}\n`)
  const options = { agent: 'custom', agent_cmd: 'touch "flow-$LOOP_VAR_what"; touch flow-a' }
  const run = { cwd: rig.tree, file, set: { what: 'a' }, options }
  assert.match(await refusedBy('runWorkflow', { body: run as never }), /is not trusted/)
  const { hash, isTrusted } = await answered('validate', { body: { cwd: rig.tree, file } })
  assert.deepEqual(
    [shown.isTrusted, isTrusted],
    [true, false],
    'a file of the project, unlike what is built in',
  )
  const { id } = await answered('runWorkflow', { body: { ...run, trust: hash } as never })
  await until('its end', async () => (await answered('loop', { params: { id } })).status === 'completed')
  assert.ok((await answered('validate', { body: { cwd: rig.tree, file } })).isTrusted)
})
