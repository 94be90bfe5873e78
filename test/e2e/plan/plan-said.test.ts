/**
 * The lines of a plan: `loop logs --announcements` has the exact forms and nothing else, and the plan says each thing
 * once.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onlyGroup } from '../../rig/group.ts'
import { clearSpec, planArgs, samplePlan, shortPlanScript } from '../../rig/plan.ts'
import { makeRig } from '../../rig/rig.ts'

const light = ['--review-light', 'off']

/** The forms of the specification; a status block counts as one line. */
const forms = [
  /^\[LOOP\] Starting \| Shape: Tool \(10\/10\) \| Workflow: B \| Steps: 2 \| Budget: \$25$/,
  /^\[LOOP\] Iteration \d+\/10 \| Cost: \$[\d.]+\/shared \| Step: T-00\d$/,
  /^---LOOP_STATUS---\nEXIT_SIGNAL: (?:true|false)\nCRITERIA: \{"T-00\d": (?:true|false)\}\nSTUCK_COUNT: \d\nNEXT: .+\n---END_STATUS---$/,
  /^\[LOOP\] ✓ T-00\d .+ complete \| Progress: \d\/2 \| Next: (?:T-00\d .+|none)$/,
  /^<loop-complete>\nAll tasks verified:\n- T-001: ✓ Mend the cart\n- T-002: ✓ Describe the cart in CART\.md\n\n╭─ 🟢 SHIP ─+╮\n(?:[│├].*\n)+╰─+╯\n<\/loop-complete>$/,
]

/** The announcements, each with its lines. */
function pieces(text: string): string[] {
  return text.trim().split(/\n(?=\[LOOP\]|---LOOP_STATUS|<loop-complete>)/)
}

test('the announcements of a plan: its start, the iterations of its tasks, its steps, its end', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const ended = await rig.loop(planArgs(clearSpec, shortPlanScript(rig), ...light))
  assert.equal(ended.code, 0, ended.stderr)
  const logs = await rig.loop(['logs', onlyGroup(rig), '--announcements'])
  const said = pieces(logs.stdout)
  for (const piece of said)
    assert.ok(
      forms.some(form => form.test(piece)),
      piece,
    )
  const times = forms.map(form => said.filter(piece => form.test(piece)).length)
  assert.deepEqual(times, [1, 2, 2, 2, 1])
  assert.match(said[0] ?? '', /Starting/)
  assert.match(said.at(-1) ?? '', /loop-complete/)
  const progress = ended.stderr.split('\n').filter(line => line.includes('Progress:'))
  assert.deepEqual(
    progress,
    [
      '[LOOP] ✓ T-001 Mend the cart complete | Progress: 1/2 | Next: T-002 Describe the cart in CART.md',
      '[LOOP] ✓ T-002 Describe the cart in CART.md complete | Progress: 2/2 | Next: none',
    ],
    'while it runs, that a task is complete is said by the plan alone',
  )
  assert.doesNotMatch(ended.stderr, /gate\/1\/m\d/, 'what must not be is said by its name')
})

test('a pause is announced too', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  const mute = Array.from({ length: 3 }, () => [{ say: 'no idea' }])
  const paused = await rig.loop(planArgs(clearSpec, shortPlanScript(rig, { shape: mute }), ...light))
  assert.equal(paused.code, 1, paused.stderr)
  const logs = await rig.loop(['logs', onlyGroup(rig), '--announcements'])
  assert.equal(logs.stdout, '[LOOP] ⏸ Paused: a model gave no usable answer\n')
})
