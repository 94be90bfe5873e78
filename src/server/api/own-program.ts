/**
 * Runs loop itself in a separate process for requests that take long or need much memory: workflow files, templates,
 * the doctor, garbage collection. The answer is the JSON that it prints; so is a refusal. The number of concurrent
 * processes is limited.
 */
import type * as z from 'zod'
import type { Facts } from '../../failures/all.ts'
import { exitCodes, fail, ok, type Reason, type Result } from '../../model/failure.ts'

type Ended = { code: number | null; stdout: string; stderr: string }

/** Runs loop: `cwd` is its directory, `ms` its time limit. */
export type RunOwn = (
  args: readonly string[],
  how: { cwd: string; env: NodeJS.ProcessEnv; ms: number },
) => Promise<Ended>

/** `isAnswerOnFailure`: it prints its answer even if it fails, as the doctor does. */
type Question<S extends z.ZodType> = {
  args: readonly string[]
  schema: S
  cwd: string
  env: NodeJS.ProcessEnv
  ms?: number
  isAnswerOnFailure?: boolean
}

export type AskOwn = <S extends z.ZodType>(
  question: Question<S>,
) => Promise<Result<{ answer: z.output<S>; notices: string[] }>>

const mostAtOnce = 4
const mostWaiting = 32
const usualMs = 30_000

export function ownProgram(run: RunOwn): AskOwn {
  const waiting: (() => void)[] = []
  let running = 0
  const turn = async () => {
    if (running >= mostAtOnce) await new Promise<void>(resolve => waiting.push(resolve))
    running += 1
  }
  return async ({ args, schema, cwd, env, ms = usualMs, isAnswerOnFailure = false }) => {
    if (waiting.length >= mostWaiting) return fail('not-allowed', { kind: 'asked-too-much' })
    await turn()
    try {
      const [command = '', ...rest] = args
      // `--json` comes first: everything after -- is text.
      const ended = await run([command, '--json', ...rest], { cwd, env, ms })
      const lines = ended.stderr.split('\n').map(parsed)
      const notices = lines.flatMap(line => messageIn(line, 'notice') ?? [])
      const refused = lines.findLast(line => messageIn(line, 'error') !== undefined)
      if (refused !== undefined && !isAnswerOnFailure)
        return fail(reasonIn(refused), { kind: 'said', message: messageIn(refused, 'error') ?? '' })
      const answer = schema.safeParse(parsed(ended.stdout))
      if (answer.success) return ok({ answer: answer.data, notices })
      return fail('system', unanswered(args, ended))
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }
}

function unanswered([command = '']: readonly string[], { code, stderr }: Ended): Facts {
  const said = stderr.trim().split('\n').at(-1)?.slice(0, 300) || 'it said nothing'
  return { kind: 'no-own-answer', command, exit: code, said }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // not a line of JSON: something for people
  }
}

type Said = { [key: string]: { message?: unknown; reason?: unknown } | undefined } | null

function messageIn(line: unknown, key: 'notice' | 'error'): string | undefined {
  const message = typeof line === 'object' ? (line as Said)?.[key]?.message : undefined
  return typeof message === 'string' ? message : undefined
}

function reasonIn(line: unknown): Reason {
  const reason = (line as Said)?.['error']?.reason
  return typeof reason === 'string' && Object.hasOwn(exitCodes, reason) ? (reason as Reason) : 'system'
}
