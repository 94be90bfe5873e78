/** Failures: workflow files and templates. */

import { safeLine, spelledOut } from '../core/text/plain-text.ts'
import type { Problem } from '../model/group/workflow.ts'
import { count, formatBytes } from '../model/units.ts'

const unreadable = {
  'not-a-file': 'is not a regular file',
  'not-there': 'is not there',
  closed: 'is closed to you',
  'not-text': 'is not UTF-8 text',
}

export const workflowFailures = {
  'bad-set': (d: { typed: string }) => `--set is name=value; not "${d.typed}".`,
  'bad-set-name': (d: { name: string; rule: string }) => `--set ${d.name}: a name is ${d.rule}.`,
  'set-twice': (d: { name: string }) => `--set ${d.name} is given twice. Give it once.`,
  'bad-set-value': (d: { name: string; why: string }) =>
    `The value of --set ${d.name} ${d.why}. Put it into a file and name that.`,
  'step-not-begun': (d: { step: string }) => `There is no step ${d.step} in this workflow that has begun.`,
  'no-loop-for-template': (d: { name: string }) => `There is no loop ${d.name}.`,
  'no-template-of': (d: { id: string }) => `${d.id} cannot be made a template of.`,
  'template-impossible': (d: { id: string; name: string; group: string | null; json: boolean }) =>
    templateImpossible(d),
  'unknown-template': (d: { name: string; near: string | null; known: string[] }) =>
    `There is no template ${d.name}. ${d.near ? `Did you mean ${d.near}?` : `There are: ${d.known.join(', ')}.`}`,
  'bad-template-name': (d: { name: string; rule: string }) =>
    `"${d.name}" cannot be the name of a template: a name is ${d.rule}.`,
  'template-there': (d: { path: string }) =>
    `${spelledOut(d.path)} is there already. Take another name, or edit that file.`,
  'template-command-missing': (d: { name: string; detect: string | null; variable: string }) =>
    `The template ${d.name} needs a ${d.detect} command, and loop found none in this project. Give it: --set ${d.variable}="…"`,
  'flag-with-template': (d: { flag: string }) =>
    `--${d.flag} does not go with --template: each step of the template has its own promise and options.`,
  'template-without-prompt': (d: { name: string }) =>
    `The template ${d.name} needs no prompt: loop template run ${d.name}`,
  'template-values-missing': (d: { name: string; missing: { name: string; description: string | null }[] }) =>
    `The template ${d.name} needs a value: ${d.missing.map(variableWords).join(', ')}`,
  'workflow-untrusted': (d: { path: string; changed: boolean }) =>
    `${spelledOut(d.path)} ${d.changed ? 'has changed since you trusted it' : 'is not trusted'}, and nothing of it was run. Read it, then trust it with: --trust`,
  'workflow-broken': (d: { path: string }) =>
    `${spelledOut(d.path)} has changed, and has mistakes. Put it back, or mend it.`,
  'workflow-changed': (d: { path: string; id: string; differences: string[] }) => changedWorkflow(d),
  'workflow-unreadable': (d: { path: string; why: 'not-a-file' | 'not-there' | 'closed' | 'not-text' }) =>
    `${spelledOut(d.path)} ${unreadable[d.why]}. Name a workflow file.`,
  'workflow-too-large': (d: { path: string; bytes: number; most: number }) =>
    `${spelledOut(d.path)} has ${formatBytes(d.bytes)}; a workflow has at most ${formatBytes(d.most)}. Name a workflow file.`,
  'workflow-problems': (d: { problems: Problem[] }) => problemLines(d.problems).join('\n'),
}

function templateImpossible({
  id,
  name,
  group,
  json,
}: {
  id: string
  name: string
  group: string | null
  json: boolean
}): string {
  const why =
    group === null ? 'what it was asked cannot be written into a file as it is' : `it is a part of ${group}`
  const from = group === null ? '' : ` --from ${group}`
  return `${id} cannot be made a template of: ${why}.${json ? '' : ` Try: loop template create ${name}${from}`}`
}

/** `--set what=… (what is to be done)` */
function variableWords({ name, description }: { name: string; description: string | null }): string {
  return `--set ${name}=…${description === null ? '' : ` (${description})`}`
}

function changedWorkflow({
  path,
  id,
  differences,
}: {
  path: string
  id: string
  differences: string[]
}): string {
  return [
    `${spelledOut(path)} has changed since group ${id} was started:`,
    ...differences.map(line => `  ${safeLine(line)}`),
    `Put it back, or go on with it as it is: loop resume ${id} --accept-changes`,
  ].join('\n')
}

const widest = 120

/** Mistakes in a file: file:line:column, the line with a caret below it, what to do. */
export function problemLines(problems: readonly Problem[]): string[] {
  const files = new Set(problems.map(({ file }) => file))
  const where = files.size === 1 ? ` in ${spelledOut([...files][0] ?? '')}` : ''
  return [
    ...problems.flatMap(problem => [...picture(problem), '']),
    `${count(problems.length, 'problem')}${where}.`,
  ]
}

function picture({ file, line, column, endLine, endColumn, message, hint, source }: Problem): string[] {
  const end = endLine === line ? endColumn : source.length + 1
  // A long line is shown from a little before the position.
  const from = column > widest - 20 ? column - 40 : 0
  const shown = spelledOut(source.slice(from, from + widest))
  const before = spelledOut(source.slice(from, column - 1))
  const marked = spelledOut(source.slice(column - 1, Math.min(end - 1, from + widest)))
  const number = String(line)
  const gutter = ' '.repeat(number.length)
  return [
    `${spelledOut(file)}:${line}:${column}: ${spelledOut(message)}`,
    `  ${number} | ${shown}`,
    `  ${gutter} | ${' '.repeat(before.length)}${'^'.repeat(Math.max(1, marked.length))}`,
    ...(hint === null ? [] : [`  ${gutter} = ${spelledOut(hint)}`]),
  ]
}
