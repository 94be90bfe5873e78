/**
 * Agents that cannot be installed here, played by stand-ins with their documented interface; and behaviour that no real
 * program shows on demand.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Recorded } from '../../src/model/loop/event.ts'
import { type Rig, readOr } from '../rig/rig.ts'
import { plays, standIn, startWith } from './stand-in.ts'

function endings(rig: Rig): Extract<Recorded, { kind: 'run.ended' }>['data'][] {
  return rig.events(rig.loops()[0] ?? '').flatMap(event => (event.kind === 'run.ended' ? event.data : []))
}

/** Keeps the arguments and the input of the call beside the tree. */
const keepCall = 'printf "%s\\n" "$@" > "$ASIDE/args"; cat > "$ASIDE/stdin"'

test('aider: called as documented, its cost and edits read from its output', async t => {
  const rig = standIn(t, { aider: `${keepCall}; ${plays('aider.out')}; touch done` })
  const ended = await rig.loop(startWith('aider', '--model', 'gpt-5.1'))
  assert.equal(ended.code, 0, ended.stderr)
  const [end] = endings(rig)
  assert.deepEqual(end?.tokens, { input: 13_200, cached: 1_100, output: 1_149 })
  assert.equal(end?.costUsd?.toFixed(4), '0.0323')
  assert.deepEqual(end?.edited, { path: 'sum.mjs', times: 1 })
  const args = readOr(join(rig.aside, 'args')).split('\n')
  for (const flag of ['--yes-always', '--no-auto-commits', '--no-gitignore'])
    assert.ok(args.includes(flag), flag)
  assert.equal(args[args.indexOf('--model') + 1], 'gpt-5.1')
  assert.match(readOr(args[args.indexOf('--message-file') + 1] ?? ''), /^do the work\n/)
  assert.equal(readOr(join(rig.aside, 'stdin')), '', 'stdin is at its end: no question can hang it')
})

test('cursor: called as documented, continued, and ended by its result though it never exits', async t => {
  const script = `printf "%s\\n" "$@" > "$ASIDE/args$LOOP_ITERATION"; ${plays('cursor.out')}
    [ "$LOOP_ITERATION" = 1 ] || { touch done; sleep 300; }`
  const rig = standIn(t, { 'cursor-agent': script })
  const ended = await rig.loop(startWith('cursor', '--context-mode', 'continue', '--no-change-limit', 'off'))
  assert.equal(ended.code, 0, ended.stderr)
  assert.deepEqual(
    endings(rig).map(({ how }) => how),
    ['exited', 'lingered'],
  )
  assert.ok(!readOr(join(rig.aside, 'args1')).includes('--resume'), 'the first is nobody else\u2019s session')
  const second = readOr(join(rig.aside, 'args2')).split('\n')
  assert.equal(second[second.indexOf('--resume') + 1], 'c6b62c6f-7ead-4fd6-9922-e952131177ff')
  assert.ok(!second.includes('--continue'))
})

const acpAgent = `while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
  case $line in
    *'"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":1}}' ;;
    *'"session/new"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"sessionId":"s-1"}}' ;;
    *'"session/prompt"'*)
      prompt=$id
      echo 'some noise of a library'
      echo '{"jsonrpc":"2.0","id":77,"method":"session/request_permission","params":{"toolCall":{"title":"write done"},"options":[{"optionId":"a","kind":"allow_always"},{"optionId":"o","kind":"allow_once"}]}}' ;;
    *'"id":77'*'"optionId":"o"'*)
      touch done
      echo '{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Allowed."}}}}'
      echo '{"jsonrpc":"2.0","id":'$prompt',"result":{"stopReason":"end_turn"}}' ;;
  esac
done`

test('acp: any agent that speaks the protocol; permissions are granted once', async t => {
  const rig = standIn(t, { 'my-acp': acpAgent })
  const ended = await rig.loop(startWith('acp', '--agent-cmd', 'my-acp --acp'))
  assert.equal(ended.code, 0, ended.stderr)
  const [end] = endings(rig)
  assert.deepEqual([end?.said, end?.session?.id, end?.how], ['Allowed.', 's-1', 'exited'])
})

test('acp: an agent that ends in the middle is an agent error', async t => {
  const rig = standIn(t, { 'my-acp': 'read -r line; exit 3' })
  const ended = await rig.loop(startWith('acp', '--agent-cmd', 'my-acp', '--agent-error-limit', '1'))
  assert.equal(ended.code, 3)
  assert.match(JSON.parse(ended.stdout).reason, /^the agent failed: the agent ended with 3 in the middle/)
})

