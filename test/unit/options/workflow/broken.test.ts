/** Broken workflow files: where each mistake is found, in which words, and what is suggested. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsOf } from '../../../rig/workflow-file.ts'

/** A sound file with one more line in its only loop, which is line 6. */
const inLoop = (line: string) => `name: flow
loops:
  - id: build
    prompt: do it
    promise: npm test
    ${line}
`
/** The same with a second loop from line 6 on. */
const second = (lines: string) => `${inLoop('').trimEnd()}
  - id: check
    prompt: check it
    promise: npm test
    ${lines}
`
/** The same with lines at the top, from line 2 on. */
const atTop = (lines: string) => `name: flow
${lines}
loops:
  - id: build
    prompt: do it
    promise: npm test
`

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
    inLoop('sandbox: required'),
    [
      '6:5-6:12 sandbox is not available in this version of loop yet. = Remove it: nothing is ignored silently.',
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
  [
    'an id twice',
    second('').replace('id: check', 'id: build'),
    ['6:9-6:14 The id build is there twice. = Give each loop an id of its own.'],
  ],
  [
    'ids that a shell cannot tell apart',
    second('').replace('id: check', 'id: b-c').replace('id: build', 'id: b_c'),
    ['6:9-6:12 The id b-c is too much like b_c. = Give each loop an id of its own.'],
  ],
  [
    'an unknown dependency',
    second('depends_on: [biuld]'),
    ['9:18-9:23 check depends on biuld, and there is no such loop. = Did you mean build?'],
  ],
  [
    'a circle of two',
    second('depends_on: [build]').replace(
      '    promise: npm test\n',
      '    promise: npm test\n    depends_on: [check]\n',
    ),
    [
      '6:18-6:23 Loops depend on each other in a circle: build → check → build. = Remove one of these dependencies.',
    ],
  ],
  [
    'a loop that waits for itself',
    inLoop('depends_on: build'),
    ['6:17-6:22 Loops depend on each other in a circle: build → build. = Remove one of these dependencies.'],
  ],
  [
    'a condition that is none',
    second('depends_on: build\n    when: complete(build)'),
    ['10:11-10:19 "complete" is no condition. = Did you mean completed(…)?'],
  ],
  [
    'a condition about a stranger',
    second('depends_on: build\n    when: failed(biuld)'),
    ['10:18-10:23 There is no loop biuld. = Did you mean build?'],
  ],
  [
    'a condition about what is not awaited',
    second('when: failed(build)'),
    ['9:18-9:23 check does not depend on build, which may not have ended yet. = Add it: depends_on: [build]'],
  ],
  [
    'a condition on an output that is not there',
    second('depends_on: build\n    when: outputs.build.version == "2"'),
    ['10:11-10:32 build has no output version. = Declare it there: outputs: [version]'],
  ],
  [
    'a condition without quotes',
    second('depends_on: build\n    when: outputs.build.v == 2'),
    ['10:30-10:31 An output is compared with a text in quotes. = outputs.build.v == "yes"'],
  ],
  [
    'a condition that is not closed',
    second('depends_on: build\n    when: "!(failed(build)"'),
    ['10:27-10:28 A ) is missing. = Such as: completed(build) && outputs.build.version == "2"'],
  ],
  [
    'an unknown variable',
    `${atTop('vars: {feature: x}').trimEnd()} {{featur}}\n`,
    [
      '6:23-6:33 There is no {{featur}} for promise. = Did you mean {{feature}}? To leave it as text, write \\{{featur}}.',
    ],
  ],
  [
    'a variable without a value',
    inLoop('model: "{{model}}"'),
    ['6:13-6:22 model has no value. = Give it one: --set model=…'],
  ],
  [
    'the failed loop elsewhere',
    inLoop('inject: "{{failed_loop}}"'),
    ['6:14-6:29 failed_loop is known in on_failure only. = Use it there.'],
  ],
  [
    'an output of nobody before',
    second('model: x').replace('prompt: check it', 'prompt: check {{outputs.build.v}}'),
    [
      '7:19-7:38 check does not depend on build, so its outputs may not be there yet. = Add it: depends_on: [build]',
    ],
  ],
  [
    'a value in code',
    inLoop('must_not: \'bad=sh -c "echo {{x}}"\''),
    [
      '6:32-6:37 {{x}} stands in what sh reads as code. = Let the code read its environment, in single quotes: \'… "$LOOP_VAR_x" …\'',
    ],
  ],
  [
    'a value in awk',
    atTop("on_complete: awk '{print {{x}}}' f"),
    [
      '2:26-2:31 {{x}} stands in what awk reads as code. = Let the code read its environment: ENVIRON["LOOP_VAR_x"]',
    ],
  ],
  [
    'a value as a program',
    atTop('copy_setup: "{{x}} install"'),
    [
      '2:14-2:19 {{x}} would choose the program that runs. = Write the program out. A variable that is a command is declared as one: vars: x: {type: command}',
    ],
  ],
  [
    'a value in a quoted heredoc',
    atTop("on_complete: |\n  cat <<'E'\n  a {{x}}\n  E"),
    [
      '4:5-4:10 {{x}} stands in a heredoc in quotes, in which nothing is replaced. = Write <<E without quotes, and \\$ for a dollar.',
    ],
  ],
  [
    'a promise that no shell can read',
    inLoop('').replace('npm test', 'if x'),
    [
      '5:14-5:18 The promise if x is no command that /bin/sh can read: Syntax error: end of file unexpected. Check its quotes and brackets: if x',
    ],
  ],
  [
    'a matrix without values',
    inLoop('matrix: {os: []}'),
    ['6:18-6:20 os of matrix is a list of values; this is an empty one. = Such as os: [a, b]'],
  ],
  [
    'a matrix that is too large',
    inLoop(`matrix: {a: [${[...Array(9).keys()]}], b: [${[...Array(9).keys()]}]}`),
    ['6:14-6:15 The matrix of build comes to 81 loops; 64 is the most. = Make it smaller.'],
  ],
  [
    'two values with one id',
    inLoop('matrix: {os: [a b, a-b]}'),
    [
      '6:14-6:16 build (os: a-b) and build (os: a b) would both have the id build-a-b. = Give one of them another id or value.',
    ],
  ],
  [
    'a matrix key that is not there',
    inLoop('matrix: {os: [a]}').replace('do it', 'do {{matrix.so}}'),
    [
      '4:16-4:29 There is no {{matrix.so}} for the prompt of build. = Did you mean {{matrix.os}}? To leave it as text, write \\{{matrix.so}}.',
    ],
  ],
  [
    'a retry without a number',
    inLoop('retry: {max: many}'),
    ['6:18-6:22 max of retry is a whole number from 1 to 10; this is a text.'],
  ],
  [
    'a retry on something else',
    inLoop('retry: {max: 1, on: [stuk]}'),
    ['6:26-6:30 on of retry has no stuk. = Did you mean stuck?'],
  ],
  [
    'best of one',
    inLoop('best_of: 1'),
    ['6:14-6:15 best_of is a whole number from 2 to 8; this is the number 1.'],
  ],
  [
    'an environment variable of loop',
    atTop('env: {LOOP_X: a}'),
    ['2:7-2:13 LOOP_X: names that begin with LOOP_ are set by loop. = Take another name.'],
  ],
  [
    'a variable with a reserved name',
    atTop('vars: {outputs: a}'),
    ['2:8-2:15 outputs is a name that loop gives a value itself. = Give the variable another name.'],
  ],
  [
    'a variable that is required and has a default',
    atTop('vars: {x: {default: a, required: true}}'),
    ['2:34-2:38 x has a default, so it is not required. = Remove one of the two.'],
  ],
]

test('at least forty broken files', () => assert.ok(broken.length >= 40, String(broken.length)))

for (const [what, text, expected] of broken) {
  test(what, () => assert.deepEqual(problemsOf(text), expected))
}

test('all mistakes at once, in the order of the file', () => {
  const text = `name: flow
descripton: x
loops:
  - id: build
    prompt: "do {{outputs.chek.v}}"
    promise: sh -c "{{x}}"
    timeout: soon
  - id: check
    promise: npm test
    depends_on: [biuld, check]
    when: done(build)
`
  assert.deepEqual(
    problemsOf(text).map(line => line.split(' ')[0]),
    [
      '2:1-2:11',
      '5:17-5:35',
      '6:21-6:26',
      '7:14-7:18',
      '8:5-8:7',
      '10:18-10:23',
      '10:25-10:30',
      '11:11-11:15',
    ],
  )
})
