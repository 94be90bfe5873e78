/**
 * A loop whose sandbox reaches the hosts of a list only: attempts to get out of it, by the agent and by the promise;
 * what does get out; what is said of it; and that its guard ends with its run, whatever happens to the host.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { platform } from '../../src/platform/platform.ts'
import { without } from '../rig/needs.ts'
import { networkEscapes, scriptOf, sender, serversOutside } from '../rig/network-escapes.ts'
import { containments, makeRig, type Rig, startArgs, until } from '../rig/rig.ts'

const skip = without('bwrap')

const held = (list: string) => ['--sandbox', 'required', '--sandbox-network', list]

/** The variables of a test reach agent and promise by their names. */
const passing = (env: Record<string, string>) => ['--pass-env', Object.keys(env).join(',')]

async function statusOf(rig: Rig) {
  return JSON.parse((await rig.loop(['status', '@last', '--json'])).stdout)
}

/** Pids of guards of this rig's loops. */
function guards(rig: Rig): number[] {
  return platform.processes
    .all()
    .filter(({ pid }) => /network-guard/.test(platform.processes.argv(pid)[1] ?? ''))
    .filter(({ pid }) => rig.loops().some(id => platform.processes.variable(pid, 'LOOP_RUN')?.includes(id)))
    .map(({ pid }) => pid)
}

async function attempted(t: TestContext, { more, contain }: { more: string[]; contain?: string }) {
  const outside = await serversOutside(t)
  const rig = makeRig(t)
  Object.assign(rig.env, outside.env, contain && { LOOP_CONTAIN: contain })
  const rows = more.includes('off') ? networkEscapes.filter(({ control }) => control) : networkEscapes
  rig.write('send.cjs', sender)
  rig.write('attempts.sh', scriptOf(rows))
  const list = more.map(word => word.replaceAll(/OPEN|PORT/g, name => outside.env[name] ?? ''))
  const args = startArgs('sh attempts.sh', 'sh attempts.sh; test -f log', '--no-baseline', '-n', '1', ...list)
  // A look at what the agent has written is about something else, and is taken of quick promises only.
  args.push('--allow', 'log')
  const { code, stderr, stdout } = await rig.loop([...args, ...passing(outside.env)])
  assert.equal(code, 0, stderr + stdout)
  // The agent and the promise have both made every attempt.
  const made = readFileSync(join(rig.tree, 'log'), 'utf8').match(/^(tried|sent)$/gm) ?? []
  const proxied = rows.some(({ byProxy }) => byProxy) ? 1 : 0
  assert.equal(made.length, 2 * (rows.length + proxied), stderr + stdout)
  return { rows, gotOut: rows.filter(({ name }) => outside.hasHeard(name)).map(({ name }) => name) }
}

for (const contain of containments) {
  test(`${networkEscapes.length} attempts to get out of the network fail (${contain})`, { skip }, async t => {
    const { gotOut } = await attempted(t, { more: held('127.0.0.2:OPEN'), contain })
    assert.deepEqual(gotOut, [])
  })
}

test('without a sandbox the attempts that need no proxy get out', async t => {
  const { rows, gotOut } = await attempted(t, { more: ['--sandbox', 'off'] })
  assert.ok(rows.length >= 5)
  assert.deepEqual(
    gotOut,
    rows.map(({ name }) => name),
  )
})

test('through the proxy they get out where the host is listed, and only as it is listed', {
  skip,
}, async t => {
  const { gotOut } = await attempted(t, { more: held('127.0.0.2:OPEN,127.0.0.2:PORT') })
  assert.deepEqual(gotOut, ['another-port'])
  const all = await attempted(t, { more: held('127.0.0.2:OPEN,localhost:PORT,127.0.0.1:PORT') })
  const through = ['address', 'address-tunnel', 'name', 'name-tunnel', 'hexadecimal', 'second']
  // That port of this machine has a door, for whoever is in the network of the sandbox.
  const byDoor = ['tcp-to-loopback', 'entered', 'parent']
  assert.deepEqual(
    all.gotOut.filter(name => !byDoor.includes(name)),
    through,
  )
  assert.ok(all.gotOut.includes('tcp-to-loopback'))
})

/** Asks by the proxy of the environment, as Node does when it is told to; prints what it gets. */
const fetching = (url: string) =>
  `node -e 'fetch(process.argv[1]).then(async a => console.log(a.status, await a.text()), e => { console.log(String(e.cause ?? e)); process.exitCode = 1 })' ${url}`

async function answering(t: TestContext, host: string): Promise<{ at: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('hello')
  })
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { at: `${host}:${(server.address() as AddressInfo).port}`, asked }
}

