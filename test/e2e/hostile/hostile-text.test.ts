/**
 * Hostile text on the terminal of a person: every command that shows a loop, with a prompt, a promise, file names,
 * output and a question that try to steer the terminal, hide or reorder text, or look like a line of loop.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commands } from '../../../src/cli/command-table.ts'
import {
  assertNoFakeLine,
  assertSafe,
  attacks,
  ESC,
  fakeLine,
  hostileName as name,
} from '../../rig/attacks.ts'
import { type Ended, loopProgram, makeRig, type Rig, startArgs } from '../../rig/rig.ts'

/** The agent as a program: it prints the attacks, writes files with these names, and asks. */
function agentIn(rig: Rig): string {
  const said = join(rig.aside, 'said')
  const usage = join(rig.aside, 'usage')
  const program = join(rig.aside, 'agent.sh')
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  writeFileSync(said, `${attacks}\n${fakeLine}\n`)
  writeFileSync(usage, JSON.stringify({ question: `which?${attacks}\n${fakeLine}`, edits: { [name]: 2 } }))
  writeFileSync(
    program,
    `#!/bin/sh
cat ${said}; cat ${said} >&2
cat ${said} >> ${quoted(name)}; echo >> ${quoted(`${name}-new`)}
mkfifo ${quoted(`fifo-${name}`)}
cp ${usage} "$LOOP_USAGE_FILE"
`,
    { mode: 0o755 },
  )
  return program
}

/** A workflow file whose names and values are attacks; `key` is an additional key of its loop. */
function workflowFile(key: string): string {
  const text = JSON.stringify(`a${attacks}\n${fakeLine}`)
  return `name: ${text}
description: ${text}
env: {A: ${text}}
loops:
  - id: build
    prompt: ${text}
    promise: ${text}
    confirm: ${text}
    matrix: {os: [${text.slice(0, 30)}"]}
    ${key}: ${text}
on_complete: ${text}
`
}

const ownSteering = new RegExp(
  `\r(?:${ESC}\\[[1-9]A)?${ESC}\\[[JK]|${ESC}\\[\\?2026[hl]|${ESC}\\[H${ESC}\\[2J`,
  'g',
)

/** The output in a pseudo-terminal, without the control sequences that loop sends on purpose. */
async function inTerminal(rig: Rig, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const command = [loopProgram, ...args].map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const { stdout } = await rig.loop(['-qec', command, '/dev/null'], {
    program: 'script',
    // A pager would wait for keys.
    env: { TERM: 'xterm', SHELL: '/bin/sh', PAGER: '', ...env },
  })
  return stdout.replaceAll(ownSteering, '').replaceAll('\r\n', '\n')
}

const startOf = (agent: string, ...more: string[]) => [
  'start',
  `do this${attacks}\n${fakeLine}`,
  '-p',
  `cat "$ASIDE/said"; test -e never # ${attacks}`,
  '--agent',
  'custom',
  '--agent-cmd',
  `${agent} # ${attacks}`,
  '--no-input',
  ...more,
]

/** A loop that is paused because its agent has asked. */
async function askingLoop(rig: Rig): Promise<{ id: string; started: Ended }> {
  rig.write(name, 'before\n')
  const agent = agentIn(rig)
  const told = join(rig.aside, 'tell.sh')
  writeFileSync(told, '#!/bin/sh\ncat >> "$ASIDE/told"; printf "%s\\n" "$@" >> "$ASIDE/told"\n', {
    mode: 0o755,
  })
  await rig.loop(['config', 'set', 'notification_cmd', told])
  const started = await rig.loop(startOf(agent, '-n', '3', '--confirm', `is this so${attacks}`, '--notify'))
  const [id = ''] = rig.loops()
  const asks = rig.events(id).find(({ kind }) => kind === 'question.asked')
  assert.ok(asks, started.stderr)
  return { id, started }
}

