/**
 * `loop template`: lists, shows, creates and runs templates, which are workflows with variables.
 *
 * `loop template create`: a new template, from a commented skeleton or from an existing loop. It is written to
 * $LOOP_TEMPLATES_DIR, otherwise to the user's directory; an existing file is never overwritten.
 */

import { stringify } from 'yaml'
import { type ByKind, byKind, type Summary } from '../../core/summary.ts'
import { findReferences } from '../../core/text/references.ts'
import { readState } from '../../engine/machine.ts'
import { fail, invalid, ok, type Result } from '../../model/failure.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { writeWhole } from '../../options/config/file.ts'
import { readDocument } from '../../options/workflow/document.ts'
import { notesOn } from '../../options/workflow/yaml.ts'
import type { Store } from '../../store/contract.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { doneWords } from '../../views/words/done.ts'
import { type ActionRows, actionOf } from '../action.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { findLoop } from '../find-loop.ts'
import { outFor } from '../terminal.ts'
import { readWorkflowFile } from '../workflow/load.ts'
import { newTemplatePath } from '../workflow/places.ts'
import { runTemplate } from '../workflow/start-template.ts'
import { listTemplates, showTemplate } from '../workflow/templates.ts'

const actions: ActionRows = {
  list: { takes: '', run: listTemplates },
  show: { takes: '<name>', run: showTemplate },
  create: { takes: '<name>', run: createTemplate },
  run: { takes: '<name>', run: (input, name = '') => runTemplate(name, input) },
}

const template: CommandRun = async input => {
  const typed = input.positionals.length > 0 ? input.positionals : ['list']
  const action = actionOf('loop template', actions, { typed, kind: 'form' })
  if (!action.ok) return action
  if (action.value.name !== 'create' && input.value('from') !== null)
    return invalid({ kind: 'from-without-create' })
  return action.value.run(input)
}

export default template

function createTemplate(input: Input, name = ''): Result<number> {
  const path = newTemplatePath(name, input)
  if (!path.ok) return path
  const from = input.value('from')
  const made = from === null ? ok({ text: skeleton(name), notes: [] }) : fromLoop(name, from, input)
  if (!made.ok) return made
  const { text, notes } = made.value
  const isDry = input.given('dry-run')
  const written = isDry ? ok(null) : writeWhole(path.value, { text, fileMode: 0o644, directoryMode: 0o755 })
  if (!written.ok) return written
  const words = isDry
    ? doneWords.templateShown(path.value, text)
    : doneWords.templateWritten(path.value, name, notes)
  outFor<'templateCreated'>(input, { name, path: path.value, written: !isDry, text }, words)
  return ok(0)
}

type Made = Result<{ text: string; notes: string[] }>

function fromLoop(name: string, from: string, input: Input): Made {
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok) return store
  if (!store.value) return fail('unknown-loop', { kind: 'no-loop-for-template', name: from })
  const found = findLoop(store.value, { ...input, positionals: [from] })
  if (!found.ok) return found
  return byKind(sources, found.value, { store: store.value, name, input })
}

type Making = { store: Store; name: string; input: Input }

const sources: ByKind<Made, [Making]> = {
  loop: ofLoop,
  group({ id }, { store, name, input }) {
    const group = readState(store, id, 'group')
    if (!group.ok) return group
    const { bestOf, workflow } = group.value.spec
    if (workflow) return copyOf(workflow.file)
    if (bestOf) return asked(name, bestOf.loop, { id, input, attempts: bestOf.attempts })
    return invalid({ kind: 'no-template-of', id })
  },
  newer: ofLoop,
}

function ofLoop({ id }: Summary, { store, name, input }: Making): Made {
  const loop = readState(store, id, 'loop')
  return loop.ok ? asked(name, loop.value.spec, { id, input, attempts: 1 }) : loop
}

/** A workflow already is a template; its file has comments and names that its journal lacks. */
function copyOf(file: string): Made {
  const read = readWorkflowFile(file)
  return read.ok ? ok({ text: read.value.text, notes: [doneWords.templateCopied(file)] }) : read
}

type Source = { id: string; input: Input; attempts: number }

function asked(name: string, spec: Spec, { id, input, attempts }: Source): Made {
  const text = templateOf(name, spec, { id, attempts })
  if (text !== null) return ok({ text, notes: [] })
  return invalid({
    kind: 'template-impossible',
    id,
    name,
    group: spec.group ?? null,
    json: input.given('json'),
  })
}

