/**
 * The answer to a question: found in the run, judged by its schema, and kept as a file, so that it has a verdict
 * like a command. A missing or wrong answer is FAIL and never ERROR: the model is asked again and told why.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { jsonIn, judgeAnswerText } from '../../../core/answer.ts'
import { judgedBy } from '../../../core/loop/criteria.ts'
import { type AnswerSource, mostAnswerBytes, type WantedAnswer } from '../../../model/answer.ts'
import { answerJsonSchema } from '../../../model/answer-schemas.ts'
import type { CriterionResult } from '../../../model/loop/event.ts'
import type { Criterion } from '../../../model/loop/spec.ts'
import { excerpt, readBytes, settle, sizeOf, writeDurably } from '../../../store/files/artifact.ts'
import { loopDir, verifyDir } from '../../../store/files/paths.ts'
import { leftByAgent } from '../sandbox.ts'
import { listenTo } from './output.ts'
import { cleanOf } from './redaction.ts'
import type { Task } from './steps.ts'

/** Files in the run's directory: the answer that the agent writes, and the schema that it is given. */
export const answerFile = 'answer'
export const answerSchemaFile = 'answer-schema.json'

/** Constraints that codex's strict mode refuses are left out of its schema; loop checks them itself. */
const beyondStrict = new Set(['minLength', 'maxLength', 'pattern'])

export function answerSchemaText(wanted: WantedAnswer): string {
  const kept = (key: string, value: unknown) => (beyondStrict.has(key) ? undefined : value)
  return JSON.stringify(answerJsonSchema(wanted), kept, 2)
}

/** `text` is null if the answer is too large to be read. */
type Found = { source: AnswerSource; text: string | null }

export async function judgedAnswers(iteration: number, task: Task): Promise<CriterionResult[]> {
  const { criteria } = task.state.spec
  const wanted = criteria.flatMap((criterion, index) => (criterion.answer ? { criterion, index } : []))
  const results: CriterionResult[] = []
  for (const { criterion, index } of wanted) {
    const began = performance.now()
    const found = await answerOf(task)
    results.push({
      ...judged(criterion, found, { task, path: verifyDir(iteration, index) }),
      durationMs: Math.round(performance.now() - began),
    })
  }
  return results
}

type Place = { task: Task; path: string }

function judged(criterion: Criterion, found: Found | null, { task, path }: Place): CriterionResult {
  const { name, answer } = criterion
  if (!answer) throw new Error(`Internal error: ${name} wants no answer`)
  const clean = cleanOf(task.world.env)
  const root = loopDir(task.world.store.paths, task.state.id)
  const text = found?.text ?? null
  const verdict =
    text === null ? { ok: false as const, problems: [missing(found)] } : judgeAnswerText(clean(text), answer)
  mkdirSync(join(root, path), { recursive: true, mode: 0o700 })
  const out = join(path, 'out')
  writeDurably(
    join(root, out),
    verdict.ok ? verdict.json : verdict.problems.map(one => `- ${one}\n`).join(''),
  )
  return {
    name,
    command: judgedBy(criterion) ?? '',
    verdict: verdict.ok ? 'PASS' : 'FAIL',
    why: verdict.ok ? `answered (${found?.source})` : (verdict.problems[0] ?? ''),
    exitCode: null,
    durationMs: 0,
    failing: null,
    signature: null,
    checkpoint: null,
    ...(found && { source: found.source }),
    output: settle(root, out, clean),
  }
}

function missing(found: Found | null): string {
  return found
    ? `the answer is larger than ${mostAnswerBytes / 1_000} kB; answer in fewer words`
    : 'there is no answer: neither a file $LOOP_ANSWER_FILE nor JSON in the last message'
}

/**
 * The answer: from the file, otherwise from the agent program's own result, otherwise the last JSON in its last
 * message.
 */
async function answerOf(task: Task): Promise<Found | null> {
  const { run } = task.state.work
  if (!run) return null
  const dir = join(loopDir(task.world.store.paths, task.state.id), run.dir)
  const file = leftByAgent(dir, answerFile)
  const bytes = sizeOf(file)
  if (bytes > mostAnswerBytes) return { source: 'file', text: null }
  if (bytes > 0) return { source: 'file', text: readBytes(file, 0, bytes).toString() }
  return heardIn(task, dir)
}

async function heardIn({ world, state }: Task, dir: string): Promise<Found | null> {
  const { read, answersByMessage } = world.agents[state.work.agent]
  const { native, message } = read
    ? await lastWords(dir, read(world.now))
    : { native: null, message: endOf(join(dir, 'out')) }
  if (native !== null) return { source: 'native', text: native }
  if (message.length > mostMessage) return { source: 'message', text: null }
  const json = jsonIn(message)
  if (json === null) return null
  return { source: answersByMessage && json === message.trim() ? 'native' : 'message', text: json }
}

/** Longer than any accepted answer, with some words around it. */
const mostMessage = 2 * mostAnswerBytes

async function lastWords(dir: string, read: Parameters<typeof listenTo>[1]) {
  let native: string | null = null
  let message = ''
  let isTalking = false
  await listenTo(dir, read).finish(item => {
    if (item.kind === 'answer') native = item.json
    if (item.kind === 'text') {
      const before = isTalking && item.delta ? message : ''
      message = (before + item.text).slice(0, mostMessage + 1)
    }
    isTalking = item.kind === 'text'
  })
  return { native: native as string | null, message }
}

/** For an agent that prints plain text, its whole output can be the last message. */
function endOf(file: string): string {
  const { head, tail, omittedBytes } = excerpt(file, mostMessage)
  return omittedBytes > 0 ? tail : head
}