/** The commands that show the loop with its question, in the order in which they run. */
const shows = (id: string): string[][] => [
  ['answer', id],
  ['checkpoint', id],
  ['checkpoint', id, attacks.slice(0, 60)],
  ['status', id],
  ['status'],
  ['watch', id],
  ['watch', id, '--json'],
  ['watch', attacks],
  ['list'],
  ['report'],
  ['history', id],
  ['history', id, '-v'],
  ['logs', id],
  ['logs', id, '--promise'],
  ['rollback', id, 'initial', '--dry-run'],
  ['inject', id, attacks],
  ['pause', id],
  ['score', attacks],
  ['plan', attacks, '--agent', 'custom', '--agent-cmd', 'true', '--dry-run', '--force'],
  ['plan', attacks, '--agent', 'custom', '--agent-cmd', 'true'],
  ['review', id, attacks],
  ['task', 'add', attacks],
  [
    'task',
    'add',
    attacks.replaceAll(/[\r\n]/g, ' ').slice(0, 200),
    '--verify',
    `echo '${attacks.replaceAll(/[\r\n\0']/g, ' ')}'; false`,
  ],
  ['task', 'list'],
  ['learn', 'add', attacks],
  ['learn', 'add', attacks.replaceAll(/\s/g, ' ').slice(0, 400)],
  ['learn'],
  ['learn', 'accept', attacks],
  ['learn', attacks],
  ['recall', attacks],
  ['task', 'update', '1', 'completed'],
  ['task', 'update', attacks],
  ['task', attacks],
  ['doctor'],
  ['gc', '--dry-run', '--older-than', '0s'],
  ['export', id, '--force', '-o', 'exported.tar.gz'],
  ['init', attacks],
  ['config', 'set', 'agent', attacks],
  ['config'],
  ['plugin', attacks],
  ['compare', id],
  ['pick', id, attacks],
  ['apply', id],
  ['template', attacks],
  ['template', 'show', attacks],
  ['check', attacks],
  ['workflow', 'validate', 'flow.yaml'],
  ['workflow', 'validate', 'broken.yaml'],
  ['workflow', 'graph', 'flow.yaml'],
  ['workflow', 'graph', 'flow.yaml', '--format', 'mermaid'],
  ['workflow', 'graph', 'flow.yaml', '--format', 'dot'],
  ['workflow', 'graph', 'broken.yaml'],
  ['workflow', 'run', 'flow.yaml', '--dry-run', '--agent', 'custom', '--agent-cmd', 'true'],
  ['workflow', attacks, attacks],
  ['completion', attacks],
  ['hook', attacks],
  ['demo', attacks],
  ['status', attacks],
  [attacks],
  ['answer', id, `no${attacks}`],
  ['resume', id, '--no-input'],
  ['rollback', id, 'initial'],
  ['cancel', id],
  ['cancel', id],
]

/** Commands that show no loop: `ui` opens a page, `mcp` speaks a protocol. */
const showNothing = ['ui', 'mcp', 'diff']

test('no command lets text of others steer a pipe that may end in a terminal', async t => {
  const rig = makeRig(t)
  const { id, started } = await askingLoop(rig)
  assertSafe(started.stdout, 'start')
  assertSafe(started.stderr, 'start')
  rig.write('flow.yaml', workflowFile('model'))
  rig.write('broken.yaml', workflowFile(JSON.stringify(`k${attacks}`)))
  for (const args of shows(id)) {
    const what = args[0] === attacks ? 'an unknown command' : args.slice(0, 1).concat(args.slice(2)).join(' ')
    const plain = await rig.loop(args)
    for (const text of [plain.stdout, plain.stderr]) {
      assertSafe(text, what.slice(0, 60))
      if (!['history', 'logs', 'resume', 'watch'].includes(args[0] ?? ''))
        assertNoFakeLine(text, what.slice(0, 60))
    }
  }
  const walked = new Set([...shows(id).map(([command]) => command), ...showNothing, 'start'])
  assert.deepEqual(
    commands.map(command => command.name).filter(command => !walked.has(command)),
    [],
    'every command has its turn here',
  )
  const told = readFileSync(join(rig.aside, 'told'), 'utf8')
  assert.match(told, /waits for you/)
  assertSafe(told, 'the notification')
})

