/**
 * From what was asked to a fully resolved start. Every face comes through here: command line, API, MCP. Each
 * mistake has its own sentence, which names an option as it is typed. Reads nothing by itself: what it has to know
 * of the system is asked of the machine.
 */
import { resolve } from 'node:path'
import { all, fail, ok, type Result } from '../model/failure.ts'
import { type Priority, priorities, type Spec } from '../model/loop/spec.ts'
import { agentFrom, agreedToHosted, sessionAgent } from './agent.ts'
import { checkpointFrom } from './checkpoint.ts'
import { criteriaFrom } from './criteria.ts'
import { hooksFrom } from './hooks.ts'
import { limitsFrom } from './limits.ts'
import type { System } from './system.ts'
import { invalid, readWord } from './value.ts'
import type { Values } from './values.ts'

/** `injected` is told to the agent in its first iteration, besides what the files of `inject` say. */
export type StartRequest = { prompt: string | undefined; values: Values; injected?: string[] }

export type StartWish = {
  spec: Spec
  injected: string[]
  /** What becomes of the state files at the end; null: nobody has said. */
  state: 'keep' | 'delete' | null
  /** Of a loop that waits its turn in the background; null in the foreground. */
  priority: Priority | null
}

/** Not options: the same for every loop until somebody needs them otherwise. */
const fixed = { graceMs: 5_000, backoffMs: 2_000 }

export function resolveStart(request: StartRequest, system: System): Result<StartWish> {
  const { values } = request
  const spec = specFrom(request, system)
  if (!spec.ok) return spec
  const state = values.value('state') === null ? ok(null) : readWord(values, 'state', ['keep', 'delete'])
  if (!state.ok) return state
  // A dry run tells nobody anything.
  const files = values.given('dry-run') ? [] : values.values('inject')
  const injected = all(files.map(file => textOfFile(file, '--inject', system)))
  if (!injected.ok) return injected
  if (values.given('priority') && !values.given('background'))
    return invalid('--priority is about the queue of loopd: give it with -b, or leave it out.')
  const priority = values.given('background') ? readWord(values, 'priority', priorities) : ok(null)
  if (!priority.ok) return priority
  // The last of all: nobody is asked about a start that is refused anyway.
  const agreed = agreedToHosted(spec.value, values, system)
  if (!agreed.ok) return agreed
  return ok({
    spec: spec.value,
    injected: [...injected.value, ...(request.injected ?? [])],
    state: state.value,
    priority: priority.value,
  })
}

type QueuedWish = Pick<StartWish, 'spec' | 'injected'> & { priority: Priority }

/** A start that waits its turn: nobody is there to be asked. */
export function inBackground({ spec, injected, state, priority }: StartWish): QueuedWish {
  if (!priority) throw new Error('Internal error: a start of the foreground has no turn')
  return { spec: { ...spec, attended: false, deleteState: state === 'delete' }, injected, priority }
}

function specFrom({ prompt: asked, values }: StartRequest, system: System): Result<Spec> {
  const prompt = promptFrom(asked, system)
  if (!prompt.ok) return prompt
  const criteria = criteriaFrom(values, system)
  if (!criteria.ok) return criteria
  const cwd = treeFrom(values, system)
  if (!cwd.ok) return cwd
  const closed = system.workProblem(cwd.value)
  if (closed) {
    return invalid(
      `${cwd.value} is ${closed}: an agent could do nothing there. Check its permissions, or --cwd.`,
    )
  }
  const session = values.given('session')
  const agent = session ? ok(sessionAgent(system.env)) : agentFrom(values, system, cwd.value)
  if (!agent.ok) return agent
  const checkpoint = checkpointFrom(values, system, cwd.value)
  if (!checkpoint.ok) return checkpoint
  const tool = missingTool(values, system)
  if (tool) {
    return fail(
      'system',
      `The program ${tool} is not on the PATH, and loop needs it. Install it (git, util-linux, coreutils).`,
    )
  }
  const limits = limitsFrom(values)
  if (!limits.ok) return limits
  const hooks = hooksFrom(values, system)
  if (!hooks.ok) return hooks
  return ok({
    prompt: prompt.value,
    ...criteria.value,
    cwd: cwd.value,
    ...agent.value,
    ...checkpoint.value,
    ...limits.value,
    ...hooks.value,
    ...fixed,
    baseline: !values.given('no-baseline'),
    failFast: values.given('fail-fast'),
    attended: !session && system.isAttended,
    ...(session && { session: { run: null } }),
    ...(values.given('notify') && { notify: true }),
  })
}

const mostPrompt = 10_000_000

function promptFrom(asked: string | undefined, { readStdin }: System): Result<string> {
  if (!readStdin && asked?.trim() === '-') return invalid('The prompt is the text itself.')
  const text = asked === '-' ? readStdin?.() : asked
  if ((text?.length ?? 0) > mostPrompt) {
    return invalid('The prompt is longer than 10 MB. Put it into a file of the work tree and name that.')
  }
  if (text?.includes('\0')) return invalid('The prompt holds a NUL byte; is it a text file?')
  if (text?.trim()) return ok(text)
  return invalid('Say what is to be done: loop start "fix the failing tests" -p "npm test"')
}

const mostBytes = 100_000

/** What a file says that the agent is to be told. */
export function textOfFile(file: string, flag: string, system: System): Result<string> {
  const text = system.readText(resolve(system.cwd, file), mostBytes)
  if (text === null) {
    return invalid(`${file} is not a file of at most ${mostBytes / 1_000} kB. Check ${flag}.`)
  }
  return text.trim() === '' ? invalid(`${file} is empty. Check ${flag}.`) : ok(text.trim())
}

/** The work tree: `--cwd`, else where the request was made. */
export function treeFrom(values: Values, { cwd, directory }: System): Result<string> {
  const given = values.value('cwd')
  if (given === '') return invalid('--cwd is empty. Give a directory, or leave it out.')
  const path = resolve(cwd, given ?? '.')
  const found = directory(path)
  return 'real' in found ? ok(found.real) : invalid(`${path} is ${found.problem}. Check --cwd.`)
}

/** What loop itself needs to run anything: missing, it would look as if the agent or the promise failed. */
function missingTool(values: Values, { hasProgram }: System): string | null {
  const git = values.value('checkpoint') === 'none' ? [] : ['git']
  return ['setsid', 'ln', 'mv', 'sleep', ...git].find(tool => !hasProgram(tool)) ?? null
}