test('listed hosts are reached by agent and promise, ports of this machine without a proxy', {
  skip,
}, async t => {
  const [far, near] = [await answering(t, '127.0.0.2'), await answering(t, '127.0.0.1')]
  const rig = makeRig(t)
  const nearby = near.at.replace('127.0.0.1', 'localhost')
  // It has a server of its own in there too, as tests have.
  const own = `node -e 'const s = require("http").createServer((q, a) => a.end("own")).listen(0, "127.0.0.1", async () => { const a = await fetch("http://localhost:" + s.address().port); process.exit(await a.text() === "own" ? 0 : 1) })'`
  const all = (who: string) =>
    [fetching(`http://${far.at}/${who}`), fetching(`http://${nearby}/${who}`), own].join(' && ')
  const args = startArgs(`( ${all('agent')} ) >got && touch done`, `test -f done && ${all('promise')}`)
  const { code, stdout, stderr } = await rig.loop([
    ...args,
    '-n',
    '1',
    '--no-baseline',
    ...held(`${far.at}, ${nearby}`),
  ])
  assert.equal(code, 0, stdout + stderr)
  assert.equal(readFileSync(join(rig.tree, 'got'), 'utf8'), '200 hello\n200 hello\n')
  // The promise asks once more in the clean copy, if it did not take too long for that.
  for (const { asked } of [far, near]) assert.deepEqual([...new Set(asked)], ['/agent', '/promise'])
  const said = `the agent reaches the provider of its model, and only these are reached besides: ${far.at}, ${nearby}`
  const status = (await rig.loop(['status', '@last'])).stdout
  for (const text of [stdout, stderr, status]) assert.ok(text.includes(said), text)
  assert.deepEqual((await statusOf(rig)).sandbox, {
    level: 'files',
    why: null,
    network: [far.at, nearby],
    refused: {},
  })
})

test('the provider is for the agent, not for the promise; what was refused is said', { skip }, async t => {
  const provider = await answering(t, '127.0.0.2')
  const rig = makeRig(t)
  Object.assign(rig.env, { OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: `http://${provider.at}/v1` })
  const ask = fetching(`http://${provider.at}/v1`)
  const agent = `${ask} && ${fetching('http://example.invalid/agent')}; touch done`
  const promise = `test -f done && ! ${ask}`
  const args = startArgs(agent, promise, '-n', '1', '--no-baseline', ...held('none'))
  const { code, stdout, stderr } = await rig.loop(args)
  assert.equal(code, 0, stdout + stderr)
  assert.deepEqual(provider.asked, ['/v1'])
  const refused = { 'example.invalid:80': 1, [provider.at]: 1 }
  assert.deepEqual((await statusOf(rig)).sandbox, { level: 'files', why: null, network: [], refused })
  const line = `  refused     the sandbox refused example.invalid:80, ${provider.at}; --sandbox-network permits hosts`
  const status = (await rig.loop(['status', '@last'])).stdout
  for (const text of [stdout, status]) assert.ok(text.split('\n').includes(line), text)
  assert.ok(stdout.includes('and nothing else is reached'), stdout)
  const [id = ''] = rig.loops()
  assert.match(
    readFileSync(join(rig.dir(id), 'runs', '1', 'err'), 'utf8'),
    /^loop: the sandbox refused example\.invalid:80, which --sandbox-network does not name$/m,
  )
})

test('the code of the command and its time limit are as without', { skip }, async t => {
  const rig = makeRig(t)
  const start = (agent: string, ...more: string[]) =>
    rig.loop(startArgs(agent, 'exit 3', '-n', '1', '--no-baseline', ...more, ...held('none')))
  assert.equal((await start('exit 7')).code, 1)
  assert.equal((await start('sleep 600', '--timeout', '1s')).code, 1)
  const events = rig.loops().flatMap(id => rig.events(id))
  const ends = events.flatMap(event => (event.kind === 'run.ended' ? [event.data] : []))
  assert.deepEqual([ends[0]?.how, ends[0]?.exitCode, ends[1]?.how], ['exited', 7, 'timeout'])
  const results = events.flatMap(event => (event.kind === 'promise.verified' ? event.data.results : []))
  assert.deepEqual(
    results.map(({ exitCode }) => exitCode),
    [3, 3],
  )
  assert.deepEqual(guards(rig), [])
})

for (const contain of containments) {
  test(`killed, the host leaves a run that goes on, and nothing of it afterwards (${contain})`, {
    skip,
  }, async t => {
    const server = await answering(t, '127.0.0.2')
    const rig = makeRig(t)
    rig.env['LOOP_CONTAIN'] = contain
    const agent = `touch up; while [ ! -f go ]; do sleep 0.05; done; ${fetching(`http://${server.at}/later`)} && touch done; while [ ! -f end ]; do sleep 0.05; done`
    const running = rig.spawn(startArgs(agent, 'test -f done', ...held(server.at)))
    await until('the agent', () => existsSync(join(rig.tree, 'up')))
    assert.equal(guards(rig).length, 1)
    running.child.kill('SIGKILL')
    await running.ended
    rig.write('go', '')
    await until('its way out', () => existsSync(join(rig.tree, 'done')))
    rig.write('end', '')
    await until('its end', () => guards(rig).length === 0)
    const [id = ''] = rig.loops()
    const { code, stderr } = await rig.loop(['resume', id])
    assert.equal(code, 0, stderr)
    assert.deepEqual(server.asked, ['/later'])
    assert.deepEqual(guards(rig), [])
  })

  test(`a cancel ends the guard with the agent, whose last words count (${contain})`, { skip }, async t => {
    const rig = makeRig(t)
    rig.env['LOOP_CONTAIN'] = contain
    const report = 'echo "{\\"costUsd\\":0.5}" >"$LOOP_USAGE_FILE"; exit 1'
    const agent = `trap '${report}' TERM; touch up; while :; do sleep 0.05; done`
    const running = rig.spawn(startArgs(agent, 'false', '--no-baseline', ...held('none')))
    await until('the agent', () => existsSync(join(rig.tree, 'up')))
    const [id = ''] = rig.loops()
    assert.equal((await rig.loop(['cancel', id])).code, 0)
    await running.ended
    assert.equal((await statusOf(rig)).costUsd, 0.5)
    assert.deepEqual(guards(rig), [])
  })
}