test('JSON output is safe to show, and exact', async t => {
  const rig = makeRig(t)
  const { id } = await askingLoop(rig)
  const asked = await rig.loop(['answer', id, '--json'])
  assert.equal(JSON.parse(asked.stdout).question, `which?${attacks}\n${fakeLine}`)
  const preview = await rig.loop(['rollback', id, 'initial', '--dry-run', '--json'])
  assert.deepEqual(JSON.parse(preview.stdout).written, [name])
  const views = [
    ['status', id],
    ['status'],
    ['report'],
    ['history', id],
    ['logs', id],
    ['logs', id, '--raw'],
    ['logs', id, '--promise'],
    ['diff', id],
    ['checkpoint', id],
    ['status', attacks],
  ]
  for (const args of views) {
    const { stdout, stderr } = await rig.loop([...args, '--json'])
    assert.ok(
      (stdout + stderr)
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)).length > 0,
    )
    assertSafe(stdout + stderr, `${args[0]} --json`)
  }
  assertSafe(asked.stdout + preview.stdout, '--json')
})

test('a terminal is not steered, nothing is hidden on it, and no line is forged', async t => {
  const rig = makeRig(t)
  const { id } = await askingLoop(rig)
  for (const args of [
    ['answer', id],
    ['checkpoint', id],
    ['status', id],
    ['rollback', id, 'initial', '--dry-run'],
  ]) {
    const text = await inTerminal(rig, args)
    assert.ok(text.length > 20, args[0])
    assertSafe(text, `${args[0]} in a terminal`)
    assertNoFakeLine(text, `${args[0]} in a terminal`)
  }
  for (const args of [
    ['logs', id],
    ['logs', id, '--raw'],
    ['history', id, '-v'],
    ['diff', id],
    ['resume', id, '-n', '4', '--no-input'],
  ]) {
    const text = await inTerminal(rig, args)
    assert.match(text, /concealed/, args[0])
    assertSafe(text, `${args[0]} in a terminal`)
  }
})

test('into a pipe, diff is an exact patch, and logs --raw is exactly what was printed', async t => {
  const rig = makeRig(t)
  const { id } = await askingLoop(rig)
  assert.ok((await rig.loop(['logs', id, '--raw'])).stdout.includes(attacks))
  const { stdout } = await rig.loop(['diff', id])
  assert.ok(stdout.includes(`+${attacks}\n`), JSON.stringify(stdout.slice(0, 400)))
})

test('the pause for a protected file names it on one line, with all its characters', async t => {
  const rig = makeRig(t)
  rig.write(name, 'before\n')
  const started = await rig.loop(startOf(agentIn(rig), '-n', '2', '--protect', 'n*'))
  const [id = ''] = rig.loops()
  const status = await rig.loop(['status', id])
  for (const { stdout, stderr } of [started, status]) {
    assertSafe(stdout + stderr, 'a protected file')
    assertNoFakeLine(stdout, 'a protected file')
  }
  const shown = String.raw`n\u{1b}]0;x\u{7}\u{9b}\u{202e}\u{e0041}\u{1b}[8m\nLoop aaaaaa completed: the promise holds.\nend`
  assert.ok(status.stdout.split('\n')[0]?.includes(`protected files were changed: ${shown}`), status.stdout)
})

test('colours of an agent are for a terminal whose user wants them: not for a pipe, nor with NO_COLOR', async t => {
  const rig = makeRig(t)
  const agent = String.raw`printf '\033[31mred\033[0m words\n'`
  const started = await rig.loop(startArgs(agent, 'false', '-n', '1', '--no-baseline'))
  assert.match(started.stderr, /│ red words\n/)
  assert.equal((await rig.loop(['logs', '@last'])).stdout, 'red words\n')
  assert.match((await rig.loop(['history', '@last', '-v'])).stdout, /^red words$/m)
  assert.ok((await inTerminal(rig, ['logs', '@last'])).includes('\u001B[31mred\u001B[0m words'))
  assert.match(await inTerminal(rig, ['logs', '@last'], { NO_COLOR: '1' }), /^red words/m)
})
