/**
 * `loop logs --hook`: the output of a loop's hooks, each under a heading. It prints what is stored, as safe text
 * without secrets; if the file is gone, the end that the journal keeps.
 */
import { join } from 'node:path'
import { hooksIn } from '../../core/loop/history.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { EventOf, Recorded } from '../../model/loop/event.ts'
import { redactText, type Secret, secretsIn } from '../../secrets/redact.ts'
import { loopDir } from '../../store/files/paths.ts'
import { hookWords } from '../../views/words/hook.ts'
import type { Input } from '../command-table.ts'
import type { OpenJournal } from '../find-loop.ts'
import { cutter, textLog } from '../run-json.ts'
import { out, outDocument, write } from '../terminal.ts'
import { storedOutput } from './promise.ts'

type HookStarted = EventOf<'hook.started'>['data']

/** A started hook; `ended` is null while it runs. */
type Hook = HookStarted & { ended: EventOf<'hook.ended'>['data'] | null }

export function hookLogs({ id, events, paths }: OpenJournal, input: Input): Result<number> {
  const wrong = ['follow', 'raw', 'iteration'].find(flag => input.given(flag))
  if (wrong) return fail('invalid-arguments', { kind: 'flag-of-agent-logs', flag: wrong, other: 'hook' })
  const hooks = startedIn(events)
  if (hooks.length === 0) return fail('not-allowed', { kind: 'no-hook-run' })
  const secrets = secretsIn(input.env)
  const print = input.given('json') ? printJson : printText
  for (const hook of hooks) {
    const root = loopDir(paths, id)
    if (!print(hook, { secrets, pieces: () => piecesOf(root, hook, secrets) })) break
  }
  return ok(0)
}

function startedIn(events: Recorded[]): Hook[] {
  const ends = hooksIn(events)
  return events.flatMap(event =>
    event.kind === 'hook.started'
      ? { ...event.data, ended: ends.find(({ hook }) => hook === event.data.hook) ?? null }
      : [],
  )
}

type Printing = { secrets: readonly Secret[]; pieces(): Iterable<string> }

function* piecesOf(root: string, { dir, ended }: Hook, secrets: readonly Secret[]): Generator<string> {
  if (ended?.output) yield* storedOutput(root, ended.output, secrets)
  else yield* textLog(join(root, dir, 'out'), secrets).end()
}

function printText({ on, command, ended }: Hook, { secrets, pieces }: Printing): boolean {
  const words = hookWords({ on, command, ...(ended ?? { how: null, why: 'it runs', durationMs: null }) })
  if (!out(redactText(safeLine(`--- ${words}`), secrets))) return false
  let ends = '\n'
  for (const text of pieces()) {
    if (!write(1, text)) return false
    ends = text.at(-1) ?? ends
  }
  return ends === '\n' || write(1, '\n')
}

function printJson({ hook, on, ended }: Hook, { pieces }: Printing): boolean {
  const about = { hook, on, exitCode: ended?.exitCode ?? null, kind: 'output' as const }
  const split = cutter()
  const rows = (texts: string[]) => texts.every(text => outDocument<'logHook'>({ ...about, text }))
  for (const text of pieces()) if (!rows(split.add(text))) return false
  return rows(split.rest())
}
