/** `loop demo`: copies a sample project with a failing test suite and runs a real loop, or a group of loops, on it. */
import { cpSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { invalid, ok, type Result } from '../../model/failure.ts'
import { groupFrom } from '../../options/best-of.ts'
import { nearest } from '../../options/nearest.ts'
import { resolveStart } from '../../options/resolve.ts'
import { commonFlags } from '../../options/table/command.ts'
import type { Flag } from '../../options/table/flag.ts'
import { planFlags } from '../../options/table/group.ts'
import { startFlags } from '../../options/table/start.ts'
import { workflowFlags } from '../../options/table/workflow.ts'
import { valuesOf } from '../../options/values.ts'
import { afterDemo, demoIntroduction } from '../../views/text/demo.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { programOnPath } from '../doctor/machine.ts'
import { systemHere } from '../system.ts'
import { err, out } from '../terminal.ts'
import { startLoop } from './start.ts'

const sample = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../../../demo' : '../demo')

type Demo = { run(input: Input, cwd: string): Promise<Result<number>>; kind: 'loop' | 'group' | 'plan' }

const demos: Record<string, Demo> = {
  loop: { run: runLoop, kind: 'loop' },
  'best-of': { run: runBestOf, kind: 'group' },
  workflow: { run: runWorkflowDemo, kind: 'group' },
  plan: { run: runPlanDemo, kind: 'plan' },
}

const demo: CommandRun = async input => {
  const [name = 'loop', ...more] = input.positionals
  const found = Object.hasOwn(demos, name) ? demos[name] : undefined
  if (!found || more.length > 0) {
    const near = nearest(name, Object.keys(demos))
    return invalid({ kind: 'unknown-demo', near })
  }
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'loop-demo-')))
  cpSync(join(sample, 'project'), cwd, { recursive: true })
  if (!input.given('json')) err(demoIntroduction(cwd))
  const ended = await found.run(input, cwd)
  // npx puts loop on the PATH for this one command.
  const isInstalled = programOnPath('loop', input.env) !== null && input.env['npm_command'] !== 'exec'
  if (ended.ok && !input.given('json')) out(afterDemo(found.kind, cwd, isInstalled))
  return ended
}

async function runLoop(input: Input, cwd: string): Promise<Result<number>> {
  const start = typed(input, cwd, { flags: startFlags, values: { ...promised, 'agent-cmd': 'turns.yaml' } })
  const wish = resolveStart({ prompt, values: start }, systemHere(start))
  return wish.ok ? startLoop(wish.value, start) : wish
}

async function runBestOf(input: Input, cwd: string): Promise<Result<number>> {
  const values = { ...promised, 'agent-cmd': 'best-of.yaml', 'best-of': '3', 'max-iterations': '1' }
  const start = typed(input, cwd, { flags: startFlags, values })
  const system = systemHere(start)
  const wish = resolveStart({ prompt, values: start }, system)
  if (!wish.ok) return wish
  const group = groupFrom(start, wish.value.spec, { parallel: 3, system })
  if (!group.ok) return group
  if (!group.value) throw new Error('Internal error: the demo asks for a group')
  const { startGroup } = await import('../foreground/group.ts')
  return startGroup(group.value, start)
}

async function runWorkflowDemo(input: Input, cwd: string): Promise<Result<number>> {
  const start = typed(input, cwd, { flags: workflowFlags, values: { 'agent-cmd': 'workflow-turns.yaml' } })
  const { loadWorkflow, sayProblems } = await import('../workflow/load.ts')
  const loaded = await loadWorkflow(join(sample, 'workflow.yaml'), start)
  if (!loaded.ok) return loaded
  const { read, input: configured } = loaded.value
  if ('problems' in read) return ok(sayProblems(read.problems, input))
  const { runWorkflow } = await import('../workflow/run.ts')
  return runWorkflow(read.workflow, configured)
}

async function runPlanDemo(input: Input, cwd: string): Promise<Result<number>> {
  const values = { 'agent-cmd': 'plan-turns.yaml', yes: 'true' }
  const start = typed(input, cwd, { flags: [...startFlags, ...planFlags], values })
  const { startPlan } = await import('../plan/start-plan.ts')
  return startPlan({ ...start, positionals: [planned] }, systemHere(start))
}

const planned =
  'Fix total(), discounted() and shipping() in cart.js so that all tests pass, and describe them in CART.md; no new dependencies; done when node --test exits 0'

const prompt = 'Fix the failing tests of the shopping cart'
const promised = { promise: 'node --test' }

/** The same input that a person would type. */
function typed(
  input: Input,
  cwd: string,
  { flags, values }: { flags: Flag[]; values: Record<string, string> },
): Input {
  const all = Object.entries({ ...values, agent: 'scripted', cwd })
  const given = all.map(([name, value]): [string, string[]] => [
    name,
    [name === 'agent-cmd' ? join(sample, value) : value],
  ])
  for (const name of ['json', 'plain', 'verbose']) if (input.given(name)) given.push([name, ['true']])
  // The promise must find the Node that runs loop, even if the system has none.
  const path = [dirname(process.execPath), input.env['PATH']].filter(Boolean).join(delimiter)
  const env = { ...input.env, PATH: path }
  return { ...valuesOf([...flags, ...commonFlags], new Map(given), { env }), positionals: [], env }
}

export default demo
