/** What `--json` prints is what docs/reference/json.md says: no field more, and none of another type. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonDocuments } from '../../src/views/json/documents.ts'
import { makeDaemonRig } from '../rig/daemon.ts'
import { startArgs, until } from '../rig/rig.ts'

type Name = keyof typeof jsonDocuments

test('every document that scripts rely on fits its schema: of loops, groups, starts in the background, and failures', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon()
  const fits = async (name: Name, args: string[], on: 'stdout' | 'stderr' = 'stdout') => {
    const said = await rig.loop([...args, '--json'])
    const document: unknown = JSON.parse(said[on])
    const judged = jsonDocuments[name].schema.safeParse(document)
    assert.ok(judged.success, `${args.join(' ')}: ${judged.error?.message}\n${said[on]}`)
    return document as { id: string }
  }
  const told = `printf '{"costUsd": 0.5, "tokens": {"input": 10, "output": 5}}' > "$LOOP_USAGE_FILE"; echo x >> work`
  const start = startArgs(told, 'lines=test "$(wc -l < work)" = 2', '--on-complete', 'true', '--yes')
  const { id } = await fits('loop', start)
  const group = await fits('loop', startArgs('echo y > more', 'test -e more', '--best-of', '2', '-n', '1'))
  const asked = startArgs('echo z > asked', 'true', '--confirm', 'it looks right', '--no-baseline', '-b')
  const queued = await fits('started', asked)
  await until('the question', () => rig.events(queued.id).some(({ kind }) => kind === 'question.asked'))
  await rig.loop(['checkpoint', id, 'mine'])
  for (const one of [id, group.id, queued.id]) await fits('loop', ['status', one])
  await fits('list', ['list'])
  await fits('list', ['status'])
  await fits('history', ['history', id])
  await fits('error', ['status', 'nobody'], 'stderr')
  await fits('error', ['start', 'x', '-p', 'true', '--checkpoint', 'gti', '--agent', 'custom'], 'stderr')
  await rig.loop(['cancel', queued.id])
})
