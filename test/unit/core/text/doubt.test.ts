/** The exact output of commands that cannot work as typed; and the output of other failures. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doubtOf } from '../../../../src/core/text/doubt.ts'

test('a script, target or directory that is not there', () => {
  const rows: [string, string][] = [
    [
      'npm error Missing script: "nosuch"\nnpm error\nnpm error To see a list',
      'npm knows no script "nosuch"',
    ],
    ['npm ERR! missing script: nosuch', 'npm knows no script "nosuch"'],
    ['npm ERR! Missing script: "a:b"', 'npm knows no script "a:b"'],
    [
      'npm error code ENOENT\nnpm error enoent Could not read package.json: Error: ENOENT',
      'npm finds no package.json',
    ],
    ['\u2009ERR_PNPM_NO_SCRIPT\u2009 Missing script: nosuch', 'pnpm knows no script "nosuch"'],
    ['error Command "nosuch" not found.', 'yarn knows no script "nosuch"'],
    ['error: Script not found "nosuch"', 'bun knows no script "nosuch"'],
    ["make: *** No rule to make target 'nosuch'.  Stop.", 'make has no rule for "nosuch"'],
    ["make: *** No rule to make target 'a.c', needed by 'a.o'.  Stop.", 'make has no rule for "a.c"'],
    ["make[1]: *** No rule to make target 'x'.  Stop.", 'make has no rule for "x"'],
    ['make: *** No targets specified and no makefile found.  Stop.', 'there is no makefile'],
    ['make: *** sub: No such file or directory.  Stop.', 'there is no directory sub to go into'],
    ["/bin/sh: 1: cd: can't cd to nowhere", 'there is no directory nowhere to go into'],
    ['/bin/sh: line 1: cd: no where: No such file or directory', 'there is no directory no where to go into'],
    ['bash: cd: nowhere: No such file or directory', 'there is no directory nowhere to go into'],
    ["\u001B[31mmake: *** No rule to make target 'x'.  Stop.\u001B[0m\r\n", 'make has no rule for "x"'],
  ]
  for (const [output, words] of rows) assert.equal(doubtOf(output), words, output)
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