for (const command of ['VAR=1 my-acp', 'cd . && my-acp', 'my-acp | cat', 'my-acp']) {
  test(`acp: ${command} is a shell command; the agent reports no cost`, async t => {
    const rig = standIn(t, { 'my-acp': acpAgent })
    const ended = await rig.loop(startWith('acp', '--agent-cmd', command))
    assert.equal(ended.code, 0, ended.stdout + ended.stderr)
    const [end] = endings(rig)
    assert.deepEqual([end?.costUsd, end?.costIncomplete], [null, undefined])
  })
}

test('acp: the reason of an agent is its own: data of its error, and what it wrote to stderr', async t => {
  const refuses = `read -r line; echo 'root cannot use this mode' >&2
    echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error","data":{"details":"Query closed"}}}'; read -r more`
  const breaks = `read -r line; printf 'x.js:3\nSyntaxError: missing )\n    at run (x.js:3)\n' >&2; exit 1`
  for (const [script, why] of [
    [refuses, 'Internal error: Query closed; stderr: root cannot use this mode'],
    [breaks, 'the agent ended with 1 in the middle; stderr: SyntaxError: missing )'],
  ] as const) {
    const rig = standIn(t, { 'my-acp': script })
    const ended = await rig.loop(startWith('acp', '--agent-cmd', 'my-acp', '--agent-error-limit', '1'))
    assert.equal(ended.code, 3)
    assert.ok(JSON.parse(ended.stdout).reason.startsWith(`the agent failed: ${why}`), ended.stdout)
    const { stdout } = await rig.loop(['logs', rig.loops()[0] ?? ''])
    assert.ok(stdout.includes(why), stdout)
  }
})

test('the work of an agent that failed is verified all the same', async t => {
  const rig = standIn(t, { claude: 'echo "<html>"; touch done' })
  assert.equal((await rig.loop(startWith('claude'))).code, 0)
})

test('the words of a usage limit in the output of a project test are no limit', async t => {
  const rig = standIn(t, {
    claude: `echo 'Error: 429 usage limit reached'; ${plays('claude.out')}; touch done`,
  })
  const ended = await rig.loop(startWith('claude'))
  assert.equal(ended.code, 0)
  assert.equal(endings(rig)[0]?.limit, undefined)
})

test('a limit that something writes into the usage file of an agent that is read is no limit', async t => {
  const rig = standIn(t, {
    claude: `printf '{"limitedUntil": true}' > "$LOOP_USAGE_FILE"; ${plays('claude.out')}; touch done`,
  })
  const ended = await rig.loop(startWith('claude'))
  assert.equal(ended.code, 0)
  assert.equal(endings(rig)[0]?.limit, undefined)
})

test('--fallback-agent runs instead at a limit, and the loop says so', async t => {
  const rig = standIn(t, {
    claude: plays('claude-limit.out'),
    codex: `cat > "$ASIDE/stdin"; ${plays('codex.out')}; touch done`,
  })
  const ended = await rig.loop(
    [...startWith('claude', '--fallback-agent', 'codex')].filter(arg => arg !== '--json'),
  )
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stderr, /\[LOOP\] Agent: codex \(usage limit\)/)
  assert.match(readOr(join(rig.aside, 'stdin')), /Iteration 1 of 10,/, 'the same iteration')
  const status = JSON.parse((await rig.loop(['status', rig.loops()[0] ?? '', '--json'])).stdout)
  assert.deepEqual([status.agent, status.iteration], ['codex', 1])
  assert.deepEqual(status.ran, ['claude', 'codex'])
  assert.match((await rig.loop(['status', '@last'])).stdout, /^ {2}agent {7}codex \(ran: claude, codex\)$/m)
  const history = await rig.loop(['history', '@last'])
  assert.match(history.stdout, /^ITER {3}AGENT {11}CHECKPOINT.*\n1 {6}claude, codex {3}iter-001/)
  const [row] = JSON.parse((await rig.loop(['history', '@last', '--json'])).stdout).iterations
  assert.deepEqual(row.agents, ['claude', 'codex'])
})

