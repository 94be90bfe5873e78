/** The routes for the page of one loop: its runs, their lines and items, its checkpoints and their differences. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { answered, api, ask, collect, keyOf, refusedBy, serveForTests } from '../../rig/api.ts'
import { assertSafe, attacks, hostileName } from '../../rig/attacks.ts'
import { readOr, until } from '../../rig/rig.ts'

serveForTests()

const params = () => ({ id: api.loop })
const ofOut = () => ({ ...params(), run: '1', output: 'out' as const })

test('the runs of a loop, their lines by number, their ends, and the lines that hold a text', async () => {
  const runs = await answered('runs', { params: params() })
  assert.deepEqual(
    runs.map(({ run, iteration, agent, how, exitCode, hasItems }) => [
      run,
      iteration,
      agent,
      how,
      exitCode,
      hasItems,
    ]),
    [
      [1, 1, 'custom', 'exited', 0, false],
      [2, 2, 'custom', 'exited', 0, false],
    ],
  )
  const some = await answered('lines', { params: ofOut(), query: { from: '10', count: '2' } })
  assert.deepEqual(
    some.lines.map(({ n, text }) => [n, text]),
    [
      [10, 'line 11 of äöü'],
      [11, 'line 12 of äöü'],
    ],
  )
  assert.deepEqual([some.from, some.total, some.hasEnded], [10, 200, true])
  const tail = await answered('lines', { params: ofOut(), query: { tail: '1' } })
  assert.deepEqual([tail.from, tail.lines[0]?.text], [199, 'line 200 of äöü'])
  const first = await answered('search', { params: ofOut(), query: { q: 'LINE 2', limit: '2' } })
  assert.deepEqual(
    first.matches.map(({ n }) => n),
    [1, 19],
  )
  const rest = await answered('search', { params: ofOut(), query: { q: 'line 2', from: String(first.next) } })
  assert.deepEqual([rest.matches.length, rest.next], [10, null])
  const back = await answered('search', { params: ofOut(), query: { q: 'line 2', back: '1', limit: '1' } })
  assert.equal(back.matches[0]?.n, 199)
  assert.deepEqual((await answered('search', { params: ofOut(), query: { q: 'no such' } })).matches, [])
  assert.match(await refusedBy('items', { params: { ...params(), run: '1' }, query: {} }), /is plain text/)
  assert.match(await refusedBy('lines', { params: { ...ofOut(), run: '9' }, query: {} }), /has no run 9/)
})

test('messages of the agent come as items, in pages; the output of the promise as lines', async () => {
  const { rig } = api
  const program = join(rig.aside, 'claude')
  const recording = join(import.meta.dirname, '../../recordings/claude-tools.out')
  writeFileSync(program, `#!/bin/sh\ncat "${recording}"; echo x > said.txt\n`, { mode: 0o755 })
  const body = {
    prompt: 'x',
    promise: 'echo "saw $(cat said.txt 2>&1)"; test -e said.txt',
    cwd: rig.tree,
    agent: 'claude',
    agent_cmd: program,
  }
  const { id } = await answered('start', { body })
  await rig.reaches(id, 'completed')
  const ofRun = { id, run: '1' }
  const whole = await answered('items', { params: ofRun, query: {} })
  assert.deepEqual([whole.from, whole.next, whole.hasEnded], [0, null, true])
  const kinds = new Set(whole.items.map(({ kind }) => kind))
  for (const kind of ['session', 'text', 'tool', 'edit', 'usage', 'end']) assert.ok(kinds.has(kind), kind)
  const first = await answered('items', { params: ofRun, query: { limit: '2' } })
  const rest = await answered('items', { params: ofRun, query: { from: String(first.next) } })
  assert.deepEqual([...first.items, ...rest.items], whole.items)
  assert.equal(first.items.length, 2)
  const verified = { params: { id, verification: '1-0' }, query: {} }
  const { lines, hasEnded } = await answered('promiseLines', verified)
  assert.deepEqual([lines.map(({ text }) => text), hasEnded], [['saw x'], true])
  const found = await answered('promiseSearch', { ...verified, query: { q: 'saw' } })
  assert.equal(found.matches.length, 1)
  const missing = { params: { id, verification: '7-0' }, query: {} }
  assert.match(await refusedBy('promiseLines', missing), /has no verification 7-0/)
})

test('saved states by name, what differs between any two, one file of each, and what a rollback would do', async () => {
  const { checkpoints, undo } = await answered('checkpoints', { params: params() })
  assert.deepEqual(
    checkpoints.map(({ name, kind, iteration }) => [name, kind, iteration]),
    [
      ['initial', 'initial', 0],
      ['iter-001', 'before', 1],
      ['iter-001-after', 'after', 1],
      ['iter-002', 'before', 2],
      ['iter-002-after', 'after', 2],
      ['iter-002-verified', 'verified', 2],
    ],
  )
  assert.equal(undo, null)
  const range = { from: 'initial', to: 'iter-002-after' }
  const { files, total, isCut } = await answered('changes', { params: params(), query: range })
  assert.deepEqual(files, [
    {
      path: 'work',
      name: 'work',
      status: 'new',
      added: 2,
      removed: 0,
      isBinary: false,
      generated: null,
      isTest: false,
    },
  ])
  assert.deepEqual([total, isCut], [{ files: 1, added: 2, removed: 0 }, false])
  const patch = await answered('fileDiff', { params: params(), query: { ...range, path: 'work' } })
  assert.match(patch.patch, /^diff --git a\/work b\/work\nnew file mode 100644\n[^]*\n\+x\n\+x\n$/)
  const file = await answered('treeFile', {
    params: params(),
    query: { checkpoint: 'iter-001-after', path: 'work' },
  })
  assert.deepEqual(file, { text: 'x\n', bytes: 2, isCut: false })
  const gone = { params: params(), query: { checkpoint: 'initial', path: 'work' } }
  assert.match(await refusedBy('treeFile', gone), /There is no file work in initial/)
  for (const path of ['../../loop.db', '/etc/passwd', ':(top)work'])
    assert.match(await refusedBy('treeFile', { ...gone, query: { ...gone.query, path } }), /\./, path)
  const preview = await answered('rollbackPreview', { params: params(), query: { to: 'iter-002' } })
  assert.deepEqual([preview.written, preview.deleted, preview.refused], [['work'], ['said.txt'], null])
  assert.match(
    await refusedBy('changes', { params: params(), query: { from: 'initial', to: 'HEAD' } }),
    /has no checkpoint HEAD/,
  )
})

test('the timeline has a row for each iteration, with what was done in it in order', async () => {
  const rows = await answered('timeline', { params: params() })
  assert.deepEqual(
    rows.map(({ n, verdict }) => [n, verdict]),
    [
      [0, 'FAIL'],
      [1, 'FAIL'],
      [2, 'PASS'],
    ],
  )
  assert.deepEqual(
    rows[1]?.segments.map(({ kind }) => kind).filter(kind => kind !== 'wait'),
    ['checkpoint', 'agent', 'checkpoint', 'verify'],
  )
})

test('a rollback, its undo, and a cancel that rolls back', async () => {
  const { rig } = api
  const work = join(rig.tree, 'work')
  const before = readFileSync(work, 'utf8')
  const command = (id: string, body: object) => answered('command', { params: { id }, body: body as never })
  await command(api.loop, { kind: 'rollback', to: 'iter-002' })
  assert.equal(readFileSync(work, 'utf8'), 'x\n')
  await command(api.loop, { kind: 'rollback', undo: true })
  assert.equal(readFileSync(work, 'utf8'), before)
  assert.equal((await answered('checkpoints', { params: params() })).undo, 'before-rollback-2')
  for (const body of [{ kind: 'rollback' }, { kind: 'rollback', to: 'initial', undo: true }])
    assert.match(await refusedBy('command', { params: params(), body: body as never }), /either to or undo/)
  assert.match(
    await refusedBy('command', { params: params(), body: { kind: 'apply' } }),
    /worked in its own tree/,
  )

  const id = await rig.background('echo y > half; touch "$ASIDE/begun"; sleep 60', 'false')
  await until('the agent', () => existsSync(join(rig.aside, 'begun')))
  const { refused } = await answered('rollbackPreview', { params: { id }, query: { to: 'initial' } })
  assert.match(String(refused), /cannot be rolled back/)
  const cancelled = await command(id, { kind: 'cancel', rollback: 'initial' })
  assert.equal(cancelled.status, 'cancelled')
  assert.equal(existsSync(join(rig.tree, 'half')), false)
  assert.match(
    await refusedBy('command', { params: { id: api.loop }, body: { kind: 'cancel', rollback: 'initial' } }),
    /it has already ended/,
  )
})

test('the feed brings rows, events and lines; hostile output stays text; a cut loses nothing', async () => {
  const { rig } = api
  const { revision } = await answered('loops', { query: {} })
  const hostile = join(rig.aside, 'hostile')
  writeFileSync(hostile, `<script>alert(1)</script> ${attacks}\n`)
  const agent = `cat "$ASIDE/hostile"; printf half; touch "$ASIDE/said"; while [ ! -e "$ASIDE/more" ]; do sleep 0.02; done; echo " whole"; echo x >> fed`
  const id = await rig.background(agent, 'test -e fed')
  await until('it to speak', () => existsSync(join(rig.aside, 'said')))
  const path = `/v1/feed?list=${revision}&journals=${id}:0&outputs=${id}/1/out:0`
  type Data = { id?: string; lines?: { text: string }[]; line?: { text: string }; kind?: string }
  const first = await collect(path, 12)
  const of = (frames: typeof first, event: string) =>
    frames.filter(one => one.event === event).map(({ data }) => data as Data)
  assert.equal(first[0]?.event, 'hello')
  assert.ok(of(first, 'row').some(row => row.id === id))
  assert.equal(of(first, 'event')[0]?.kind, 'loop.created')
  const [line] = of(first, 'lines').flatMap(({ lines = [] }) => lines)
  assert.match(String(line?.text), /^<script>alert\(1\)<\/script> /)
  assertSafe(String(line?.text), 'a line of the feed')
  assert.equal(of(first, 'partial')[0]?.line?.text, 'half')
  const cut = first.at(-1)?.id
  writeFileSync(join(rig.aside, 'more'), '')
  await rig.reaches(id, 'completed')
  const rest = await collect(path, 8, cut)
  const text = of(rest, 'lines').flatMap(({ lines = [] }) => lines.map(one => one.text))
  assert.deepEqual(text, ['half whole'])
  const seqs = [...of(first, 'event'), ...of(rest, 'event')].map(data => (data as { seq?: number }).seq)
  assert.deepEqual(
    seqs,
    Array.from(seqs, (_, i) => i + 1),
    'every event once, in order',
  )
  const headers = { authorization: `Bearer ${api.token}` }
  assert.equal((await ask('/v1/feed?journals=nobody', { headers })).status, 400)
  assert.equal(readOr(join(rig.tree, 'fed')), 'x\n')
})

test('a file with a hostile name can be requested by it, and is shown with a harmless one', async () => {
  const { rig } = api
  writeFileSync(join(rig.aside, 'name'), hostileName)
  const id = await rig.background('echo "<b>bold</b>" > "$(cat "$ASIDE/name")"; touch named', 'test -e named')
  await rig.reaches(id, 'completed')
  const range = { from: 'initial', to: 'iter-001-after' }
  const { files } = await answered('changes', { params: { id }, query: range })
  const file = files.find(({ path }) => path === hostileName)
  assert.ok(file, JSON.stringify(files))
  assertSafe(file.name, 'the name of a file')
  assert.equal(file.name.includes('\n'), false)
  const { patch } = await answered('fileDiff', { params: { id }, query: { ...range, path: hostileName } })
  assert.match(patch, /\n\+<b>bold<\/b>\n$/)
  assertSafe(patch, 'a patch')
  const saved = { checkpoint: 'iter-001-after', path: hostileName }
  const { text } = await answered('treeFile', { params: { id }, query: saved })
  assert.equal(text, '<b>bold</b>\n')
})

test('a browser that signs out has no access any more', async () => {
  const headers = { authorization: `Bearer ${await keyOf(api.rig)}`, 'content-type': 'application/json' }
  assert.equal((await ask('/v1/daemon', { headers })).status, 200)
  const out = await ask('/v1/sign-out', { method: 'POST', headers, body: '{}' })
  assert.equal(out.status, 200)
  assert.equal((await ask('/v1/daemon', { headers })).status, 401)
})
