/** From what was typed to a fully resolved spec; each mistake has its own sentence. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { detect } from '../../checkpoints/detect.ts'
import { defaultLimits } from '../../core/loop/breaker.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { BreakerLimits, Spec } from '../../model/loop/spec.ts'
import { parseBreaker, parseBytes, parseDuration, parseLimit, parseMoney } from '../../model/units.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import type { Input } from '../command-table.ts'
import { isAttended } from '../foreground/question.ts'
import { agentFrom, sessionAgent } from './agent.ts'
import { criteriaFrom } from './criteria.ts'
import { subject, unfit } from './value.ts'

/** Not flags: the same for every loop until somebody needs them otherwise. */
const fixed = { graceMs: 5_000, backoffMs: 2_000 }

export function specFrom(input: Input): Result<Spec> {
  const prompt = promptFrom(input)
  if (!prompt.ok) return prompt
  const criteria = criteriaFrom(input)
  if (!criteria.ok) return criteria
  const cwd = directory(input)
  if (!cwd.ok) return cwd
  const session = input.given('session')
  const agent = session ? ok(sessionAgent(input)) : agentFrom(input, cwd.value)
  if (!agent.ok) return agent
  const checkpoint = checkpointFrom(input, cwd.value)
  if (!checkpoint.ok) return checkpoint
  const tool = missingTool(input)
  if (tool) {
    return fail(
      'system',
      `The program ${tool} is not on the PATH, and loop needs it. Install it (git, util-linux, coreutils).`,
    )
  }
  const state = input.value('state')
  if (state !== null && state !== 'keep' && state !== 'delete') return unfit(input, 'state')
  const limits = limitsFrom(input)
  if (!limits.ok) return limits
  return ok({
    prompt: prompt.value,
    ...criteria.value,
    cwd: cwd.value,
    ...agent.value,
    ...checkpoint.value,
    ...limits.value,
    ...fixed,
    baseline: !input.given('no-baseline'),
    failFast: input.given('fail-fast'),
    attended: !session && isAttended(input),
    ...(session && { session: { run: null } }),
    ...(input.given('notify') && { notify: true }),
  })
}

function promptFrom(input: Input): Result<string> {
  const [prompt, ...more] = input.positionals
  if (more.length > 0) {
    return invalid(`The prompt is one argument: put it in quotes. What follows it: ${more.join(' ')}`)
  }
  const text = prompt === '-' ? standardInput() : prompt
  if ((text?.length ?? 0) > mostPrompt) {
    return invalid('The prompt is longer than 10 MB. Put it into a file of the work tree and name that.')
  }
  if (text?.includes('\0')) return invalid('The prompt holds a NUL byte; is it a text file?')
  if (text?.trim()) return ok(text)
  return invalid('Say what is to be done: loop start "fix the failing tests" -p "npm test"')
}

const mostBytes = 100_000
const mostPrompt = 10_000_000

/** What a file says that the agent is to be told. */
export function textOfFile(file: string, flag: string): Result<string> {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile() || found.size > mostBytes) {
    return invalid(`${file} is not a file of at most ${mostBytes / 1_000} kB. Check ${flag}.`)
  }
  const text = readFileSync(file, 'utf8').trim()
  return text === '' ? invalid(`${file} is empty. Check ${flag}.`) : ok(text)
}

