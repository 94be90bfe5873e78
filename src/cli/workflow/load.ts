/**
 * A workflow of the command line: the file, `--set`, and the options of a start that hold for all its loops. To
 * look at a file needs no agent and no variable; to run it needs all of them.
 */
import { exitCodeOf, ok, type Result } from '../../model/failure.ts'
import type { WorkflowSpec } from '../../model/group/workflow.ts'
import type { Problem } from '../../model/problem.ts'
import type { System } from '../../options/system.ts'
import { parseSet } from '../../options/workflow/set.ts'
import { type ReadWorkflow, readWorkflow } from '../../options/workflow/workflow.ts'
import { jsonText, safeLine } from '../../views/text/plain-text.ts'
import { commandWords, workflowPlan } from '../../views/workflow/plan.ts'
import { problemLines } from '../../views/workflow/problems.ts'
import type { Input } from '../command-table.ts'
import { configured } from '../config/configured.ts'
import { systemHere } from '../system.ts'
import { err, out } from '../terminal.ts'
import { readWorkflowFile, trustedWorkflow, type WorkflowFile } from './file.ts'

type LoadedWorkflow = { file: WorkflowFile; read: ReadWorkflow }

/** Only looked at: no configuration, no agent has to be there, and variables may have no value. */
export function lookAtWorkflow(named: string, input: Input): Result<LoadedWorkflow> {
  return load(named, input, { system: anyMachine(systemHere(input)), isComplete: false, more: [] })
}

/** To be run, over the configuration; `more`: values of variables beside those of --set. */
export async function loadWorkflow(
  named: string,
  typed: Input,
  more: string[] = [],
): Promise<Result<LoadedWorkflow & { input: Input }>> {
  const system = systemHere(typed)
  const input = await configured(typed, system)
  if (!input.ok) return input
  const loaded = load(named, input.value, { system, isComplete: true, more })
  return loaded.ok ? ok({ ...loaded.value, input: input.value }) : loaded
}

function load(
  named: string,
  input: Input,
  { more, ...how }: { system: System; isComplete: boolean; more: string[] },
): Result<LoadedWorkflow> {
  const set = parseSet([...input.values('set'), ...more])
  if (!set.ok) return set
  const file = readWorkflowFile(named)
  if (!file.ok) return file
  const { path, text } = file.value
  const read = readWorkflow({ text, file: path, set: set.value, values: input, ...how })
  return ok({ file: file.value, read })
}

/** Whether a file is sound is the same on every machine. */
function anyMachine(system: System): System {
  return {
    ...system,
    isAttended: false,
    workProblem: () => null,
    agent: name => ({
      ...system.agent(name),
      find: agentCmd => ok(agentCmd ?? name),
      signedIn: () => 'unknown',
    }),
    agreesToHostedModel: () => true,
  }
}

/** Says what is wrong with a file that was to be used; the exit code. */
export function sayProblems(problems: Problem[], input: Input): number {
  const reason = 'invalid-config'
  const message = `The workflow has ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`}; nothing was run.`
  if (input.given('json')) err(jsonText({ error: { reason, message, problems } }))
  else err([...problemLines(problems), message].join('\n'))
  return exitCodeOf(reason)
}

type Sound = Extract<ReadWorkflow, { workflow: WorkflowSpec }>

/** Nothing of a file runs before all of it is sound and its content is trusted. `isOwn`: it came with no repository. */
export async function launchWorkflow(
  { file, read, input }: LoadedWorkflow & { input: Input },
  { isOwn = false }: { isOwn?: boolean } = {},
): Promise<Result<number>> {
  if ('problems' in read) return ok(sayProblems(read.problems, input))
  if (input.given('dry-run')) return dryRun(read, input)
  const { workflow } = read
  const trusted = isOwn ? ok(null) : trustedWorkflow(file, { input, lines: workflowPlan(workflow), workflow })
  if (!trusted.ok) return trusted
  if (!input.given('json')) for (const line of commandWords(read.commands)) err(safeLine(line))
  const { runWorkflow } = await import('./run.ts')
  return runWorkflow(read.workflow, input)
}

/** `--dry-run`: what would run, and where; nothing is. */
function dryRun({ workflow, commands }: Sound, input: Input): Result<number> {
  const lines = [...commandWords(commands), ...workflowPlan(workflow)].map(safeLine)
  out(input.given('json') ? jsonText(workflow) : [...lines, 'Nothing was run.'].join('\n'))
  return ok(0)
}
