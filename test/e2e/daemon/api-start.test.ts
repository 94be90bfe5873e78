/** A start from the page: the form, its preview, trust in exactly the text that was read, and the environment. */
import assert from 'node:assert/strict'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { call } from '../../../src/server/api/client.ts'
import { answered, api, refusedBy, serveForTests } from '../../rig/api.ts'
import { readOr } from '../../rig/rig.ts'

serveForTests()

const body = (more: object = {}) =>
  ({
    prompt: "it's done",
    promise: 'true',
    cwd: api.rig.tree,
    agent: 'custom',
    agent_cmd: 'true',
    ...more,
  }) as never

test('the form, the recent directories, and what is known of one before a start', async () => {
  const { start, plan, workflow, resume } = await answered('options', {})
  assert.ok(start.some(({ key }) => key === 'promise') && resume.some(({ key }) => key === 'budget'))
  assert.ok(plan.some(({ key, section }) => key === 'reviewers' && section === 'plan'))
  for (const some of [plan, workflow]) assert.ok(!some.some(({ key }) => key === 'promise'))
  const [recent] = await answered('projects', {})
  assert.deepEqual([recent?.cwd, recent?.loops, recent?.exists], [realpathSync(api.rig.tree), 1, true])
  const manifest = { name: 'x', scripts: { test: 'node --test' } }
  writeFileSync(join(api.rig.tree, 'package.json'), JSON.stringify(manifest))
  const known = await answered('project', { query: { cwd: api.rig.tree } })
  assert.equal(known.commands['test']?.command, 'npm test')
  assert.deepEqual([known.config, known.problem, known.environment.from], [null, null, 'loopd'])
  assert.match(await refusedBy('project', { query: { cwd: '/nowhere/at/all' } }), /is not there/)
})

test('the preview of a start: the spec, the plan, the command; it starts nothing', async () => {
  const before = api.rig.loops().length
  const found = await answered('resolve', { body: body({ max_iterations: 3, best_of: 2 }) })
  assert.deepEqual([found.spec['maxIterations'], found.group?.program], [3, 'best-of'])
  assert.match(found.command, /^loop start 'it'\\''s done' -b --promise true --max-iterations 3 /)
  assert.ok(found.plan.some(line => /worst case/.test(line)))
  assert.match(found.environment.words, /the environment of loopd: none was kept/)
  assert.equal(api.rig.loops().length, before)
  assert.match(await refusedBy('resolve', { body: body({ timeout: 'soon' }) }), /--timeout is a time like/)
})

test('a configuration is trusted by the hash of the text that was read, and by no other', async () => {
  const { rig } = api
  const file = join(rig.tree, '.loop', 'config.yaml')
  mkdirSync(join(rig.tree, '.loop'), { recursive: true })
  writeFileSync(file, 'max_iterations: 3\n')
  const read = (await answered('project', { query: { cwd: rig.tree } })).config
  assert.deepEqual([read?.trust, read?.text], ['new', 'max_iterations: 3\n'])
  writeFileSync(file, 'max_iterations: 4\n')
  assert.match(
    await refusedBy('start', { body: body({ trust_config: read?.hash }) }),
    /is not what you have read/,
  )
  const again = (await answered('project', { query: { cwd: rig.tree } })).config
  const looked = await answered('resolve', { body: body({ trust_config: again?.hash }) })
  assert.deepEqual([looked.spec['maxIterations'], looked.notices], [4, []])
  assert.equal(
    (await answered('project', { query: { cwd: rig.tree } })).config?.trust,
    'new',
    'a look trusts nothing',
  )
  const { id, notices } = await answered('start', { body: body({ trust_config: again?.hash }) })
  assert.deepEqual(notices, [])
  const [created] = rig.events(id)
  assert.ok(created?.kind === 'loop.created')
  assert.equal(created.data.spec.maxIterations, 4)
  assert.equal((await answered('project', { query: { cwd: rig.tree } })).config?.trust, 'trusted')
  const asked = await call(api.socket, 'start', { body: body({ trust_config: 'yes' }) })
  assert.equal(asked.ok, false)
})

test('a loop from the page has the environment last kept for its directory, and its secrets stay hidden', async () => {
  const { rig } = api
  const secret = 'kept-5ecret-of-a-shell'
  const agent = 'echo "$FROM_SHELL $MY_API_KEY"; echo x >> again'
  const kept = await rig.loop(
    ['start', 'x', '-p', 'false', '--agent', 'custom', '--agent-cmd', 'true', '-n', '1', '-b', '--json'],
    { env: { FROM_SHELL: 'of the shell', MY_API_KEY: secret } },
  )
  assert.equal(kept.code, 0, kept.stderr)
  const first = JSON.parse(kept.stdout).id as string
  await rig.reaches(first, 'failed')
  const known = await answered('project', { query: { cwd: rig.tree } })
  assert.deepEqual([known.environment.from, known.environment.loop], ['kept', first])
  const { id, environment } = await answered('start', {
    body: body({ promise: 'test -e again', agent_cmd: agent }),
  })
  assert.equal(environment.loop, first)
  await rig.reaches(id, 'completed')
  assert.match(readOr(join(rig.dir(id), 'runs/1/out')), /^of the shell /)
  const params = { id: first, run: '1', output: 'out' as const }
  assert.equal(JSON.stringify(await answered('lines', { params, query: {} })).includes(secret), false)
  const resolved = await answered('resolve', { body: body({ prompt: 'say it' }) })
  assert.equal(resolved.environment.from, 'kept')
})
