/** The exact output of commands that cannot work as typed; and the output of other failures. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doubtOf } from '../../../../src/core/text/failed-output.ts'

test('a script, target or directory that is not there', () => {
  const script = (program: string, name: string) => ({ kind: 'script-unknown', program, script: name })
  const rows: [string, object][] = [
    ['npm error Missing script: "nosuch"\nnpm error\nnpm error To see a list', script('npm', 'nosuch')],
    ['npm ERR! missing script: nosuch', script('npm', 'nosuch')],
    ['npm ERR! Missing script: "a:b"', script('npm', 'a:b')],
    [
      'npm error code ENOENT\nnpm error enoent Could not read package.json: Error: ENOENT',
      { kind: 'package-file-missing' },
    ],
    ['\u2009ERR_PNPM_NO_SCRIPT\u2009 Missing script: nosuch', script('pnpm', 'nosuch')],
    ['error Command "nosuch" not found.', script('yarn', 'nosuch')],
    ['error: Script not found "nosuch"', script('bun', 'nosuch')],
    ["make: *** No rule to make target 'nosuch'.  Stop.", { kind: 'make-rule-missing', target: 'nosuch' }],
    [
      "make: *** No rule to make target 'a.c', needed by 'a.o'.  Stop.",
      { kind: 'make-rule-missing', target: 'a.c' },
    ],
    ["make[1]: *** No rule to make target 'x'.  Stop.", { kind: 'make-rule-missing', target: 'x' }],
    ['make: *** No targets specified and no makefile found.  Stop.', { kind: 'makefile-missing' }],
    ['make: *** sub: No such file or directory.  Stop.', { kind: 'directory-missing', path: 'sub' }],
    ["/bin/sh: 1: cd: can't cd to nowhere", { kind: 'directory-missing', path: 'nowhere' }],
    [
      '/bin/sh: line 1: cd: no where: No such file or directory',
      { kind: 'directory-missing', path: 'no where' },
    ],
    ['bash: cd: nowhere: No such file or directory', { kind: 'directory-missing', path: 'nowhere' }],
    [
      "\u001B[31mmake: *** No rule to make target 'x'.  Stop.\u001B[0m\r\n",
      { kind: 'make-rule-missing', target: 'x' },
    ],
  ]
  for (const [output, facts] of rows) assert.deepEqual(doubtOf(output), facts, output)
  const long = doubtOf(`error: Script not found "${'x'.repeat(400)}"`)
  assert.deepEqual(long, script('bun', 'x'.repeat(250)), 'the journal keeps no more of a name')
})

test('an ordinary failure says nothing of the kind', () => {
  for (const output of [
    '',
    '2 failing\n  1) a: expected npm error Missing script: "x"',
    'make: *** [Makefile:3: test] Error 1',
    'cat: nowhere: No such file or directory',
    'expected "make: *** No rule to make target" in the output',
  ])
    assert.equal(doubtOf(output), null, output)
})
