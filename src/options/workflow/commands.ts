/**
 * Shell commands of a workflow file: references become environment variables (core/shell). Where that cannot
 * be safe, the message says why and how to write it instead.
 */
import { type Refusal, splice } from '../../core/shell.ts'
import { environmentName } from '../../core/text/references.ts'
import type { ShellCommand, Variables } from '../../model/group/workflow.ts'
import { nearest } from '../nearest.ts'
import { lookUp, namesIn, pathOfVariable, type Scope } from './scope.ts'
import type { ProblemNotes, TextNode } from './yaml.ts'

/** `from`: where the command starts in the text, after the name of a criterion; null if something is wrong. */
export function commandFrom(
  node: TextNode,
  scope: Scope,
  { notes, from = 0 }: { notes: ProblemNotes; from?: number },
): ShellCommand | null {
  const before = notes.problems.length
  const written = node.text.slice(from)
  const { command, paths, refused } = splice(written, path => scope.vars.get(path)?.isCommand === true)
  for (const { path, start, end, ...refusal } of refused) {
    const [message, hint] = refusedWords(refusal, path)
    notes.mark(node.within(from + start, from + end), message, hint)
  }
  const variables: Variables = {}
  const add = (path: string, [start, end]: [number, number]) => {
    const found = lookUp(path, scope)
    if ('problem' in found) notes.mark(node.within(from + start, from + end), found.problem, found.hint)
    else variables[environmentName(path)] = [found.value]
  }
  for (const path of paths) {
    const start = written.search(new RegExp(`\\{\\{[ \\t]*${path.replaceAll('.', '\\.')}[ \\t]*\\}\\}`))
    add(path, [start, written.indexOf('}}', start) + 2])
  }
  for (const { 0: name, index } of written.matchAll(/\bLOOP_VAR_\w+/g)) {
    const path = pathOfVariable(name, scope)
    const place: [number, number] = [index, index + name.length]
    if (path !== null) add(path, place)
    else if (scope.isOpen && /^LOOP_VAR_[A-Za-z0-9]+(_[A-Za-z0-9]+)*$/.test(name)) add(name.slice(9), place)
    else notes.mark(node.within(from + index, from + index + name.length), ...noVariable(name, scope))
  }
  return notes.problems.length === before ? { command, written, variables } : null
}

function noVariable(name: string, scope: Scope): [string, string] {
  const names = namesIn(scope).map(environmentName)
  const near = nearest(name, names)
  return [
    `There is no $${name} for ${scope.where}.`,
    near ? `Did you mean ${near}?` : `There are: ${names.join(', ')}.`,
  ]
}

/** What is wrong with a value at this place, and how to write it instead. */
function refusedWords({ why, by }: Refusal, path: string): [string, string] {
  const name = environmentName(path)
  const it = `{{${path}}}`
  switch (why) {
    case 'evaluator':
      return [`${it} stands in what ${by} reads as code.`, safeFor(by, name)]
    case 'program':
      return [
        `${it} would choose the program that runs.`,
        `Write the program out. A variable that is a command is declared as one: vars: ${path}: {type: command}`,
      ]
    case 'unknown-program':
      return [`${it} reaches ${by}, and loop cannot know which program reads it.`, writeOut(name)]
    case 'not-alone':
      return [
        `${it} is a command: it stands alone, without quotes or arguments.`,
        `Such as: ${it} && npm run lint`,
      ]
    case 'option':
      return [
        `${it} could be an option of ${by}, which can run a program.`,
        `End the options before it: ${by === 'git' ? '--end-of-options' : '--'} ${it}; or say that it is a path: ./${it}`,
      ]
    case 'foreign':
      return [`$${it} is not the form of loop.`, `Write ${it}`]
    case 'trouble':
      return [`loop does not put ${it} into a command with ${by}.`, hintFor(by, name)]
    default:
      return why satisfies never
  }
}

function writeOut(name: string): string {
  return `Write "$${name}" instead, where it is data and not code.`
}

function hintFor(construct: string, name: string): string {
  if (construct === 'a heredoc') return `Write $${name} in it, and its end without quotes: <<END`
  if (construct === 'arithmetic') return `Compare it outside of the arithmetic: [ "$${name}" -gt 3 ]`
  return writeOut(name)
}

const expressions: [RegExp, (name: string) => string][] = [
  [/^(node|nodejs|deno|bun|tsx|ts-node)/, name => `process.env.${name}`],
  [/^(python|pypy)/, name => `os.environ["${name}"]`],
  [/^perl/, name => `$ENV{${name}}`],
  [/^(ruby|irb)/, name => `ENV["${name}"]`],
  [/^php/, name => `getenv("${name}")`],
  [/^[gmn]?awk/, name => `ENVIRON["${name}"]`],
  [/^(jq|yq)/, name => `env.${name}`],
  [/^lua/, name => `os.getenv("${name}")`],
  [/^g?make/, name => `$$${name} in the recipe`],
]

/** The environment reaches the program too, and there the value is data. */
function safeFor(by: string, name: string): string {
  const program = by.slice(by.lastIndexOf('/') + 1)
  const [, expression] = expressions.find(([form]) => form.test(program)) ?? []
  if (program === 'printf') return `Give it a format of its own: printf '%s' "$${name}"`
  if (program === 'ssh') return `Send it as data: printf %s "$${name}" | ssh host 'cat > value'`
  if (expression) return `Let the code read its environment: ${expression(name)}`
  return `Let the code read its environment, in single quotes: '… "$${name}" …'`
}
