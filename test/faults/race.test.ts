/**
 * Many concurrent commands on the loops of one tree, in the foreground and under loopd: each gets an answer, none
 * reports a bug in loop, no run happens twice, every journal is sound, and the loops come to their end. Some commands
 * in `npm test`, more than a thousand with LOOP_LONG=1.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { type DaemonRig, makeDaemonRig, marked } from '../rig/daemon.ts'
import { type Ended, readOr, startArgs } from '../rig/rig.ts'
import { seeded } from '../rig/seeded.ts'

const commands = process.env['LOOP_LONG'] ? 600 : 20
const atOnce = 6
const agent = 'echo "$LOOP_RUN" >> "$ASIDE/ledger"; echo "$LOOP_ITERATION" >> work; sleep 0.1'
const promise = 'test -e "$ASIDE/enough"'
const endless = [
  '-n',
  'unlimited',
  '--stuck-limit',
  'off',
  '--no-change-limit',
  'off',
  '--no-baseline',
  '--same-file-limit',
  'off',
]
const start = startArgs(agent, promise, ...endless, '--no-input', '--plain')

type Ask = (id: string, n: number) => string[]
const asks: Ask[] = [
  id => ['status', id],
  () => ['status'],
  () => ['list', '--json'],
  id => ['history', id],
  id => ['logs', id],
  id => ['diff', id],
  id => ['checkpoint', id],
  id => ['pause', id],
  id => ['resume', id, '-b'],
  (id, n) => ['inject', id, `say ${n}`],
  id => ['cancel', id],
  id => ['rollback', id, 'initial'],
  id => ['rollback', id, '--undo'],
  () => [...start, '-b'],
  () => ['gc'],
  () => ['doctor'],
  () => ['report'],
]

for (const driver of ['the foreground', 'loopd'])
  test(`${commands} commands, ${atOnce} at once, beside a loop of ${driver}`, {
    timeout: 3_600_000,
  }, async t => {
    const rig = makeDaemonRig(t)
    const random = seeded(20_261_117)
    if (driver === 'loopd') await rig.background(agent, promise, ...endless)
    else rig.spawn(start)
    const codes: Record<string, number> = {}
    let asked = 0
    const client = async () => {
      while (asked < commands) {
        asked += 1
        const ids = rig.loops()
        const id = ids[Math.floor(random() * ids.length)] ?? 'zzzzzz'
        const words = asks[Math.floor(random() * asks.length)]?.(id, asked) ?? []
        const ended = await rig.loop(words, { wrap: ['timeout', '-k', '1', '120'] })
        mustBeAnswer(words, ended)
        codes[String(ended.code)] = (codes[String(ended.code)] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: atOnce }, client))
    await mustBeWhole(rig)
    const runs = readOr(join(rig.aside, 'ledger')).split('\n').length - 1
    t.diagnostic(
      `${asked} commands, exit codes ${JSON.stringify(codes)}, ${rig.loops().length} loops, ${runs} runs`,
    )
  })

function mustBeAnswer(words: string[], { code, stderr }: Ended): void {
  const what = `loop ${words.join(' ')}: exit ${code}, ${stderr}`
  assert.ok(code !== null && code <= 5, what)
  assert.doesNotMatch(stderr, /Internal error|a bug in loop|damaged/, what)
}

/** Every loop is cancelled; the events of each journal happened once. */
async function mustBeWhole(rig: DaemonRig): Promise<void> {
  for (const id of rig.loops()) {
    const cancelled = await rig.loop(['cancel', id])
    assert.ok([0, 4].includes(cancelled.code ?? 9), cancelled.stderr)
  }
  const recorded: string[] = []
  for (const id of rig.loops()) {
    const events = rig.events(id)
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_, i) => i + 1),
    )
    for (const event of events)
      if (event.kind === 'run.started') recorded.push(`${id}/runs/${event.data.run}`)
    assert.deepEqual(marked(id), [])
  }
  const ran = readOr(join(rig.aside, 'ledger')).trim().split('\n').filter(Boolean)
  assert.equal(new Set(ran).size, ran.length, 'a run happened twice')
  assert.deepEqual(
    ran.filter(run => !recorded.includes(run)),
    [],
    'a run is not recorded',
  )
  const looked = await rig.loop(['doctor'])
  assert.doesNotMatch(looked.stdout, /^fail/m)
}
