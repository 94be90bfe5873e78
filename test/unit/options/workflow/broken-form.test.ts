/** Workflow files with a broken form: the place of each mistake, its message, and the suggestion. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atTop, inLoop, problemsOf } from '../../../rig/workflow-file.ts'

const inQuotes = 'Put a value with ": ", "#" or a quote in it into quotes, or below | on lines of its own.'

const broken: [string, string, string[]][] = [
  ['empty', '', ['1:1-1:2 The file is empty. = It begins with name: and has a list of loops:']],
  [
    'a list',
    '- a\n',
    ['1:1-1:4 A workflow is a map of keys; this is a list. = It begins with name: and has a list of loops:'],
  ],
  [
    'nothing that is required',
    'description: x\n',
    [
      '1:1-1:12 The workflow has no name. = Add name: the name of the workflow.',
      '1:1-1:12 The workflow has no loops. = Add loops: the loops.',
    ],
  ],
  ['a tab', 'name: a\n\tloops: []\n', ['2:1-2:2 A tab cannot indent in YAML. = Indent with spaces.']],
  [
    'two keys on a line',
    'name: flow: x\n',
    [`1:7-1:8 This is not YAML: there is a second key on the line. = ${inQuotes}`],
  ],
  [
    'a reference without quotes',
    'name: {{x}}\n',
    [
      '1:7-1:12 This is not the name of a key. = A value that begins with {{, or has it within [ ] or { }, stands in quotes: "{{name}}".',
    ],
  ],
  [
    'a reference in a list without quotes',
    inLoop('protect: [a, b {{x}}]'),
    [
      '6:20-6:21 This is not YAML: a closing quote or bracket, or a ":" or ",", is missing. = A value that begins with {{, or has it within [ ] or { }, stands in quotes: "{{name}}".',
    ],
  ],
  [
    'a name that JavaScript keeps to itself',
    atTop('vars: {__proto__: x}'),
    ['2:8-2:17 This is not the name of a key. = A key is one word, followed by ": ".'],
  ],
  ['an output twice', inLoop('outputs: [a, b, a]'), ['6:21-6:22 a is given twice. = Keep one of them.']],
  [
    'two variables that are one to a shell',
    atTop('vars: {a-b: x, a_b: y}'),
    ['2:16-2:19 a_b is the same as a-b to a shell. = Keep one of them.'],
  ],
  [
    'a variable with a key that is not there',
    atTop('vars: {a: {defalt: x}}'),
    ['2:12-2:18 A variable has no defalt. = Did you mean default?'],
  ],
  [
    'a number for several texts',
    inLoop('protect: 5'),
    ['6:14-6:15 protect is a text or a list of texts; this is the number 5. = Put it into quotes: "5"'],
  ],
  [
    'a retry without max',
    inLoop('retry: {on: failed}'),
    ['6:12-6:24 retry has no max. = Add max: a whole number from 1 to 10.'],
  ],
  [
    'two documents',
    `${atTop('')}---\nname: b\n`,
    [
      '7:1-8:8 A workflow file is one document; another begins here. = Put each workflow into a file of its own.',
    ],
  ],
  [
    'an anchor',
    atTop('description: &a x'),
    ['2:14-2:16 A workflow file has no anchors. = Write the value out, or use defaults:.'],
  ],
  [
    'an alias',
    atTop('description: &a x\nbudget: *a'),
    [
      '2:14-2:16 A workflow file has no anchors. = Write the value out, or use defaults:.',
      '3:9-3:11 A workflow file has no aliases. = Write the value out; common options go below defaults:.',
    ],
  ],
  [
    'a merge key',
    inLoop('<<: {timeout: 5m}'),
    ['6:5-6:7 A workflow file has no merge keys. = Put options that several loops share below defaults:.'],
  ],
  [
    'a tag',
    atTop('description: !x y'),
    [
      '2:14-2:16 A workflow file has no tags. = Remove the word that begins with "!", or put the whole value into quotes.',
    ],
  ],
  [
    'a directive',
    `%YAML 1.1\n---\n${atTop('')}`,
    ['1:1-1:10 A workflow file has no directives. = Remove this line.'],
  ],
  [
    'an unknown key at the top',
    atTop('descripton: x'),
    ['2:1-2:11 A workflow has no key descripton. = Did you mean description?'],
  ],
  [
    'an unknown key of a loop',
    inLoop('max_iteration: 3'),
    ['6:5-6:18 A loop has no key max_iteration. = Did you mean max_iterations?'],
  ],
  [
    'a key of the workflow in a loop',
    inLoop('on_failure: echo'),
    ['6:5-6:15 on_failure belongs to the workflow. = Put it at the top of the file, beside name:'],
  ],
  [
    'a hook of the workflow as an option',
    atTop('defaults: {on_complete: echo}'),
    ['2:12-2:23 on_complete belongs to the workflow. = Put it at the top of the file, beside name:'],
  ],
  [
    'an option of best-of that a workflow does not have',
    inLoop('best_of_metric: min:wc -c f'),
    ['6:5-6:19 best_of_metric is not available in a workflow yet. = Remove it: nothing is ignored silently.'],
  ],
  [
    'a key of a loop at the top',
    atTop('depends_on: build'),
    ['2:1-2:11 depends_on belongs to a loop. = Put it into an item of loops:, beside its id.'],
  ],
  [
    'an option at the top',
    atTop('agent: claude'),
    ['2:1-2:6 agent belongs to a loop, or to defaults. = For all loops, put it below defaults:'],
  ],
  [
    'an option of the run',
    inLoop('background: true'),
    [
      '6:5-6:15 background is about the run as a whole, not about a loop. = Give it on the command line: loop workflow run … --background',
    ],
  ],
  [
    'an option of a later version',
    inLoop('fleet: true'),
    [
      '6:5-6:10 fleet is not available in this version of loop yet. = Remove it: nothing is ignored silently.',
    ],
  ],
  ['a key twice', inLoop('prompt: again'), ['6:5-6:11 prompt is given twice. = Keep one of them.']],
  [
    'a key twice, with - and _',
    inLoop('max_iterations: 3\n    max-iterations: 4'),
    ['7:5-7:19 max-iterations is given twice. = Keep one of them.'],
  ],
  [
    'loops as a map',
    'name: a\nloops:\n  build:\n    prompt: x\n',
    ['3:3-3:8 loops is a list of loops; this is a map of keys. = Each loop is an item: - id: build'],
  ],
  ['a loop as a text', 'name: a\nloops:\n  - build\n', ['3:5-3:10 A loop is a map of keys; this is a text.']],
  [
    'a loop without a prompt',
    'name: a\nloops:\n  - id: b\n    promise: npm test\n',
    ['3:5-3:7 The loop b has no prompt. = Add prompt: what the agent is asked to do.'],
  ],
  [
    'a loop without a promise',
    'name: a\nloops:\n  - id: b\n    prompt: do it\n',
    ['3:9-3:10 The loop b has no promise. = Add promise: a command that exits 0 when the work is done.'],
  ],
  [
    'an id with a space',
    'name: a\nloops:\n  - id: b c\n    prompt: x\n    promise: npm test\n',
    [
      '3:9-3:12 "b c" cannot be the id of a loop. = An id is letters and digits, with single - and _ between them, at most 64 of them.',
    ],
  ],
  [
    'a number for a text',
    atTop('description: 5'),
    ['2:14-2:15 description is a text; this is the number 5. = Put it into quotes: "5"'],
  ],
  ['a list for a text', inLoop('when: [a]'), ['6:11-6:14 when is a text; this is a list.']],
  [
    'a value that does not fit',
    inLoop('timeout: soon'),
    ['6:14-6:18 timeout is a time like 90s, 5m or 1h30m; not "soon".'],
  ],
  [
    'a number that does not fit',
    inLoop('max_iterations: 0'),
    ['6:21-6:22 max_iterations is a whole number of at least 1, or unlimited; not "0".'],
  ],
  [
    'a word that does not fit',
    inLoop('context_mode: continu'),
    ['6:19-6:26 context_mode is fresh or continue; not "continu". = Did you mean continue?'],
  ],
  [
    'a switch that is no switch',
    inLoop('no_baseline: maybe'),
    ['6:18-6:23 no_baseline is true or false; not "maybe".'],
  ],
  [
    'an agent that is not there',
    inLoop('agent: claud'),
    ['6:12-6:17 There is no agent claud. = Did you mean claude?'],
  ],
  [
    'a budget',
    atTop('budget: lots'),
    ['2:9-2:13 budget is an amount in dollars like 25 or 2.50, or none; not "lots".'],
  ],
]

for (const [what, text, expected] of broken) {
  test(what, () => assert.deepEqual(problemsOf(text), expected))
}
