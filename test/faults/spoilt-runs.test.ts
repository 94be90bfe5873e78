/**
 * The directory of a loop's runs is replaced by a file: by an agent that has ended, or by one that is still at work.
 * The loop can always be cancelled, and says what to do before a resume.
 */
import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { marked } from '../rig/daemon.ts'
import { makeRig, startArgs, until } from '../rig/rig.ts'

const spoil = 'd=$(dirname "$(dirname "$(dirname "$LOOP_PROMPT_FILE")")"); rm -rf "$d/runs"; echo > "$d/runs"'

test('replaced by an agent that has ended: the loop is paused, says what is wrong, and goes on without it', async t => {
  const rig = makeRig(t)
  const agent = `if [ -e once ]; then touch done; else touch once; ${spoil}; fi`
  const started = await rig.loop(startArgs(agent, 'test -e done'))
  const [id = ''] = rig.loops()
  const runs = join(rig.dir(id), 'runs')
  const words = `${runs} is not a directory any more; remove it`
  assert.ok(started.stdout.includes(words), started.stdout + started.stderr)
  assert.equal(started.code, 1)
  const early = await rig.loop(['resume', id])
  assert.ok(early.stdout.includes(words), early.stdout + early.stderr)
  rmSync(runs)
  const resumed = await rig.loop(['resume', id])
  assert.equal(resumed.code, 0, resumed.stderr)
})

for (const kill of [false, true]) {
  test(`replaced by an agent that is at work, cancelled ${kill ? 'after its host was killed' : 'through its host'}`, async t => {
    const rig = makeRig(t)
    // The agent waits until its host has recorded its process: otherwise the run counts as lost.
    const agent = `while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; ${spoil}; touch "$ASIDE/up"; sleep 600`
    const running = rig.spawn(startArgs(agent, 'false', '--no-baseline'))
    const id = await until('the loop', () => rig.loops()[0])
    await until('its launch', () => rig.events(id).some(({ kind }) => kind === 'run.launched'))
    writeFileSync(join(rig.aside, 'go'), '')
    await until('the agent', () => existsSync(join(rig.aside, 'up')))
    if (kill) {
      running.child.kill('SIGKILL')
      await running.ended
    }
    const cancelled = await rig.loop(['cancel', id])
    assert.equal(cancelled.code, 0, cancelled.stderr)
    assert.deepEqual(marked(id), [], 'nothing of the agent is alive')
    assert.match((await rig.loop(['status', id])).stdout, /^loop \w+: cancelled/)
  })
}
