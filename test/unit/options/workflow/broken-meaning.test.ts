/** Workflow files with a broken meaning: dependencies, conditions, references, commands, matrices. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atTop, inLoop, problemsOf, secondLoop } from '../../../rig/workflow-file.ts'

const broken: [string, string, string[]][] = [
  [
    'an id twice',
    secondLoop('').replace('id: check', 'id: build'),
    ['6:9-6:14 The id build is there twice. = Give each loop an id of its own.'],
  ],
  [
    'ids that a shell cannot tell apart',
    secondLoop('').replace('id: check', 'id: b-c').replace('id: build', 'id: b_c'),
    ['6:9-6:12 The id b-c is too much like b_c. = Give each loop an id of its own.'],
  ],
  [
    'an unknown dependency',
    secondLoop('depends_on: [biuld]'),
    ['9:18-9:23 check depends on biuld, and there is no such loop. = Did you mean build?'],
  ],
  [
    'a circle of two',
    secondLoop('depends_on: [build]').replace(
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
    secondLoop('depends_on: build\n    when: complete(build)'),
    ['10:11-10:19 "complete" is no condition. = Did you mean completed(…)?'],
  ],
  [
    'a condition about a stranger',
    secondLoop('depends_on: build\n    when: failed(biuld)'),
    ['10:18-10:23 There is no loop biuld. = Did you mean build?'],
  ],
  [
    'a condition about what is not awaited',
    secondLoop('when: failed(build)'),
    ['9:18-9:23 check does not depend on build, which may not have ended yet. = Add it: depends_on: [build]'],
  ],
  [
    'a condition on an output that is not there',
    secondLoop('depends_on: build\n    when: outputs.build.version == "2"'),
    ['10:11-10:32 build has no output version. = Declare it there: outputs: [version]'],
  ],
  [
    'a condition without quotes',
    secondLoop('depends_on: build\n    when: outputs.build.v == 2'),
    ['10:30-10:31 An output is compared with a text in quotes. = outputs.build.v == "yes"'],
  ],
  [
    'a condition that is not closed',
    secondLoop('depends_on: build\n    when: "!(failed(build)"'),
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
    secondLoop('model: x').replace('prompt: check it', 'prompt: check {{outputs.build.v}}'),
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
    'a value in the path of a program',
    inLoop('agent: claude\n    agent_cmd: /bin/{{x}}').replace('do it', '"{{y}}"'),
    [
      '4:14-4:19 y has no value. = Give it one: --set y=…',
      '7:21-7:26 {{x}} would choose the program that runs. = Write the program out. A variable that is a command is declared as one: vars: x: {type: command}',
    ],
  ],
  [
    'a value that could be an option',
    atTop('on_complete: tar czf a.tgz {{x}}'),
    [
      '2:28-2:33 {{x}} could be an option of tar, which can run a program. = End the options before it: -- {{x}}; or say that it is a path: ./{{x}}',
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
      '4:5-4:10 loop does not put {{x}} into a command with a heredoc. = Write $LOOP_VAR_x in it, and its end without quotes: <<END',
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