export function standardInput(): string {
  for (;;) {
    try {
      return readFileSync(0, 'utf8')
    } catch (error) {
      // A pipe that somebody has made non-blocking and that is empty just now.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

export function directory(input: Input): Result<string> {
  const given = input.value('cwd')
  if (given === '') return invalid('--cwd is empty. Give a directory, or leave it out.')
  const typed = resolve(given ?? process.cwd())
  const stat = statSync(typed, { throwIfNoEntry: false })
  if (stat?.isDirectory()) return ok(realpathSync(typed))
  return invalid(`${typed} is ${stat ? 'not a directory' : 'not there'}. Check --cwd.`)
}

type Saving = Pick<Spec, 'checkpoint' | 'checkpointWhy' | 'checkpointIgnored'>

function checkpointFrom(input: Input, cwd: string): Result<Saving> {
  const name = input.value('checkpoint')
  if (name === 'none') return ok({ checkpoint: name })
  if (name !== 'auto' && name !== 'btrfs' && name !== 'git') return unfit(input, 'checkpoint')
  const data = realDirectory(pathsFrom(input.env).data)
  if (`${data}/`.startsWith(cwd === '/' ? cwd : `${cwd}/`)) {
    return invalid(
      `${cwd} holds loop's own data directory, ${data}, which can not be checkpointed. Run in a project directory, or with --checkpoint none.`,
    )
  }
  const found = detect(cwd, input.env)
  if (name === 'btrfs' && found.backend !== 'btrfs') {
    return invalid(`${subject(input, 'checkpoint')} btrfs is not possible in ${cwd}: ${found.why}. Use git.`)
  }
  const ignored = input.given('checkpoint-ignored') && { checkpointIgnored: true }
  if (name !== 'auto') return ok({ checkpoint: name, ...ignored })
  return ok({ checkpoint: found.backend, checkpointWhy: found.why, ...ignored })
}

/** With the symlinks of what there is of it resolved: the rest will be made below that. */
function realDirectory(path: string): string {
  if (existsSync(path) || dirname(path) === path) return realpathSync(path)
  return join(realDirectory(dirname(path)), basename(path))
}

/** What loop itself needs to run anything: missing, it would look as if the agent or the promise failed. */
function missingTool(input: Input): string | null {
  const places = (input.env['PATH'] ?? '').split(delimiter)
  const found = (tool: string) => places.some(place => existsSync(join(place, tool)))
  const wanted = ['setsid', 'ln', 'mv', 'sleep', ...(input.value('checkpoint') === 'none' ? [] : ['git'])]
  return wanted.find(tool => !found(tool)) ?? null
}

type Limits = Pick<
  Spec,
  | 'maxIterations'
  | 'budgetUsd'
  | 'timeoutMs'
  | 'verifyTimeoutMs'
  | 'idleTimeoutMs'
  | 'maxOutputBytes'
  | 'breakers'
>

function limitsFrom(input: Input): Result<Limits> {
  const iterations = iterationsFrom(input)
  if (!iterations.ok) return iterations
  const budget = budgetFrom(input)
  if (!budget.ok) return budget
  const timeoutMs = duration(input, 'timeout')
  if (!timeoutMs.ok) return timeoutMs
  const verifyTimeoutMs = duration(input, 'verify-timeout')
  if (!verifyTimeoutMs.ok) return verifyTimeoutMs
  const idleTimeoutMs = input.value('idle-timeout') === null ? ok(null) : duration(input, 'idle-timeout')
  if (!idleTimeoutMs.ok) return idleTimeoutMs
  const breakers = breakersFrom(input)
  if (!breakers.ok) return breakers
  const output = input.value('max-output') ?? ''
  const maxOutputBytes = parseBytes(output)
  if (!maxOutputBytes) return unfit(input, 'max-output')
  return ok({
    maxIterations: iterations.value,
    budgetUsd: budget.value,
    timeoutMs: timeoutMs.value,
    verifyTimeoutMs: verifyTimeoutMs.value,
    idleTimeoutMs: idleTimeoutMs.value,
    maxOutputBytes,
    breakers: breakers.value,
  })
}

const breakerFlag: Record<keyof BreakerLimits, string> = {
  stuck: 'stuck-limit',
  sameError: 'same-error-limit',
  sameFile: 'same-file-limit',
  noChange: 'no-change-limit',
  agentErrors: 'agent-error-limit',
  promiseErrors: 'promise-error-limit',
}

function breakersFrom(input: Input): Result<BreakerLimits> {
  const limits = { ...defaultLimits }
  for (const [name, flag] of Object.entries(breakerFlag)) {
    const typed = input.value(flag) ?? ''
    const limit = parseBreaker(typed)
    if (!limit) return unfit(input, flag)
    limits[name as keyof BreakerLimits] = limit.limit
  }
  return ok(limits)
}

export function iterationsFrom(input: Input): Result<number | null> {
  const limit = parseLimit(input.value('max-iterations') ?? '')
  return limit ? ok(limit.limit) : unfit(input, 'max-iterations')
}

export function budgetFrom(input: Input): Result<number | null> {
  const money = parseMoney(input.value('budget') ?? '')
  return money ? ok(money.limit) : unfit(input, 'budget')
}

function duration(input: Input, flag: string): Result<number> {
  const ms = parseDuration(input.value(flag) ?? '')
  return ms ? ok(ms) : unfit(input, flag)
}

function invalid(message: string): Result<never> {
  return fail('invalid-arguments', message)
}
