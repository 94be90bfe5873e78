/**
 * Every step of every built-in template, by the real program: an agent that does nothing and agents that cheat do not
 * pass the step, and honest work does. One run of a template plays all acts, one in each iteration.
 */
import { test } from 'node:test'
import { makeRig } from '../../rig/rig.ts'
import { bugfix } from '../../rig/templates/bugfix.ts'
import { feature } from '../../rig/templates/feature.ts'
import { performance, slowShop } from '../../rig/templates/performance.ts'
import { assertHonest, type Plan, play } from '../../rig/templates/play.ts'
import { refactor } from '../../rig/templates/refactor.ts'
import { security, unsafeShop } from '../../rig/templates/security.ts'
import { writeShop } from '../../rig/templates/shop.ts'
import { tdd } from '../../rig/templates/tdd.ts'

const cases: {
  template: string
  plan: Plan
  set: Record<string, string>
  project?: Record<string, string>
}[] = [
  { template: 'tdd', plan: tdd, set: { feature: 'a discount' } },
  { template: 'bugfix', plan: bugfix, set: { bug: 'find fails without a list' } },
  { template: 'refactor', plan: refactor, set: { target: 'src/cart.js' } },
  { template: 'feature', plan: feature, set: { feature: 'a discount' } },
  { template: 'security', plan: security, set: {}, project: unsafeShop },
  {
    template: 'performance',
    plan: performance,
    set: { target: 'src/unique.js' },
    project: slowShop,
  },
]

/** The first acts of each step, which are no work, and the last, which is work; all acts with LOOP_LONG=1. */
function someOf(acts: Plan[string]): Plan[string] {
  return process.env['LOOP_LONG'] ? acts : [...acts.slice(0, 2), ...acts.slice(-1)]
}

for (const { template, plan: all, set, project } of cases) {
  test(`${template}: doing nothing and cheating fail every step, honest work passes`, async t => {
    const rig = makeRig(t)
    const plan = Object.fromEntries(Object.entries(all).map(([step, acts]) => [step, someOf(acts)]))
    writeShop(rig.tree, project)
    const played = await play(rig, { template, plan, set: { ...set, test: 'node --test' } })
    assertHonest(played, plan)
  })
}
