/**
 * The hook as a program: JSON on stdin, at most one JSON object on stdout, always exit 0. Any error releases the
 * session with a message: a broken hook must never block a person's session.
 */
import { readSync } from 'node:fs'
import { decideStop, type Situation } from '../core/session/stop.ts'
import { jsonText } from '../core/text/plain-text.ts'
import { parseDuration } from '../model/units.ts'
import { pathsFrom } from '../store/files/paths.ts'
import { orphanedText, resumeText } from '../views/words/resume.ts'
import { askedFrom, lookAround } from './situation.ts'
import { answerStop, type Engine } from './stop.ts'

const mostInput = 16_000_000

type Kind = 'stop' | 'session-start'

/** The text to print; empty for nothing. */
export async function answer(kind: Kind, env: NodeJS.ProcessEnv, engine: Engine): Promise<string> {
  // Inside a run of loop, that loop decides when its agent is done.
  if (env['LOOP_RUN']) return ''
  try {
    const asked = askedFrom(standardInput())
    if (!asked) return hookFailure('what its host said on stdin is not the JSON of a hook')
    const place = { paths: pathsFrom(env), env, asked }
    if (kind === 'stop') return jsonText(await answerStop(place, engine))
    const { situation, tree } = lookAround(place)
    const additionalContext = resumeText(situation) || (await drivenText(situation, tree, engine))
    if (additionalContext === '') return ''
    // For a host program that has to know the answer before its session stops.
    const loop = { held: decideStop(situation).do !== 'allow' }
    return jsonText({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext }, loop })
  } catch (error) {
    return hookFailure(error instanceof Error ? error.message : String(error))
  }
}

/** A loop that loop drives itself is no matter of a session, unless nothing drives it any more. */
async function drivenText({ file, workflow }: Situation, tree: string, engine: Engine): Promise<string> {
  const isDriven = (file !== null && file !== 'broken' && file.driven) || workflow?.driven === true
  const orphan = isDriven ? await engine.orphanIn(tree) : null
  return orphan ? orphanedText(orphan) : ''
}

export function hookFailure(why: string): string {
  const systemMessage = `loop: its hook failed (${why.slice(0, 500)}). The session is not held, and nothing is recorded as completed. See: loop doctor`
  return jsonText({ ok: true, systemMessage })
}

/** Do not read from a TTY: it would never reach end of file. */
function standardInput(): string {
  if (process.stdin.isTTY) return ''
  const chunks: Buffer[] = []
  let bytes = 0
  while (bytes < mostInput) {
    const chunk = Buffer.alloc(65_536)
    const read = readSome(chunk)
    if (read === 0) break
    bytes += read
    chunks.push(chunk.subarray(0, read))
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readSome(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(0, chunk)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EOF') return 0
      // A non-blocking pipe that is empty at the moment.
      if (code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

/** Answers a hook, and loads parts of the engine only when they are needed. */

/** Less than host programs allow: they release a session when a hook takes longer. */
const usualDeadline = '55m'

export async function runHook(
  kind: string,
  deadline: string | null,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const deadlineMs = parseDuration(deadline ?? usualDeadline)
  if ((kind !== 'stop' && kind !== 'session-start') || !deadlineMs) {
    return hookFailure('it is called as: loop hook stop|session-start [--deadline 55m]')
  }
  const named = async () => (await import('../wiring/secret-names.ts')).withSecretNames(env)
  return answer(kind, env, {
    claim: async wish => (await import('./claim.ts')).claim(await named(), { ...wish, deadlineMs }),
    end: async (id, ending) => (await import('./claim.ts')).endSession(await named(), id, ending),
    checkTasks: async (list, tasks) =>
      (await import('./check-tasks.ts')).checkTasks(env, { list, tasks, deadlineMs }),
    orphanIn: async tree => (await import('./orphan.ts')).orphanIn(await named(), tree),
  })
}
