/** Sentences about workflow files and templates. */

import type { WorkflowFailures } from '../../../model/facts/workflow.ts'
import { formatBytes } from '../../../model/units.ts'
import { safeLine, spelledOut } from '../../text/plain-text.ts'
import { problemLines } from '../../workflow/problems.ts'
import type { Sentences } from './words.ts'

const unreadable = {
  'not-a-file': 'is not a regular file',
  'not-there': 'is not there',
  closed: 'is closed to you',
  'not-text': 'is not UTF-8 text',
}

export const workflowSentences: Sentences<WorkflowFailures> = {
  'bad-set': ({ typed }) => `--set is name=value; not "${typed}".`,
  'bad-set-name': ({ name, rule }) => `--set ${name}: a name is ${rule}.`,
  'set-twice': ({ name }) => `--set ${name} is given twice. Give it once.`,
  'bad-set-value': ({ name, why }) => `The value of --set ${name} ${why}. Put it into a file and name that.`,
  'step-not-begun': ({ step }) => `There is no step ${step} in this workflow that has begun.`,
  'no-loop-for-template': ({ name }) => `There is no loop ${name}.`,
  'no-template-of': ({ id }) => `${id} cannot be made a template of.`,
  'template-impossible': ({ id, name, group, json }) => templateImpossible({ id, name, group, json }),
  'unknown-template': ({ name, near, known }) =>
    `There is no template ${name}. ${near ? `Did you mean ${near}?` : `There are: ${known.join(', ')}.`}`,
  'bad-template-name': ({ name, rule }) => `"${name}" cannot be the name of a template: a name is ${rule}.`,
  'template-there': ({ path }) =>
    `${spelledOut(path)} is there already. Take another name, or edit that file.`,
  'template-command-missing': ({ name, detect, variable }) =>
    `The template ${name} needs a ${detect} command, and loop found none in this project. Give it: --set ${variable}="…"`,
  'flag-with-template': ({ flag }) =>
    `--${flag} does not go with --template: each step of the template has its own promise and options.`,
  'template-without-prompt': ({ name }) => `The template ${name} needs no prompt: loop template run ${name}`,
  'template-values-missing': ({ name, missing }) =>
    `The template ${name} needs a value: ${missing.map(variableWords).join(', ')}`,
  'workflow-untrusted': ({ path, changed }) =>
    `${spelledOut(path)} ${changed ? 'has changed since you trusted it' : 'is not trusted'}, and nothing of it was run. Read it, then trust it with: --trust`,
  'workflow-broken': ({ path }) =>
    `${spelledOut(path)} has changed, and has mistakes. Put it back, or mend it.`,
  'workflow-changed': ({ path, id, differences }) => changedWorkflow({ path, id, differences }),
  'workflow-unreadable': ({ path, why }) => `${spelledOut(path)} ${unreadable[why]}. Name a workflow file.`,
  'workflow-too-large': ({ path, bytes, most }) =>
    `${spelledOut(path)} has ${formatBytes(bytes)}; a workflow has at most ${formatBytes(most)}. Name a workflow file.`,
  'workflow-problems': ({ problems }) => problemLines(problems).join('\n'),
}

function templateImpossible({ id, name, group, json }: WorkflowFailures['template-impossible']): string {
  const why =
    group === null ? 'what it was asked cannot be written into a file as it is' : `it is a part of ${group}`
  const from = group === null ? '' : ` --from ${group}`
  return `${id} cannot be made a template of: ${why}.${json ? '' : ` Try: loop template create ${name}${from}`}`
}

/** `--set what=… (what is to be done)` */
function variableWords({ name, description }: { name: string; description: string | null }): string {
  return `--set ${name}=…${description === null ? '' : ` (${description})`}`
}

function changedWorkflow({ path, id, differences }: WorkflowFailures['workflow-changed']): string {
  return [
    `${spelledOut(path)} has changed since group ${id} was started:`,
    ...differences.map(line => `  ${safeLine(line)}`),
    `Put it back, or go on with it as it is: loop resume ${id} --accept-changes`,
  ].join('\n')
}