test('a fallback that reports no cost makes the sum a lower bound', async t => {
  const rig = standIn(t, {
    claude: `[ "$LOOP_ITERATION" = 1 ] && { ${plays('claude.out')}; exit; }; ${plays('claude-limit.out')}`,
    codex: `${plays('codex.out')}; touch done`,
  })
  const ended = await rig.loop(startWith('claude', '--fallback-agent', 'codex', '--no-change-limit', 'off'))
  assert.equal(ended.code, 0, ended.stderr)
  const { costUsd, costEstimated, costIncomplete } = JSON.parse(ended.stdout)
  assert.deepEqual([costUsd, costEstimated, costIncomplete], [0.015, true, true])
  const [id = ''] = rig.loops()
  assert.match((await rig.loop(['status', id])).stdout, /^ {2}cost {8}at least \$0\.01 of \$25$/m)
  assert.match((await rig.loop(['status'])).stdout, new RegExp(`^${id} .* at least \\$0\\.01`, 'm'))
  const { iterations } = JSON.parse((await rig.loop(['history', id, '--json'])).stdout)
  assert.deepEqual(
    iterations.map(({ costIncomplete: isPart }: { costIncomplete?: boolean }) => isPart),
    [undefined, true],
  )
})

test('a limit that lasts longer than --max-wait pauses the loop', async t => {
  const rig = standIn(t, { claude: plays('claude-limit.out') })
  const ended = await rig.loop(startWith('claude', '--max-wait', '30s'))
  assert.equal(ended.code, 1)
  const { status, reason } = JSON.parse(ended.stdout)
  assert.equal(status, 'paused')
  assert.match(
    reason,
    /^at a usage limit for longer than --max-wait allows \(claude: API Error: Request rejected \(429\)/,
  )
})

test('--budget holds across agents, and an estimate counts', async t => {
  const rig = standIn(t, { codex: plays('codex.out') })
  const args = startWith('codex', '--model', 'gpt-5.1-codex', '--budget', '0.01', '--no-change-limit', 'off')
  const ended = await rig.loop(args)
  assert.equal(ended.code, 1)
  const { iteration, costUsd, costEstimated } = JSON.parse(ended.stdout)
  assert.deepEqual([iteration, costUsd.toFixed(5), costEstimated], [2, '0.01050', true])
  assert.match((await rig.loop(['history', rig.loops()[0] ?? ''])).stdout, /~\$0\.01 +3\.1k/)
})

test('what an agent leaves running is gone before the promise is run', async t => {
  const late = '(setsid sh -c "sleep 1; touch late" >/dev/null 2>&1 &)'
  const rig = standIn(t, { claude: `${late}; ${plays('claude.out')}; touch done` })
  const ended = await rig.loop(
    startWith('claude').map(arg =>
      arg === 'test -e done' ? 'sleep 1.5; test ! -e late && test -e done' : arg,
    ),
  )
  assert.equal(ended.code, 0, ended.stdout)
})

test('an agent that hangs is stopped by --idle-timeout, and has no terminal to ask at', async t => {
  const rig = standIn(t, { claude: 'sh -c "read x < /dev/tty" 2>/dev/null && exit 9; echo asked; sleep 300' })
  const ended = await rig.loop(startWith('claude', '--idle-timeout', '500ms', '--agent-error-limit', '1'))
  assert.equal(ended.code, 3)
  assert.deepEqual(
    endings(rig).map(({ how }) => how),
    ['idle'],
  )
})

test('no variable of a person\u2019s own session reaches the agent, and the agent knows that it is driven', async t => {
  const rig = standIn(t, { claude: `env > "$ASIDE/env"; ${plays('claude.out')}; touch done` })
  const mine = {
    CLAUDECODE: '1',
    CLAUDE_CODE_SESSION_ID: 'mine',
    CLAUDE_CODE_TASK_LIST_ID: 'mine',
    CLAUDE_CODE_MESSAGING_TOKEN: 'mine',
  }
  assert.equal((await rig.loop(startWith('claude'), { env: mine })).code, 0)
  const env = readOr(join(rig.aside, 'env'))
  assert.ok(!/mine|CLAUDECODE/.test(env), env)
  assert.match(env, /^LOOP_RUN=/m)
})

test('a question of an agent is shown, and the answer goes into the next prompt', async t => {
  const asks = `printf '{"question": "red or blue?"}' > "$LOOP_USAGE_FILE"`
  const rig = standIn(t, {
    mine: `cat > "$ASIDE/prompt$LOOP_ITERATION"; [ "$LOOP_ITERATION" = 1 ] && ${asks} || touch done`,
  })
  const ended = await rig.loop(startWith('custom', '--agent-cmd', 'mine'))
  assert.equal(ended.code, 1)
  const [id = ''] = rig.loops()
  assert.equal(JSON.parse(ended.stdout).reason, 'the agent asks, and nobody is there: red or blue?')
  assert.equal((await rig.loop(['answer', id, 'blue, of course'])).code, 0)
  assert.equal((await rig.loop(['resume', id, '--json'])).code, 0)
  assert.match(readOr(join(rig.aside, 'prompt2')), /You asked: red or blue\?\n\n.+ answers: blue, of course/)
})
