/** `loop logs --json`: JSON lines with the items of an agent whose format loop reads, otherwise with its output. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { plays, standIn, startWith } from '../../agents/stand-in.ts'
import { makeRig, startArgs, until } from '../../rig/rig.ts'

function rowsOf(stdout: string): Record<string, unknown>[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}

test('the items of an agent that loop can read, with the number of the run', async t => {
  const rig = standIn(t, { claude: `${plays('claude.out')}; touch done` })
  await rig.loop(startWith('claude'))
  const rows = rowsOf((await rig.loop(['logs', '@last', '--json'])).stdout)
  for (const { run, iteration, agent } of rows) assert.deepEqual([run, iteration, agent], [1, 1, 'claude'])
  const said = rows.flatMap(({ kind, text }) => (kind === 'text' ? text : [])).join('')
  assert.equal(said, 'I will fix it.Now runDone.')
  assert.equal(rows.filter(({ kind }) => kind === 'text').length, 3, 'each is whole')
  assert.deepEqual(
    rows.flatMap(({ kind, path }) => (kind === 'edit' ? path : [])),
    ['/tree/a.txt'],
  )
  assert.equal(rows.at(-1)?.['kind'], 'end')
  const raw = rowsOf((await rig.loop(['logs', '@last', '--json', '--raw'])).stdout)
  assert.equal(JSON.parse(String(raw[0]?.['text'])).type, 'system', 'a line of its own output, whole')
})

test('each text is whole, however it came, and a secret in it is found across its pieces', async t => {
  const delta = (text: string) =>
    `echo '{"type":"message","role":"assistant","content":"${text}","delta":true}'`
  const tool = `echo '{"type":"tool_use","tool_name":"x","tool_id":"1","parameters":{}}'`
  const failed = `echo '{"type":"tool_result","tool_id":"1","status":"error","error":{"message":"it broke"}}'`
  const words = [
    delta('Six mon'),
    delta('ths of just-wor'),
    delta('ds-of-mine.'),
    tool,
    failed,
    delta('Done.'),
  ]
  const rig = standIn(t, {
    gemini: `${words.join('; ')}; echo '{"type":"result","status":"success"}'; touch done`,
  })
  const env = { DEPLOY_TOKEN: 'just-words-of-mine' }
  await rig.loop(startWith('gemini'), { env })
  const rows = rowsOf((await rig.loop(['logs', '@last', '--json'], { env })).stdout)
  const about = { run: 1, iteration: 1, agent: 'gemini' }
  assert.deepEqual(rows.slice(0, 4), [
    { ...about, kind: 'text', text: 'Six months of [redacted:$DEPLOY_TOKEN].' },
    { ...about, kind: 'tool', name: 'x', detail: '' },
    { ...about, kind: 'tool-failed', name: 'x', detail: '', why: 'it broke' },
    { ...about, kind: 'text', text: 'Done.' },
  ])
  assert.match((await rig.loop(['logs', '@last'], { env })).stdout, /\n→ x\n✗ failed: x: it broke\nDone\.\n/)
})

test('the output of any other agent, line by line and by stream, without secrets', async t => {
  const rig = makeRig(t)
  const agent = `printf 'a "quoted" line\\nmine: %s\\nno end' "$DEPLOY_TOKEN"; echo oh >&2; echo x >> work`
  const env = { DEPLOY_TOKEN: 'just-words-of-mine' }
  await rig.loop(startArgs(agent, 'test -s work', '--no-baseline'), { env })
  const { code, stdout, stderr } = await rig.loop(['logs', '@last', '--json'], { env })
  const about = { run: 1, iteration: 1, agent: 'custom', kind: 'output' }
  assert.deepEqual(
    [code, stderr, rowsOf(stdout)],
    [
      0,
      '',
      [
        { ...about, stream: 'out', text: 'a "quoted" line\n' },
        { ...about, stream: 'out', text: 'mine: [redacted:$DEPLOY_TOKEN]\n' },
        { ...about, stream: 'out', text: 'no end' },
        { ...about, stream: 'err', text: 'oh\n' },
      ],
    ],
  )
})

test('logs -f prints each line when it is complete, and the next runs as they come', async t => {
  const rig = makeRig(t)
  const agent = `echo "turn $LOOP_ITERATION"; until [ -f "$ASIDE/go" ]; do sleep 0.02; done; echo x >> work`
  const running = rig.spawn(startArgs(agent, 'test $(wc -l < work) -ge 2', '--no-baseline'))
  await until(
    'the run',
    () => rig.loops()[0] && rig.events(rig.loops()[0] ?? '').some(({ kind }) => kind === 'run.launched'),
  )
  const follower = rig.spawn(['logs', '@last', '-f', '--json'])
  await until('the first line', () => follower.stdout().includes('turn 1'))
  writeFileSync(join(rig.aside, 'go'), '')
  const rows = rowsOf((await follower.ended).stdout)
  assert.deepEqual(
    rows.map(({ run, iteration, text }) => [run, iteration, text]),
    [
      [1, 1, 'turn 1\n'],
      [2, 2, 'turn 2\n'],
    ],
  )
  await running.ended
})
