/**
 * Values that try to become code, put into commands by core/shell and run by the real shells: each arrives
 * unchanged, byte for byte, and no part of it runs.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import { splice } from '../../../src/core/shell.ts'
import { environmentName } from '../../../src/core/text/references.ts'
import { accepted, payloads, writtenByHand } from './payloads.ts'

const directory = mkdtempSync(join(tmpdir(), 'loop-shell-'))
after(() => rmSync(directory, { recursive: true, force: true }))
writeFileSync(join(directory, 'print.sh'), '#!/bin/sh\nprintf %s "$1"\n', { mode: 0o755 })

const isLong = Boolean(process.env['LOOP_LONG'])
const shells = [
  'dash',
  'bash',
  ...(isLong ? ['bash --posix', 'busybox sh', 'ksh', 'zsh --emulate sh'] : []),
].filter(shell => spawnSync(shell.split(' ')[0] ?? '', ['-c', ':']).status === 0)

/** The output of each command. One driver process runs them all. */
function printedBy(shell: string, commands: string[], values: Record<string, string>): string[] {
  const env = Object.fromEntries(
    Object.entries(values).map(([path, value]) => [environmentName(path), value]),
  )
  const driver = 'shell=$1; shift; for command; do $shell -c "$command"; printf "\\0"; done'
  const { stdout, stderr } = spawnSync('dash', ['-c', driver, 'driver', shell, ...commands], {
    cwd: directory,
    env: { PATH: process.env['PATH'], HOME: directory, ...env },
    encoding: 'utf8',
  })
  assert.equal(stderr, '', shell)
  return stdout.split('\0').slice(0, -1)
}

function assertHarmless(what: string): void {
  assert.equal(existsSync(join(directory, 'PWNED')), false, `ran: ${what}`)
}

const compiled = accepted.map(({ command }) => {
  const spliced = splice(command)
  assert.deepEqual(spliced.refused, [], command)
  return spliced.command
})

/** What loop compiles, and what a person writes instead of what it refuses. */
const commands = [...compiled, ...writtenByHand.map(({ instead }) => instead)]
const rows = [...accepted, ...writtenByHand]

test('no value is put into what is refused', () => {
  for (const { command } of writtenByHand) assert.deepEqual(splice(command).paths, [], command)
})

test('at least a hundred payloads', () => {
  assert.ok(new Set(payloads).size >= 100, String(new Set(payloads).size))
})

for (const shell of shells) {
  test(`${shell}: every payload arrives as it is, in every place`, () => {
    for (const [i, x] of payloads.entries()) {
      const y = payloads.at(-i - 1) ?? ''
      const printed = printedBy(shell, commands, { x, y })
      for (const [n, { command, prints }] of rows.entries()) {
        assert.equal(printed[n], prints(x, y), `${command} with ${JSON.stringify({ x, y })}`)
      }
      assertHarmless(x)
    }
  })
}

/** Pieces of shell text around a value. In `quoted` every opened quote is closed. */
const harmless = fc.constantFrom(
  'a',
  "'b'",
  '"c"',
  `'"'`,
  `"'"`,
  '\\$',
  '\\"',
  "\\'",
  '$(printf d)',
  '"$(printf "%s" "e")"',
  '${HOME:+g}',
  '#h',
  '{i}',
)
const valueIn = fc.constantFrom(
  '{{x}}',
  '"{{x}}"',
  "'{{x}}'",
  '"j{{x}}"',
  "'k{{x}}l'",
  `"'{{x}}'"`,
  `'"{{x}}"'`,
  '"$(printf "%s." {{x}})"',
  `"$(printf '%s.' '{{x}}')"`,
  `"$(printf "%s." "{{x}}")"`,
)
const word = fc.array(fc.oneof({ weight: 3, arbitrary: valueIn }, harmless), { minLength: 1, maxLength: 5 })

