/**
 * A workflow on the command line: the file, `--set`, and the options of a start for all its loops. The file is read once,
 * bounded, and trusted before any of it runs: one that came with a repository is used only after a person has agreed to
 * exactly this content; one outside any repository is the user's own. Validating needs no agent and no variables;
 * running needs all of them.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { jsonText, safeLine } from '../../core/text/plain-text.ts'
import type { Facts } from '../../failures/all.ts'
import { problemLines } from '../../failures/workflow.ts'
import { exitCodeOf, fail, invalid, ok, type Result } from '../../model/failure.ts'
import type { Problem, WorkflowSpec } from '../../model/group/workflow.ts'
import { recordTrust, trustOf } from '../../options/config/trust.ts'
import type { System } from '../../options/system.ts'
import { parseSet } from '../../options/workflow/scope.ts'
import { type ReadWorkflow, readWorkflow } from '../../options/workflow/workflow.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { commandWords, workflowPlan } from '../../views/text/workflow.ts'
import { nothingRunWords } from '../../views/words/done.ts'
import { trustQuestions } from '../../views/words/questions.ts'
import type { Input } from '../command-table.ts'
import { configured } from '../config.ts'
import { askNow, isAttended } from '../foreground/question.ts'
import { systemHere } from '../system.ts'
import { err, outFor } from '../terminal.ts'

/** `path` is `typed` with links resolved. */
type WorkflowFile = { path: string; typed: string; bytes: Buffer; text: string }

const mostBytes = 256_000

export function readWorkflowFile(named: string): Result<WorkflowFile> {
  const typed = resolve(named)
  try {
    const path = realpathSync(typed)
    const stat = statSync(path)
    if (!stat.isFile()) return unreadable(typed, 'not-a-file')
    if (stat.size > mostBytes)
      return invalid({
        kind: 'workflow-too-large',
        path: typed,
        bytes: stat.size,
        most: mostBytes,
      })
    const bytes = readFileSync(path)
    return ok({ path, typed, bytes, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return unreadable(typed, 'not-there')
    if (code === 'EACCES') return unreadable(typed, 'closed')
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return unreadable(typed, 'not-text')
    throw error
  }
}

type Unreadable = Extract<Facts, { kind: 'workflow-unreadable' }>['why']

function unreadable(path: string, why: Unreadable): Result<never> {
  return invalid({ kind: 'workflow-unreadable', path, why })
}

type Asking = { input: Input; lines: string[]; workflow: WorkflowSpec }

/** Whether the file may be run; `lines` tell the person who is asked what it would do. */
export function trustedWorkflow(file: WorkflowFile, { input, lines, workflow }: Asking): Result<null> {
  const trees = workflow.loops.map(({ spec }) => spec.cwd)
  if (![file.path, file.typed].some(path => isOfRepository(path, trees))) return ok(null)
  const paths = pathsFrom(input.env)
  const known = { path: file.path, bytes: file.bytes, of: 'project' as const }
  const trust = trustOf(paths, known)
  if (trust === 'trusted') return ok(null)
  if (input.given('trust')) return input.given('dry-run') ? ok(null) : recordTrust(paths, known, true)
  const changed = trust === 'changed'
  if (isAttended(input) && askNow(trustQuestions.workflow(file.path, changed, lines)))
    return recordTrust(paths, known, true)
  return fail('not-allowed', { kind: 'workflow-untrusted', path: file.path, changed })
}

/** In a work tree of its loops, or in any repository: a parent of the work tree, another clone. */
function isOfRepository(path: string, trees: string[]): boolean {
  for (let at = dirname(path); ; at = dirname(at)) {
    if (trees.includes(at) || existsSync(join(at, '.git'))) return true
    if (at === dirname(at)) return false
  }
}

type LoadedWorkflow = { file: WorkflowFile; read: ReadWorkflow }
export type LoadedToRun = LoadedWorkflow & { input: Input }

/** Validation only: no configuration or agent is needed, and variables can be unset. */
export function lookAtWorkflow(named: string, input: Input): Result<LoadedWorkflow> {
  return load(named, input, { system: anyMachine(systemHere(input)), isComplete: false, more: [] })
}

/** For a run, on top of the configuration; `more`: values of variables in addition to those of --set. */
export async function loadWorkflow(
  named: string,
  typed: Input,
  more: string[] = [],
): Promise<Result<LoadedToRun>> {
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

/** A file is valid or not on every machine alike. */
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

/** Reports the mistakes of a file; returns the exit code. */
export function sayProblems(problems: Problem[], input: Input): number {
  const reason = 'invalid-config'
  const message = `The workflow has ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`}; nothing was run.`
  if (input.given('json')) err(jsonText({ error: { reason, message, problems } }))
  else err([...problemLines(problems), message].join('\n'))
  return exitCodeOf(reason)
}

type Sound = Extract<ReadWorkflow, { workflow: WorkflowSpec }>

type Whose = { isOwn?: boolean }

/**
 * Nothing of a file runs before all of it is valid and its content is trusted. `isOwn`: it did not come with a
 * repository.
 */
export function soundWorkflow({ file, read, input }: LoadedToRun, { isOwn = false }: Whose): Result<Sound> {
  if ('problems' in read)
    return fail('invalid-config', { kind: 'workflow-problems', problems: read.problems })
  const { workflow } = read
  const asked = { input, lines: workflowPlan(workflow), workflow }
  const trusted = isOwn ? ok(null) : trustedWorkflow(file, asked)
  return trusted.ok ? ok(read) : trusted
}

export async function launchWorkflow(loaded: LoadedToRun, whose: Whose = {}): Promise<Result<number>> {
  const { read, input } = loaded
  if ('problems' in read) return ok(sayProblems(read.problems, input))
  if (input.given('dry-run')) return dryRun(read, input)
  const sound = soundWorkflow(loaded, whose)
  if (!sound.ok) return sound
  if (!input.given('json')) for (const line of commandWords(read.commands)) err(safeLine(line))
  const { runWorkflow } = await import('./run.ts')
  return runWorkflow(read.workflow, input)
}

/** `--dry-run`: shows what would run and where, and runs nothing. */
function dryRun({ workflow, commands }: Sound, input: Input): Result<number> {
  const lines = [...commandWords(commands), ...workflowPlan(workflow)].map(safeLine)
  outFor<'workflow'>(input, workflow, [...lines, nothingRunWords].join('\n'))
  return ok(0)
}
