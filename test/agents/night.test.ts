/**
 * A whole night with a real agent program under loopd: three timeouts, an outage of the network, a usage limit, an
 * overload, and kill -9 of loopd in the middle of a run. The loop completes by itself; every iteration and every cent
 * is accounted for. It takes minutes, so it needs LOOP_LONG; its parts have tests of their own (timeout, away,
 * stopped).
 */
import assert from 'node:assert/strict'
import { endDaemon } from '../rig/daemon.ts'
import { loopdProgram, type Rig, type Running, until } from '../rig/rig.ts'
import { overload, refusal } from './model-errors.ts'
import type { Turn } from './model-server.ts'
import { type Edit, type Place, placeFor, type RealAgent, realAgents, agentTest as test } from './real.ts'

const long = 400_000
const used = { input: 60_000, output: 5_000 }
/** Dollars for a million tokens. `whenCut`: whether an agent that is stopped has reported its cost by then. */
const prices: Record<RealAgent, { input: number; output: number; whenCut: boolean }> = {
  claude: { input: 4, output: 20, whenCut: true },
  opencode: { input: 3, output: 15, whenCut: true },
  cline: { input: 3, output: 15, whenCut: true },
  codex: { input: 1.25, output: 10, whenCut: false },
  gemini: { input: 1.25, output: 10, whenCut: false },
}

const timeouts: Record<RealAgent, string> = {
  claude: '20s',
  opencode: '25s',
  cline: '80s',
  codex: '15s',
  gemini: '20s',
}

const mendsAndHangs = (edit: Edit, n: number): Turn[] => [
  { say: `I will mend part ${n}.`, tools: [edit(`wrong${n}`, `right${n}`)], usage: used },
  { say: 'Let me think about the rest.', breaks: 'hangs' },
]

const check = `import { parts } from './sum.mjs'
const bad = parts.filter(part => part.startsWith('wrong'))
for (const part of parts) console.log((bad.includes(part) ? 'not ok ' : 'ok ') + part)
console.log('1..' + parts.length)
process.exit(bad.length === 0 ? 0 : 1)
`

for (const agent of realAgents) {
  const skip = !process.env['LOOP_LONG'] && 'lasts minutes: LOOP_LONG=1'
  test(`${agent}: a night of timeouts, outage, limit, overload and a killed loopd`, { skip }, async t => {
    const place = await placeFor(t, agent, edit => [1, 2, 3].flatMap(n => mendsAndHangs(edit, n)))
    const { rig, server, edit, args } = place
    rig.write('sum.mjs', `export const parts = [\n${[1, 2, 3, 4].map(n => `  'wrong${n}',\n`).join('')}]\n`)
    rig.write('check.mjs', check)
    rig.atEnd(() => endDaemon(rig))
    const first = await startDaemon(rig)
    const started = await rig.loop([...args, '-b', '--timeout', timeouts[agent], '--limit-backoff', '2s'])
    const { id } = JSON.parse(started.stdout)

    await until('the third run to hang', () => server.asked.length === 6, long)
    server.goAway()
    await waitsFor(place, id, /cannot reach its model/)
    // cline prints nothing while it retries, for as long as `retry-after` says.
    const answer429 = refusal[agent]('limit')
    server.idle({ error: agent === 'cline' ? { ...answer429, headers: { 'retry-after': '0' } } : answer429 })
    await server.comeBack()
    await waitsFor(place, id, /usage limit/)
    server.idle({ error: overload[agent] })
    await waitsFor(place, id, /overloaded/)
    const { promise: killed, resolve: goOn } = Promise.withResolvers<void>()
    const before = server.asked.length
    server.add(
      { say: 'The last one.', tools: [edit('wrong4', 'right4')], usage: used },
      { say: 'That should be all.', usage: used, after: killed },
    )
    await until('the run that works', () => server.turnsLeft() === 0 && server.asked.length > before, long)
    first.child.kill('SIGKILL')
    await first.ended
    await startDaemon(rig)
    goOn()
    await until('the end', async () => (await statusOf(rig, id)).status === 'completed', long)

    const events = rig.events(id)
    const ends = events.flatMap(event => (event.kind === 'run.ended' ? event.data : []))
    const worked = ends.filter(({ limit }) => limit === undefined)
    assert.deepEqual(
      worked.map(({ how }) => how),
      ['timeout', 'timeout', 'timeout', 'exited'],
    )
    const kinds = new Set(ends.flatMap(({ limit }) => (limit ? (limit.kind ?? 'usage-limit') : [])))
    assert.deepEqual([...kinds], ['network', 'usage-limit', 'overload'])
    assert.equal(events.filter(({ kind }) => kind === 'loop.crashed').length, 0)
    const { iteration, costUsd, costIncomplete } = await statusOf(rig, id)
    assert.deepEqual(
      [iteration, costIncomplete],
      [4, true],
      'four iterations, and what the cut runs thought last is unknown',
    )
    const { input, output, whenCut } = prices[agent]
    const answer = (used.input * input + used.output * output) / 1e6
    assert.equal(costUsd.toFixed(4), ((whenCut ? 5 : 2) * answer).toFixed(4))
    const history = JSON.parse((await rig.loop(['history', id, '--json'])).stdout)
    const sum = history.iterations.reduce(
      (all: number, row: { costUsd: number | null }) => all + (row.costUsd ?? 0),
      0,
    )
    assert.equal(sum.toFixed(4), costUsd.toFixed(4), 'history has every cent, and no other')
  })
}

async function statusOf(rig: Rig, id: string) {
  return JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
}

async function waitsFor({ rig }: Place, id: string, words: RegExp): Promise<void> {
  await until(
    `a wait: ${words}`,
    async () => {
      const { status, reason } = await statusOf(rig, id)
      return status === 'waiting' && words.test(reason)
    },
    long,
  )
}

async function startDaemon(rig: Rig): Promise<Running> {
  const running = rig.spawn(['start', '--foreground'], { program: loopdProgram })
  await until('loopd to serve', () => running.stderr().includes(`(process ${running.pid})`))
  return running
}
