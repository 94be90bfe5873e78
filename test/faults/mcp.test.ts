/**
 * `loop mcp` with a client that misbehaves: invalid messages, endless messages, several clients at once, a killed
 * client.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { makeDaemonRig } from '../rig/daemon.ts'
import { callLine, connect, opening, pipe } from '../rig/mcp-client.ts'
import { loopProgram, readOr, startArgs, until } from '../rig/rig.ts'

test('an invalid message is ignored; the next call is answered, and stdout holds nothing else', async t => {
  const rig = makeDaemonRig(t)
  const { write, answer, answers, child, ended } = pipe(t, rig)
  write(opening)
  await answer(0)
  write(
    'hello\n{"jsonrpc":\n\n[]\n[1,2]\nnull\n{"id":7}\n"\u0000\u001b[2J"\n{"jsonrpc":"1.0","id":8,"method":"x"}\n',
  )
  write(`${Buffer.from([0xff, 0xfe, 0x80, 0x0a]).toString('latin1')}\n`)
  write(callLine(1, 'status', {}))
  assert.deepEqual((await answer(1))['result'], {
    content: [{ type: 'text', text: '{"loops":[],"more":0,"damaged":[]}' }],
    structuredContent: { loops: [], more: 0, damaged: [] },
  })
  child.stdin?.end()
  assert.equal(await ended, 0)
  for (const said of answers()) assert.equal(said['jsonrpc'], '2.0')
})

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

const hostile: [string, unknown, string][] = [
  ['endless names', { loop: 'x'.repeat(2_000_000) }, 'status'],
  ['many fields', Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i])), 'status'],
  [
    'a list of a hundred thousand',
    { prompt: 'x', promise: Array.from({ length: 100_000 }, () => 'true') },
    'start',
  ],
  ['a name of the prototype', { loop: '__proto__' }, 'criteria'],
  ['SQL', { loop: `a' or 1=1 --` }, 'history'],
  ['a path', { loop: '../../etc/passwd' }, 'history'],
  ['a NUL', { prompt: 'a\u0000b', promise: 'true', agent: 'custom', agent_cmd: 'true' }, 'start'],
  ['arguments that are a list', [], 'status'],
]

test('hostile arguments are refused, and it goes on', async t => {
  const rig = makeDaemonRig(t)
  const { write, answer, stderr, child, ended } = pipe(t, rig)
  write(opening)
  for (const [i, [what, asked, tool]] of hostile.entries()) {
    write(callLine(i + 1, tool, asked))
    const { result, error } = (await answer(i + 1)) as { result?: { isError?: boolean }; error?: unknown }
    assert.ok(result?.isError || error, what)
  }
  write(callLine(100, 'status', { loop: 'DEEP' }).replace('"DEEP"', deep(200_000)))
  write(callLine(101, 'status', {}))
  assert.ok((await answer(101))['result'], stderr())
  assert.deepEqual(rig.loops(), [])
  child.stdin?.end()
  assert.equal(await ended, 0, stderr())
})

test('an endless message is rejected with an error, and not kept in memory', async t => {
  const rig = makeDaemonRig(t)
  const { write, ended, stderr, child } = pipe(t, rig)
  write(opening)
  const piece = 'x'.repeat(1 << 20)
  for (let i = 0; i < 6; i++) write(piece)
  assert.equal(await ended, 0)
  assert.match(stderr(), /^loop: .*maximum size/m)
  assert.equal(child.signalCode, null)
})

test('several clients at once each get their own answers; a killed one does not disturb the others', async t => {
  const rig = makeDaemonRig(t)
  await rig.loop(startArgs('true', 'false', '-n', '1'))
  const [id = ''] = rig.loops()
  const sessions = await Promise.all([connect(t, rig), connect(t, rig), connect(t, rig)])
  const texts = sessions.flatMap((session, i) =>
    [1, 2, 3].map(n => session.call('inject', { loop: id, text: `client ${i} says ${n}` })),
  )
  for (const answer of await Promise.all(texts)) assert.equal(answer.refused, false, answer.text)
  const injected = rig.events(id).flatMap(event => (event.kind === 'context.injected' ? event.data.text : []))
  assert.equal(new Set(injected).size, 9)
  const [first, second] = sessions
  process.kill(first?.pid ?? 0, 'SIGKILL')
  assert.equal((await second?.call('status', { loop: id }))?.refused, false)
})

test('when the client is killed the server ends by itself', async t => {
  const rig = makeDaemonRig(t)
  // A client that only holds the other end of the server's stdin.
  const script = `const c = require('child_process').spawn(process.argv[1], ['mcp'], { stdio: ['pipe', 'ignore', 'ignore'] }); console.log(c.pid); setInterval(() => {}, 1e6)`
  const client = spawn(process.execPath, ['-e', script, loopProgram], { cwd: rig.tree, env: rig.env })
  t.after(() => client.kill('SIGKILL'))
  const pid = await new Promise<number>(resolve => client.stdout.once('data', data => resolve(Number(data))))
  await until('the server', () => readOr(`/proc/${pid}/cmdline`).includes('mcp'))
  client.kill('SIGKILL')
  await until('the end of the server', () => readOr(`/proc/${pid}/cmdline`) === '')
})
