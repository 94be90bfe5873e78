/**
 * The material of the checks: the files that a step changed, with their text before and now, and runs of the
 * project's commands in the tree or in a trial copy. Everything that a check creates is removed at its end.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { makeTrial, type Trial } from '../../adapters/workcopies/trial.ts'
import type { ChangedText } from '../../core/check.ts'
import { ok, type Result } from '../../model/failure.ts'
import { exec } from '../../platform/exec.ts'
import type { JudgedStep } from './situation.ts'

export type Ran = { code: number | null; output: string; ms: number }

export type CheckWork = JudgedStep & {
  /** The files that differ from that saved tree. */
  changes(since: string): Promise<Result<ChangedText[]>>
  /** A copy of a saved tree, made once; a `fresh` one is made each time. */
  copy(saved: string, fresh?: boolean): Promise<Result<string>>
  run(command: string, place: string): Promise<Ran>
  textOf(path: string): string | null
  end(): Promise<void>
}

const mostBytes = 2_000_000
const mostOutput = 32 * 1024 * 1024

export function workIn(situation: JudgedStep): CheckWork {
  const { tree, store, trials, checkpoints, env } = situation
  const made: Trial[] = []
  const known = new Map<string, string>()

  async function copy(saved: string, fresh = false): Promise<Result<string>> {
    const there = fresh ? undefined : known.get(saved)
    if (there !== undefined) return ok(there)
    const trial = await makeTrial(saved, { tree, store, place: trials })
    if (!trial.ok) return trial
    made.push(trial.value)
    if (!fresh) known.set(saved, trial.value.path)
    return ok(trial.value.path)
  }

  async function changes(since: string): Promise<Result<ChangedText[]>> {
    const { now } = situation
    if (now === null) return ok([])
    const names = await checkpoints.changed({ from: since, to: now })
    if (!names.ok) return names
    const old = await copy(since)
    if (!old.ok) return old
    const both = names.value.map(path => ({
      path,
      before: textAt(join(old.value, path)),
      after: textAt(join(tree, path)),
    }))
    return ok(both.filter(({ before, after }) => before !== after))
  }

  return {
    ...situation,
    changes,
    copy,
    run: (command, place) => run(command, { place, tree, env }),
    textOf: path => textAt(join(tree, path)),
    async end() {
      for (const { remove } of made.splice(0)) await remove()
    },
  }
}

/** Null if the file is missing or is not hand-written. */
function textAt(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() && stat.size <= mostBytes ? readFileSync(path, 'utf8') : null
}

async function run(
  command: string,
  { place, tree, env }: { place: string; tree: string; env: NodeJS.ProcessEnv },
): Promise<Ran> {
  const began = performance.now()
  const own: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value !== undefined) own[name] = value
  // A project installed in its virtual environment would be imported from there instead of the copy.
  const modules = [join(place, 'src'), place].filter(path => existsSync(path))
  if (place !== tree) own['PYTHONPATH'] = [...modules, own['PYTHONPATH']].filter(Boolean).join(delimiter)
  const argv = ['/bin/sh', '-c', 'exec 2>&1; /bin/sh -c "$1"', 'sh', command] as const
  const done = await exec({ argv, cwd: place, env: own, maxBytes: mostOutput })
  return { code: done.code, output: done.stdout.toString(), ms: performance.now() - began }
}

/** Writes these files into a copy; null removes one. */
export function put(place: string, files: readonly { path: string; text: string | null }[]): void {
  for (const { path, text } of files) {
    const at = join(place, path)
    rmSync(at, { force: true })
    if (text === null) continue
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, text)
  }
}
