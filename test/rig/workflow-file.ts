/** Reads the text of a workflow file on a made-up machine, and shows what is wrong with it as one line a mistake. */
import assert from 'node:assert/strict'
import type { WorkflowSpec } from '../../src/model/group/workflow.ts'
import type { System } from '../../src/options/system.ts'
import { workflowFlags } from '../../src/options/table/workflow.ts'
import { type Layers, valuesOf } from '../../src/options/values.ts'
import { type ReadWorkflow, readWorkflow } from '../../src/options/workflow/workflow.ts'
import { madeUpMachine } from './made-up-system.ts'

const programs =
  'made-up-program npm sh git echo test grep cat node make setsid ln mv sleep notify-send loop'.split(' ')

export type Asked = {
  set?: Record<string, string>
  /** Flags of the run. */
  flags?: Record<string, string>
  layers?: Layers
  isComplete?: boolean
  system?: Partial<System>
}

export function readFile(
  text: string,
  { set = {}, flags = {}, layers, isComplete = true, system }: Asked = {},
): ReadWorkflow {
  const machine = madeUpMachine({
    neededPrograms: [],
    hasProgram: name => programs.includes(name),
    ...system,
  })
  const given = new Map(Object.entries(flags).map(([name, value]): [string, string[]] => [name, [value]]))
  return readWorkflow({
    text,
    file: '/made-up/tree/flow.yaml',
    set: new Map(Object.entries(set)),
    values: valuesOf(workflowFlags, given, { env: machine.env, ...(layers && { layers }) }),
    system: machine,
    isComplete,
  })
}

export function workflowOf(text: string, asked: Asked = {}): WorkflowSpec {
  const read = readFile(text, asked)
  assert.ok('workflow' in read, JSON.stringify(read, null, 2))
  return read.workflow
}

/** `2:3-2:8 what is wrong = what to do`. */
export function problemsOf(text: string, asked: Asked = {}): string[] {
  const read = readFile(text, asked)
  if ('workflow' in read) return []
  return read.problems.map(({ line, column, endLine, endColumn, message, hint }) =>
    [`${line}:${column}-${endLine}:${endColumn}`, message, ...(hint === null ? [] : ['=', hint])].join(' '),
  )
}

/** A sound file with one more line in its only loop, which is line 6. */
export const inLoop = (line: string) => `name: flow
loops:
  - id: build
    prompt: do it
    promise: npm test
    ${line}
`

/** The same with a second loop from line 6 on. */
export const secondLoop = (lines: string) => `${inLoop('').trimEnd()}
  - id: check
    prompt: check it
    promise: npm test
    ${lines}
`

/** The same with lines at the top, from line 2 on. */
export const atTop = (lines: string) => `name: flow
${lines}
loops:
  - id: build
    prompt: do it
    promise: npm test
`

/** A file with these lines in its only loop, which has no promise, and these at the top. */
export const flow = (loop: string, top = '') => `name: flow
${top}
loops:
  - id: build
    prompt: do it
${loop}
`

/** The workflow of the specification, word for word. */
export const ofTheSpecification = `name: implement-feature
description: Full feature implementation with TDD

env:
  FEATURE_NAME: "{{feature}}"

loops:
  - id: write-tests
    prompt: "Write failing tests for {{feature}}"
    promise: "npm test 2>&1 | grep -q 'failing'"
    max_iterations: 5

  - id: implement
    prompt: "Implement {{feature}} to make tests pass"
    promise: "npm test"
    depends_on: [write-tests]
    max_iterations: 15

  - id: refactor
    prompt: "Refactor {{feature}} for clarity, keeping tests passing"
    promise: "npm test && npm run lint"
    depends_on: [implement]
    max_iterations: 5

  - id: document
    prompt: "Add documentation for {{feature}}"
    promise: "npm run docs:check"
    depends_on: [refactor]
    max_iterations: 3

on_complete:
  - "notify-send 'Feature complete: {{feature}}'"

on_failure:
  - "loop rollback {{failed_loop}} initial"
`
