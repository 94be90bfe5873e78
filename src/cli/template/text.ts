/** The text of a new template: a skeleton with comments, or an existing loop as a workflow with one loop. */
import { stringify } from 'yaml'
import { findReferences } from '../../core/text/references.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { readDocument } from '../../options/workflow/document.ts'
import { notesOn } from '../../options/workflow/yaml.ts'

export function skeleton(name: string): string {
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

type Source = { id: string; attempts: number }

/** Null if it cannot be written so that it reads back the same: a workflow step's commands contain variables. */
export function templateOf(name: string, spec: Spec, { id, attempts }: Source): string | null {
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
  const asked = criteria.filter(({ command }) => command === null).map(({ name }) => name)
  return asked.length > 0 ? { confirm_at_end: asked } : {}
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
