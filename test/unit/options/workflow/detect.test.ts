/** Variables that are commands of the project: their value, and the message if there is none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Asked, problemsOf, readFile } from '../../../rig/workflow-file.ts'

const text = `name: flow
vars:
  test: {type: command, detect: test}
  lint: {type: command, detect: lint, required: false}
loops:
  - id: work
    prompt: do it
    promise: '{{test}} && {{lint}}'
    agent: custom
    agent_cmd: my-agent
`
const files: Record<string, string> = {
  '/made-up/tree/package.json': '{ "scripts": { "test": "node --test", "lint": "eslint . --fix" } }',
  '/made-up/tree/sub/go.mod': 'module example.com/sub\n',
}
const system: Asked['system'] = {
  entries: path =>
    Object.keys(files).flatMap(file => (file.startsWith(`${path}/`) ? file.slice(path.length + 1) : [])),
  readText: path => files[path] ?? null,
}

const commandsOf = (asked: Asked) => {
  const read = readFile(text, { system: { ...system, ...asked.system }, ...asked })
  assert.ok('commands' in read, JSON.stringify(read))
  return read.commands
}

test('without a value a variable is the command of the project, with the files that say so', () => {
  assert.deepEqual(commandsOf({}), [
    { name: 'test', command: 'npm test', because: 'package.json script "test"' },
    { name: 'lint', command: '', because: null },
  ])
})

test('--set wins, and a command may be any code', () => {
  const command = `make test; echo "it's" > done`
  assert.deepEqual(commandsOf({ set: { test: command } })[0], { name: 'test', command, because: null })
  const read = readFile(text, { system, set: { test: command } })
  assert.ok('workflow' in read)
  assert.equal(
    read.workflow.loops[0]?.spec.criteria[0]?.command,
    '/bin/sh -c "$LOOP_VAR_test" && /bin/sh -c "$LOOP_VAR_lint"',
  )
  assert.deepEqual(read.workflow.loops[0]?.env['LOOP_VAR_test'], [command])
})

test('the project is that of the work tree, not of the current directory', () => {
  assert.equal(commandsOf({ flags: { cwd: 'sub' } })[0]?.command, 'go test ./...')
})

test('where there is none it is said; where only the file is looked at, it is unset', () => {
  const empty = { entries: () => [] }
  assert.deepEqual(problemsOf(text, { system: empty }), [
    '8:15-8:23 loop found no test command in this project. = Give it one: --set test=…',
  ])
  const looked = readFile(text, { system: empty, isComplete: false })
  assert.deepEqual('unset' in looked && looked.unset, ['test'])
})

test('only a command can be detected, and only for a purpose that there is', () => {
  const wrong = (line: string) => problemsOf(text.replace('{type: command, detect: test}', line), { system })
  assert.deepEqual(wrong('{type: command, detect: tests}').slice(0, 1), [
    '3:33-3:38 detect is test or lint or types or build or coverage; not "tests". = Did you mean test?',
  ])
  assert.ok(wrong('{detect: test}').includes('3:18-3:22 What is detected is a command. = Add type: command'))
})
