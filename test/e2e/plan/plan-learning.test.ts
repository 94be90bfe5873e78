/**
 * Learnings of a plan: earlier ones are shown at its start, confirmed or dismissed, used or not; its own are kept with
 * consent, by the next host if the first one died; and the page of a run lists what people did meanwhile.
 */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onlyGroup } from '../../rig/group.ts'
import { clearSpec, planArgs, planEvents, samplePlan, shortPlanScript } from '../../rig/plan.ts'
import { makeRig, type Rig, readOr } from '../../rig/rig.ts'

const about = [
  'The cart rounds discounts down',
  'shipping of the cart is free from 50',
  'tests of the cart use node',
]

async function learnt(
  rig: Rig,
): Promise<Record<string, { shown: number; helped: number; unhelpful: number }>> {
  const shown = await rig.loop(['learn', '--json'])
  const { learnings } = JSON.parse(shown.stdout) as {
    learnings: { text: string; shown: number; helped: number; unhelpful: number }[]
  }
  return Object.fromEntries(
    learnings.map(({ text, shown: times, helped, unhelpful }) => [text, { shown: times, helped, unhelpful }]),
  )
}

test('learnings are shown, some dismissed; each showing counts with what became of the plan', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  for (const text of about) assert.equal((await rig.loop(['learn', 'add', text])).code, 0)
  rig.write('answers.yaml', 'recall: "1 and 3"\nlearn/1: no\n')
  const script = shortPlanScript(rig)
  const args = planArgs(clearSpec, script, '--review-light', 'off', '--answers', 'answers.yaml')
  const ended = await rig.loop(args)
  assert.equal(ended.code, 0, ended.stderr)
  const created = planEvents(rig)[0]
  assert.ok(created?.kind === 'group.created' && created.data.spec.plan)
  const order = created.data.spec.plan.recalled.map(({ text }) => text)
  assert.deepEqual(order.toSorted(), about.toSorted(), 'all of them fit')
  const shape = planEvents(rig).find(event => event.kind === 'node.started' && event.data.node === 'shape')
  assert.ok(shape?.kind === 'node.started' && shape.data.member)
  const prompt = readOr(join(rig.dir(shape.data.member), 'runs', '1', 'prompt'))
  for (const [i, text] of order.entries())
    assert.equal(prompt.includes(text), i !== 1, 'what was dismissed is not told to the agent')
  const use = await learnt(rig)
  for (const [i, text] of order.entries())
    assert.deepEqual(use[text], { shown: 1, helped: i === 1 ? 0 : 1, unhelpful: i === 1 ? 1 : 0 })
  assert.equal(Object.keys(use).length, 3, 'what nobody agreed to is not kept')
  const state = JSON.parse(readOr(join(rig.tree, '.loop', 'workflow-state.json')))
  assert.deepEqual(state.recall_surfaced, order)
})

test('a learning is not lost with the host that was to note it, and what people did is on the page of the run', async t => {
  const rig = makeRig(t)
  samplePlan(rig)
  assert.equal((await rig.loop(['learn', 'add', about[0] ?? ''])).code, 0)
  const script = shortPlanScript(rig)
  const args = planArgs(clearSpec, script, '--review-light', 'off')
  const killedAt = async (point: string, command: string[]) => {
    const killed = await rig.loop(command, { env: { LOOP_FAULT: point } })
    assert.equal(killed.signal ?? killed.code, 'SIGKILL', `${point}: ${killed.stderr.slice(-500)}`)
  }
  await killedAt('kept:showings', args)
  const id = onlyGroup(rig)
  await killedAt('kept:lessons', ['resume', id, '--no-input'])
  const ended = await rig.loop(['resume', id, '--no-input'])
  assert.equal(ended.code, 0, ended.stderr)
  assert.deepEqual((await learnt(rig))[about[0] ?? ''], { shown: 1, helped: 1, unhelpful: 0 })
  const pending = JSON.parse((await rig.loop(['learn', '--json'])).stdout).pending as { text: string }[]
  assert.deepEqual(
    pending.map(({ text }) => text),
    ['Limits in this cart are inclusive; look at the exact value.'],
    'once, and it waits for consent',
  )
  assert.equal((await rig.loop(['rollback', id, 'initial'])).code, 0)
  const [run = ''] = readdirSync(join(rig.tree, '.loop', 'runs'))
  const context = readOr(join(rig.tree, '.loop', 'runs', run, '_context.md'))
  assert.match(context, new RegExp(`### Interventions\\n- \\S+ rolled ${id} back: to initial`))
})
