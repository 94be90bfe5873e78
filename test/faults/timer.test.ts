/** The wall timeout against agents that attack its timer: it comes neither early nor never. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marked } from '../rig/daemon.ts'
import { containments, makeRig, startArgs, until } from '../rig/rig.ts'

/**
 * These agents signal every process they can see. Outside of a namespace that would be every process of the machine, so
 * each first makes sure that process 1 is the shim of its own run; and each test forces its namespace, whatever
 * LOOP_CONTAIN says.
 */
const onlyInside = 'tr "\\0" "\\n" < /proc/1/environ | grep -q "^LOOP_RUN=" || exit 99; '

for (const contain of containments.filter(name => name !== 'group')) {
  test(`an agent that ends every sleep is not stopped for it (${contain})`, async t => {
    const rig = makeRig(t)
    rig.env['LOOP_CONTAIN'] = contain
    rig.write(
      'end-sleeps.sh',
      `${onlyInside}for p in /proc/[0-9]*; do read -r name < $p/comm; [ "$name" = sleep ] && kill -9 \${p#/proc/}; done; touch done`,
    )
    const ended = await rig.loop(
      startArgs('sh end-sleeps.sh; sleep 0.5', 'test -e done', '--no-baseline', '--timeout', '60s'),
    )
    assert.equal(ended.code, 0, ended.stdout + ended.stderr)
    const [id = ''] = rig.loops()
    const ends = rig.events(id).flatMap(event => (event.kind === 'run.ended' ? event.data.how : []))
    assert.deepEqual(ends, ['exited'])
  })
}

for (const contain of containments.filter(name => name !== 'group')) {
  test(`an agent that kills all else in its namespace is stopped by its timeout all the same (${contain})`, async t => {
    const rig = makeRig(t)
    rig.env['LOOP_CONTAIN'] = contain
    const agent = `${onlyInside}kill -9 -1; touch alone; while :; do :; done`
    const ended = await rig.loop(startArgs(agent, 'false', '--no-baseline', '-n', '1', '--timeout', '2s'))
    assert.equal(ended.code, 1, ended.stdout + ended.stderr)
    const [id = ''] = rig.loops()
    const [end] = rig.events(id).flatMap(event => (event.kind === 'run.ended' ? event.data : []))
    assert.equal(end?.how, 'timeout')
    assert.ok((end?.durationMs ?? 0) < 10_000, `${end?.durationMs}`)
    assert.deepEqual(marked(rig.loops()[0] ?? ''), [])
  })
}

for (const contain of containments) {
  test(`an agent that removes the directory of its run gets no more time by that (${contain})`, async t => {
    const rig = makeRig(t)
    rig.env['LOOP_CONTAIN'] = contain
    const agent = 'rm -rf "${LOOP_PROMPT_FILE%/*}"; while :; do :; done'
    const running = rig.spawn(startArgs(agent, 'false', '--no-baseline', '-n', '1', '--timeout', '2s'))
    const id = await until('the loop', () => rig.loops()[0])
    await until('the agent', () => marked(id).length > 0)
    // No host is left that could end the agent.
    running.child.kill('SIGKILL')
    await until('the end of the run', () => marked(id).length === 0)
  })
}

test('an agent that stops its timer is ended by its host', async t => {
  const rig = makeRig(t)
  rig.env['LOOP_CONTAIN'] = containments[0] ?? ''
  const agent = `${onlyInside}kill -STOP -1; touch alone; while :; do :; done`
  const args = startArgs(agent, 'false', '--no-baseline', '-n', '1', '--timeout', '1s')
  const ended = await rig.loop(args)
  assert.equal(ended.code, 1, ended.stdout + ended.stderr)
  const [id = ''] = rig.loops()
  const ends = rig.events(id).flatMap(event => (event.kind === 'run.ended' ? event.data.how : []))
  assert.deepEqual(ends, ['timeout'])
  assert.deepEqual(marked(rig.loops()[0] ?? ''), [])
})
