/**
 * `loop template create`: a new template, from a commented skeleton or from an existing loop. It is written to
 * $LOOP_TEMPLATES_DIR, otherwise to the user's directory; an existing file is never overwritten.
 */
import { fold } from '../../core/loop/evolve.ts'
import { spelledOut } from '../../core/text/plain-text.ts'
import { readState } from '../../engine/machine.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { writeWhole } from '../../options/config/file.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import type { Input } from '../command-table.ts'
import { findLoop } from '../find-loop.ts'
import { out, outDocument } from '../terminal.ts'
import { readWorkflowFile } from '../workflow/file.ts'
import { newTemplatePath } from './places.ts'
import { skeleton, templateOf } from './text.ts'

export function createTemplate(input: Input, name: string): Result<number> {
  const path = newTemplatePath(name, input)
  if (!path.ok) return path
  const from = input.value('from')
  const made = from === null ? ok({ text: skeleton(name), notes: [] }) : fromLoop(name, from, input)
  if (!made.ok) return made
  const { text, notes } = made.value
  const isDry = input.given('dry-run')
  const written = isDry ? ok(null) : writeWhole(path.value, { text, fileMode: 0o644, directoryMode: 0o755 })
  if (!written.ok) return written
  if (input.given('json')) outDocument<'templateCreated'>({ name, path: path.value, written: !isDry, text })
  else if (isDry) out(`${text}\nNothing was written; it would be ${spelledOut(path.value)}.`)
  else
    out(
      [`${spelledOut(path.value)} is written.`, ...notes, `Look at it, then: loop template run ${name}`].join(
        '\n',
      ),
    )
  return ok(0)
}

type Made = Result<{ text: string; notes: string[] }>

function fromLoop(name: string, from: string, input: Input): Made {
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok) return store
  if (!store.value) return fail('unknown-loop', { kind: 'no-loop-for-template', name: from })
  const found = findLoop(store.value, { ...input, positionals: [from] })
  if (!found.ok) return found
  const { id, kind } = found.value
  if (kind === 'group') {
    const group = readState(store.value, id, 'group')
    if (!group.ok) return group
    const { bestOf, workflow } = group.value.spec
    if (workflow) return copyOf(workflow.file)
    return bestOf ? asked(name, bestOf.loop, { id, input, attempts: bestOf.attempts }) : nothingAsked(id)
  }
  const events = store.value.journals.read(id)
  return events.ok ? asked(name, fold(events.value).spec, { id, input, attempts: 1 }) : events
}

function nothingAsked(id: string): Result<never> {
  return fail('invalid-arguments', { kind: 'no-template-of', id })
}

/** A workflow already is a template; its file has comments and names that its journal lacks. */
function copyOf(file: string): Made {
  const read = readWorkflowFile(file)
  return read.ok
    ? ok({ text: read.value.text, notes: [`It is a copy of ${spelledOut(file)} as it is now.`] })
    : read
}

type Source = { id: string; input: Input; attempts: number }

function asked(name: string, spec: Spec, { id, input, attempts }: Source): Made {
  const text = templateOf(name, spec, { id, attempts })
  if (text !== null) return ok({ text, notes: [] })
  return fail('invalid-arguments', {
    kind: 'template-impossible',
    id,
    name,
    group: spec.group ?? null,
    json: input.given('json'),
  })
}