test('without its guard nothing of a run goes on', { skip }, async t => {
  const rig = makeRig(t)
  const agent = 'while :; do date +%s%N >beat; sleep 0.05; done'
  const running = rig.spawn(startArgs(agent, 'false', '-n', '1', '--no-baseline', ...held('none')))
  await until('the agent', () => existsSync(join(rig.tree, 'beat')))
  for (const pid of guards(rig)) process.kill(pid, 'SIGKILL')
  assert.equal((await running.ended).code, 1)
  const [id = ''] = rig.loops()
  const ends = rig.events(id).flatMap(event => (event.kind === 'run.ended' ? [event.data.how] : []))
  assert.deepEqual(ends, ['killed'])
})

test('what Node is told in the environment is not told to the guard', { skip }, async t => {
  const rig = makeRig(t)
  const file = join(rig.tree, 'own.cjs')
  rig.write(
    'own.cjs',
    `if (process.argv.some(word => /network-guard/.test(word))) require('fs').writeFileSync(${JSON.stringify(join(rig.aside, 'outside'))}, '')\n`,
  )
  rig.env['NODE_OPTIONS'] = `--require ${file}`
  const agent = `test "$NODE_OPTIONS" = "--require ${file}" && ! env | grep -E 'NODE_CHANNEL|LOOP_HELD' && ! test -e /proc/self/fd/3 && touch done`
  const { code, stdout } = await rig.loop(startArgs(agent, 'test -f done', '-n', '1', ...held('none')))
  assert.equal(code, 0, stdout)
  assert.ok(!existsSync(join(rig.aside, 'outside')))
})

test('attempts in copies have it each, with what is listed', { skip }, async t => {
  const server = await answering(t, '127.0.0.2')
  const rig = makeRig(t)
  const agent = `${fetching(`http://${server.at}/attempt`)} && touch done`
  const { code, stdout, stderr } = await rig.loop(
    startArgs(agent, 'test -f done', '--best-of', '2', ...held(server.at)),
  )
  assert.equal(code, 0, stdout + stderr)
  assert.deepEqual(server.asked, ['/attempt', '/attempt'])
  assert.deepEqual(guards(rig), [])
})

test('where no network of its own can be made: required refuses, auto says so, and a loop that has one rests', {
  skip,
}, async t => {
  const rig = makeRig(t)
  const path = rig.env['PATH'] ?? ''
  const bin = join(rig.aside, 'bin')
  mkdirSync(bin)
  const real = spawnSync('sh', ['-c', 'command -v bwrap'], { env: rig.env, encoding: 'utf8' }).stdout.trim()
  const refusing = `case " $* " in *" --unshare-net "*) echo "bwrap: loopback: Failed RTM_NEWADDR" >&2; exit 1;; esac`
  writeFileSync(join(bin, 'bwrap'), `#!/bin/sh\n${refusing}\nexec ${real} "$@"\n`, { mode: 0o755 })
  const env = { PATH: `${bin}:${path}` }
  const start = (...more: string[]) => startArgs('touch done', 'test -f done', '--no-baseline', ...more)
  const refused = await rig.loop(start(...held('none')), { env })
  assert.equal(refused.code, 4)
  assert.match(refused.stderr, /^loop: --sandbox required, and there is none: .*Failed RTM_NEWADDR/)
  assert.deepEqual(rig.loops(), [])
  const auto = await rig.loop(start('--sandbox', 'auto', '--sandbox-network', 'none'), { env })
  assert.equal(auto.code, 0, auto.stderr)
  assert.match(auto.stderr, /^ {2}sandbox {5}none: .*Failed RTM_NEWADDR/m)
  assert.equal((await rig.loop(start('--sandbox', 'required'), { env })).code, 0)
  const { stdout } = await rig.loop(['doctor'], { env })
  assert.match(stdout, /sandbox +files, with bubblewrap .*; the network cannot be restricted: .*RTM_NEWADDR/)
  const first = await rig.loop(startArgs('sleep 0.1', 'test -f more', '-n', '1', ...held('none')))
  assert.equal(first.code, 1)
  const gone = await rig.loop(['resume', '@last', '-n', '2'], { env })
  assert.notEqual(gone.code, 0)
  assert.match(gone.stdout, /the loop began in a sandbox, and there is none now: .*RTM_NEWADDR/)
})
