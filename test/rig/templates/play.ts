/** Runs a template with an agent that plays a plan of acts, and says what loop thought of each act. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Rig, root } from '../rig.ts'
import type { Act } from './agent.ts'

export type Plan = Record<string, Act[]>

type Judged = { says: string; verdicts: Record<string, string>; output: string }

type Playing = { template: string; plan: Plan; set: Record<string, string>; env?: NodeJS.ProcessEnv }

type Played = { code: number | null; said: string; steps: Record<string, Judged[]> }

/** Every act of every step was played, and of each step the honest one alone has passed. */
export function assertHonest({ code, said, steps }: Played, plan: Plan): void {
  for (const [step, acts] of Object.entries(plan)) {
    const judged = steps[step] ?? []
    const passed = judged.filter(({ verdicts }) => Object.values(verdicts).every(one => one === 'PASS'))
    const told = judged.map(({ says, verdicts, output }) => `${says}: ${JSON.stringify(verdicts)}\n${output}`)
    const names = (some: { says: string }[]) => some.map(({ says }) => says)
    assert.deepEqual(names(passed), ['honest'], `${step}\n${told.join('\n')}\n${said}`)
    assert.deepEqual(names(judged), names(acts), step)
  }
  assert.equal(code, 0, said)
}

/** Of every step, what became of each act, in order. */
export async function play(rig: Rig, { template, plan, set, env = {} }: Playing): Promise<Played> {
  writeFileSync(join(rig.aside, 'plan.json'), JSON.stringify(plan))
  const text = readFileSync(join(root, 'templates', `${template}.yaml`), 'utf8')
  const most = Math.max(...Object.values(plan).map(acts => acts.length))
  const file = join(rig.aside, `${template}.yaml`)
  writeFileSync(file, text.replaceAll(/max_iterations: \d+/g, `max_iterations: ${most}`))
  const agent = `${process.execPath} ${join(root, 'test/rig/templates/agent.ts')}`
  const limits = ['--stuck-limit', '50', '--no-change-limit', '50', '--same-file-limit', '50']
  const sets = Object.entries(set).flatMap(([name, value]) => ['--set', `${name}=${value}`])
  const args = ['workflow', 'run', file, ...sets, '--agent', 'custom', '--agent-cmd', agent, ...limits]
  const ended = await rig.loop(args, { env })
  const steps: Record<string, Judged[]> = {}
  for (const id of rig.loops()) {
    const events = rig.events(id)
    const [first] = events
    if (first?.kind !== 'loop.created') continue
    const step = first.data.spec.env?.['LOOP_NODE'] ?? ''
    steps[step] = events.flatMap(event => {
      if (event.kind !== 'promise.verified' || event.data.iteration === 0) return []
      const { results, iteration } = event.data
      const output = results
        .map(result => readFileSync(join(rig.dir(id), result.output?.path ?? ''), 'utf8'))
        .join('\n')
      const verdicts = Object.fromEntries(results.map(({ name, verdict }) => [name, verdict]))
      return [{ says: plan[step]?.[iteration - 1]?.says ?? '', verdicts, output }]
    })
  }
  return { code: ended.code, said: ended.stdout + ended.stderr, steps }
}
