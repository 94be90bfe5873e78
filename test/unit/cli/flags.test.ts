/** Reading a command line: nothing that was typed is ignored, and each mistake has its own sentence. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { commands, type Input, tasks } from '../../../src/cli/command-table.ts'
import { readFlags } from '../../../src/cli/flags.ts'
import { helpFor, helpForAll } from '../../../src/cli/help.ts'
import { programCommands } from '../../../src/cli/table/programs.ts'
import { failureWords } from '../../../src/failures/words.ts'
import { exitCodeOf, type Reason, type Result } from '../../../src/model/failure.ts'
import { nearest } from '../../../src/options/nearest.ts'
import { commonFlags } from '../../../src/options/table/command.ts'
import { laterFlags } from '../../../src/options/table/flag.ts'

function typed(line: string[], env: NodeJS.ProcessEnv = {}): Result<Input> {
  const [name, ...args] = line
  const command = commands.find(candidate => candidate.name === name)
  assert.ok(command, name)
  return readFlags(command, args, { PATH: process.env['PATH'], ...env })
}

function input(line: string[], env: NodeJS.ProcessEnv = {}): Input {
  const read = typed(line, env)
  assert.ok(read.ok, JSON.stringify(read))
  return read.value
}

function refused(read: Result<unknown>, reason: Reason, message: string | RegExp): void {
  assert.ok(!read.ok)
  assert.equal(read.failure.reason, reason, failureWords(read.failure))
  assert.equal(exitCodeOf(read.failure.reason), 4)
  if (typeof message === 'string') assert.equal(failureWords(read.failure), message)
  else assert.match(failureWords(read.failure), message)
}

test('flags in every form: long, short, with =, before and after the prompt', () => {
  for (const line of [
    ['start', 'do it', '--promise', 'npm test', '--max-iterations', '3'],
    ['start', '-p', 'npm test', '-n', '3', 'do it'],
    ['start', '--promise=npm test', 'do it', '-n3'],
    ['start', '-p', 'npm test', '-n', '3', '--', 'do it'],
  ]) {
    const read = input(line)
    assert.deepEqual(read.positionals, ['do it'])
    assert.equal(read.value('promise'), 'npm test')
    assert.equal(read.value('max-iterations'), '3')
    assert.equal(read.given('promise'), true)
    assert.equal(read.given('plain'), false)
  }
  assert.deepEqual(input(['start', '--', '--plain']).positionals, ['--plain'])
  assert.deepEqual(input(['start', '-']).positionals, ['-'])
})

test('words and switches mean the same as to the parser of Node, which a closing -- calls', () => {
  const start = commands.find(({ name }) => name === 'start')
  const flags = [...(start?.flags ?? []), ...commonFlags]
  const meaning = (args: string[]) => {
    const read = typed(['start', ...args])
    if (!read.ok) return failureWords(read.failure)
    return { positionals: read.value.positionals, given: flags.filter(({ name }) => read.value.given(name)) }
  }
  const word = fc.constantFrom('do it', 'a1b', '', '=', 'json', 'x=y')
  const flag = fc.constantFrom(...flags.map(({ name }) => `--${name}`), '--jso', '-p', '-', '--json=true')
  fc.assert(
    fc.property(fc.array(fc.oneof(word, flag), { maxLength: 5 }), args => {
      // After a flag that takes a value, the -- would be that value.
      const isOpen = flags.some(
        ({ name, short, takes }) => takes && [`--${name}`, `-${short}`].includes(args.at(-1) ?? ''),
      )
      if (!isOpen) assert.deepEqual(meaning(args), meaning([...args, '--']))
    }),
  )
})

test('an unknown flag is refused, with the one that was meant', () => {
  const rows: [string[], string][] = [
    [['start', '--promis', 'x'], 'loop start has no flag --promis. Did you mean --promise?'],
    [
      ['start', '--max-iteration', '3'],
      'loop start has no flag --max-iteration. Did you mean --max-iterations?',
    ],
    [['start', '--jsn'], 'loop start has no flag --jsn. Did you mean --json?'],
    [['start', '--colour-scheme'], 'loop start has no flag --colour-scheme. See: loop start --help'],
    [['start', '-x'], 'loop start has no flag -x. See: loop start --help'],
    [['status', '--promise', 'x'], 'loop status has no flag --promise. See: loop status --help'],
    [['start', '--__proto__'], 'loop start has no flag --__proto__. See: loop start --help'],
  ]
  for (const [line, message] of rows) refused(typed(line), 'invalid-arguments', message)
})

test('a flag that comes later is refused by name, with exit 4', () => {
  for (const [name, flags] of Object.entries(laterFlags))
    for (const flag of flags) {
      const dashed = flag.length === 1 ? `-${flag}` : `--${flag}`
      const message = `loop ${name} ${dashed} is not available in this version of loop yet; nothing was done.`
      for (const line of [
        [name, dashed],
        [name, dashed, 'value'],
        [name, 'x', dashed],
      ])
        refused(typed(line), 'not-available-yet', message)
    }
})

test('no flag is both present and announced for later', () => {
  for (const { name, flags } of commands) {
    const names = [...flags, ...commonFlags].flatMap(flag => [flag.name, flag.short ?? ''])
    assert.deepEqual(laterFlags[name]?.filter(flag => names.includes(flag)) ?? [], [])
  }
})

test('a value that is missing is asked for, also where the next flag would be taken for it', () => {
  refused(
    typed(['start', 'x', '--promise']),
    'invalid-arguments',
    '--promise needs a value: --promise <[name=]cmd>',
  )
  refused(typed(['start', 'x', '-p']), 'invalid-arguments', '-p needs a value: -p <[name=]cmd>')
  refused(typed(['start', '-p', '--plain']), 'invalid-arguments', '-p needs a value: -p <[name=]cmd>')
  refused(typed(['start', '-p', '-n', '3']), 'invalid-arguments', '-p needs a value: -p <[name=]cmd>')
  assert.equal(input(['start', '--agent-cmd=--yes']).value('agent-cmd'), '--yes')
  assert.equal(input(['start', '-n', '-1']).value('max-iterations'), '-1')
})

test('a switch takes no value, and no flag is given twice', () => {
  refused(typed(['start', '--dry-run=yes']), 'invalid-arguments', '--dry-run takes no value.')
  refused(
    typed(['start', '--plain=yes']),
    'invalid-arguments',
    '--plain takes no value but =true and =false.',
  )
  refused(typed(['start', '-n', '1', '-n', '2']), 'invalid-arguments', '-n is given twice. Give it once.')
  refused(
    typed(['start', '-n', '1', '--max-iterations', '2']),
    'invalid-arguments',
    '--max-iterations is given twice. Give it once.',
  )
  refused(typed(['list', '--json', '--json']), 'invalid-arguments', '--json is given twice. Give it once.')
})

test('what is typed goes before the environment, and that before the default', () => {
  const env = { LOOP_MAX_ITER: '7', LOOP_TIMEOUT: '', LOOP_AGENT: 'scripted' }
  assert.equal(input(['start'], env).value('max-iterations'), '7')
  assert.equal(input(['start', '-n', '2'], env).value('max-iterations'), '2')
  assert.equal(input(['start']).value('max-iterations'), '10')
  assert.equal(input(['start'], env).value('timeout'), '5m', 'an empty variable is none')
  assert.equal(input(['start'], env).value('agent'), 'scripted')
  assert.equal(input(['start'], env).given('max-iterations'), false)
  assert.equal(input(['start']).value('cwd'), null)
  assert.equal(input(['resume'], env).value('max-iterations'), null, 'not a default of resume')
  assert.throws(() => input(['start']).value('dance'), /Internal error: no flag dance/)
})

test('the nearest name, if it is near enough', () => {
  const names = ['promise', 'budget', 'plain', 'start', 'status']
  const rows: [string, string | null][] = [
    ['promise', 'promise'],
    ['bugdet', 'budget'],
    ['plan', 'plain'],
    ['pl', null],
    ['model', null],
    ['', null],
    // Two swapped neighbours are one mistake: nearer than start, which is two changes away.
    ['stauts', 'status'],
    ['strat', 'start'],
  ]
  for (const [text, name] of rows) assert.equal(nearest(text, names), name, text)
})

test('the help of a command names every flag with its default and variable', () => {
  for (const command of commands) {
    // Continued lines are indented below their first line.
    const help = helpFor(command)
      .replaceAll(/\n {33}/g, ' ')
      .replaceAll(/ +/g, ' ')
    for (const flag of [...command.flags, ...commonFlags]) {
      const line = help.split('\n').find(text => text.includes(` --${flag.name} `)) ?? ''
      assert.ok(line.includes(flag.help), `${command.name} --${flag.name}`)
      if (flag.default) assert.ok(line.includes(`default ${flag.default}`), line)
      if (flag.env) assert.ok(line.includes(`$${flag.env}`), line)
    }
  }
})

test('all commands are on one screen of 80 columns and 24 rows, by what a person wants to do', () => {
  const lines = helpForAll(tasks, programCommands).split('\n')
  assert.ok(lines.length <= 23, `${lines.length} rows, and the prompt of the shell below them`)
  assert.deepEqual(
    lines.filter(line => line.length > 80),
    [],
  )
  for (const { name } of commands)
    assert.ok(
      lines.some(line => line.split(/[ ,:]+/).includes(name)),
      name,
    )
})

test('the flags of start stand in sections, each once', () => {
  const start = commands.find(({ name }) => name === 'start')
  assert.ok(start)
  const lines = helpFor(start).split('\n')
  for (const title of ['What is done:', 'When it is done:', 'Agent:', 'Limits:', 'Safety:', 'Groups:'])
    assert.ok(lines.includes(title), title)
  for (const { name } of [...start.flags, ...commonFlags])
    assert.equal(
      lines.filter(line => /^ {2}(?:-\w, | {4})--([\w-]+)/.exec(line)?.[1] === name).length,
      1,
      name,
    )
})

for (const columns of [80, 100]) {
  test(`no flag, key or command is explained in a line that is wider than a terminal of ${columns} columns`, () => {
    const explained = commands.flatMap(command => {
      const help = helpFor(command, { columns })
      const [, lists = ''] = /^(?:Flags|What is done):\n([\s\S]*?)^Examples:/m.exec(help) ?? []
      return [...help.split('\n').slice(2, 4), ...lists.split('\n'), ...help.split('\n').slice(-2)]
    })
    assert.ok(explained.length > 100, 'or this test says nothing')
    assert.deepEqual(
      explained.filter(line => line.length > columns),
      [],
    )
  })
}