test('random values in random words arrive as they are', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(...`'"\`$(){}[]\\;&|<>#!*?~ \n\tax=%-`.split('')), maxLength: 20 }),
    fc.constantFrom(...payloads),
  )
  const usable = text.filter(value => !value.includes('\0') && value.isWellFormed())
  fc.assert(
    fc.property(word, usable, (parts, x) => {
      const { command, refused } = splice(`printf %s ${parts.join('')}`)
      assert.deepEqual(refused, [])
      // The same word with a harmless value gives the expected output.
      const mark = 'VALUE'
      for (const shell of shells) {
        const [plain = ''] = printedBy(shell, [command], { x: mark })
        const [printed] = printedBy(shell, [command], { x })
        assert.equal(printed, plain.split(mark).join(x), `${shell}: ${command}`)
      }
      assertHarmless(x)
    }),
    { numRuns: isLong ? 2_000 : 60 },
  )
})

/** Random shell syntax: mostly no valid command, sometimes one that nobody would have thought of. */
const syntax = [
  '{{o}} ',
  ' {{o}} {{x}}',
  'printf ',
  '[ ',
  ' ]',
  'sh -x ',
  '{{x}}',
  '{{x}}',
  '{{x}}',
  '"',
  '"',
  "'",
  "'",
  '`',
  '$(',
  ')',
  '(',
  '{ ',
  '; }',
  '\\',
  '\n',
  ' ',
  ' ',
  ';',
  '|',
  '&&',
  '<<E',
  "<<'E'",
  '\nE\n',
  '<<-E',
  '#',
  '${y:-',
  '}',
  '$((',
  '))',
  '$',
  '$HOME',
  'case a in a)',
  ';; esac',
  'if :; then ',
  '; fi',
  'for i in ',
  '; do ',
  '; done',
  'y=',
  'eval ',
  'sh -c ',
  'sh ',
  '. ',
  '\\{{x}}',
  'printf %s ',
  'cat ',
  ': ',
  'env ',
  'xargs ',
  'export y=',
  'f() ',
  'f ',
  'trap ',
  'sed ',
  'awk ',
  'timeout 5 ',
  'OPTIND=',
  'for OPTIND in ',
  '""',
  '<<<',
  '2>&1 ',
  'test ',
  '!',
  '~',
  '*',
  '>y ',
]
const fragments = fc.constantFrom(...syntax)

test('no accepted command in random syntax runs any part of a value', () => {
  const attacks = [
    '$(touch PWNED)',
    "';touch PWNED;'",
    '";touch PWNED;"',
    '`touch PWNED`',
    ';touch PWNED;',
    '\ntouch PWNED\n',
    'touch PWNED',
    '$(touch${IFS}PWNED)',
    "'$(touch PWNED)'",
    '\nE\ntouch PWNED\n',
    ')touch PWNED;(',
    'a[$(touch PWNED)]',
    '--use-compress-program=touch PWNED',
  ]
  let run = 0
  fc.assert(
    fc.property(fc.array(fragments, { minLength: 2, maxLength: 14 }), parts => {
      const { command, paths, refused } = splice(parts.join(''))
      if (refused.length > 0 || paths.length === 0) return
      run += 1
      for (const shell of shells) {
        for (const [i, x] of attacks.entries())
          runSilently(shell, command, { x, o: options[i % options.length] ?? '' })
        assertHarmless(`${shell}: ${command}`)
      }
    }),
    { numRuns: isLong ? 40_000 : 6_000 },
  )
  assert.ok(run > 5, `only ${run} commands were run`)
})

/** Second values that could change how a program reads the first. */
const options = ['-v', '-c', 'eval', '-exec', '--']

function runSilently(shell: string, command: string, { x, o }: { x: string; o: string }): void {
  const [program = '', ...args] = shell.split(' ')
  spawnSync(program, [...args, '-c', command], {
    cwd: directory,
    env: { PATH: process.env['PATH'], HOME: directory, LOOP_VAR_x: x, LOOP_VAR_o: o },
    timeout: 5_000,
    stdio: 'ignore',
  })
}