function skeleton(name: string): string {
  return `# A template is a workflow with variables. Check it: loop template show ${name}
# All keys: loop workflow schema. The built-in ones are good examples: loop template show tdd
name: ${name}
description: what it does, in one line

vars:
  # Asked for on a terminal; elsewhere: --set task="…". The first one is the prompt of: loop start "…" --template ${name}
  task: {description: "what is to be done"}
  # A command of the project. Without --set it is the one that loop detects; it stands alone: {{test}}
  test: {type: command, detect: test, description: runs all tests}
  # A variable with a default need not be given.
  style: {default: "as the code around it"}

# Options of every loop that does not give them itself; any option of loop start, with _ for -.
# defaults:
#   timeout: 15m

loops:
  - id: work
    prompt: |
      {{task}}

      Write it {{style}}.
    # Done when this exits 0. loop runs it itself.
    promise: "{{test}}"
    max_iterations: 10

  # A second step begins when the first has completed.
  # - id: tidy
  #   depends_on: [work]
  #   prompt: Simplify what was just written for {{task}}
  #   # loop check asks more than a test command can: here, that the tests are unchanged and code was changed.
  #   promise: '"$LOOP_PROGRAM" check green --test="$LOOP_VAR_test"'
`
}

type Origin = { id: string; attempts: number }

/** Null if it cannot be written so that it reads back the same: a workflow step's commands contain variables. */
function templateOf(name: string, spec: Spec, { id, attempts }: Origin): string | null {
  const commands = spec.criteria.flatMap(({ command }) => command ?? [])
  if (commands.some(command => /\bLOOP_VAR_/.test(command))) return null
  const hasReference = findReferences(spec.prompt).length > 0
  const seconds = (ms: number) => `${ms / 1_000}s`
  const loop = {
    id: 'work',
    prompt: hasReference ? escaped(spec.prompt) : '{{task}}',
    promise: promisesOf(spec),
    ...confirmsOf(spec),
    ...(spec.mustNot?.length && {
      must_not: spec.mustNot.map(one => `"${one.name}"=${escaped(one.command)}`),
    }),
    ...(spec.protect?.length && { protect: spec.protect.map(escaped) }),
    ...(spec.allow?.length && { allow: spec.allow.map(escaped) }),
    max_iterations: spec.maxIterations ?? 'unlimited',
    budget: spec.budgetUsd ?? 'none',
    timeout: seconds(spec.timeoutMs),
    verify_timeout: seconds(spec.verifyTimeoutMs),
    ...(spec.idleTimeoutMs && { idle_timeout: seconds(spec.idleTimeoutMs) }),
    ...(attempts > 1 && { best_of: attempts }),
  }
  const vars = hasReference
    ? {}
    : { vars: { task: { default: spec.prompt, description: 'what is to be done' } } }
  const text = stringify(
    { name, description: `as loop ${id} was asked`, ...vars, loops: [loop] },
    { lineWidth: 0 },
  )
  return reads(text, commands) ? text : null
}

function promisesOf({ criteria }: Spec): string[] {
  return criteria.flatMap(({ name, command, verification }) => {
    if (command === null) return []
    const type = verification === undefined ? '' : `:${verification}`
    return [name === command && type === '' ? escaped(command) : `"${name}"${type}=${escaped(command)}`]
  })
}

function confirmsOf({ criteria }: Spec): { confirm_at_end?: string[] } {
  const names = criteria.filter(({ command }) => command === null).map(({ name }) => name)
  return names.length > 0 ? { confirm_at_end: names } : {}
}

/** Escapes text that has the form of a reference. */
function escaped(text: string): string {
  let escapedText = ''
  let at = 0
  for (const { start, kind } of findReferences(text)) {
    escapedText += `${text.slice(at, start)}${kind === 'escaped' ? '' : '\\'}`
    at = start
  }
  return escapedText + text.slice(at)
}

function reads(text: string, commands: string[]): boolean {
  const notes = notesOn(text, '/new.yaml')
  const loop = readDocument(text, notes)?.loops[0]
  const items = loop?.options.get('promise')?.items ?? []
  return notes.problems.length === 0 && items.length === commands.length
}
