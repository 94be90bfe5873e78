/** Secrets that pass through a loop: in no view, and not in the output that is kept. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { makeRig, startArgs, until } from '../../rig/rig.ts'

const github = `${'ghp'}_aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cFaB3d`
const ours = 'just-words-of-mine'
const env = { DEPLOY_TOKEN: ours }
const secret = new RegExp(`${github}|${ours}`)

test('secrets that an agent or a promise prints are shown nowhere, and the agent may still use them', async t => {
  const rig = makeRig(t)
  const agent = `echo "mine is $DEPLOY_TOKEN and ${github}" | tee -a work; printf 'bin\\377\\000x %s' $DEPLOY_TOKEN >&2`
  const promise = `cat work; echo "T=${github}"; false`
  const ended = await rig.loop(
    startArgs(agent, promise, '-n', '1', '--no-baseline', '--pass-env', 'DEPLOY_TOKEN'),
    { env },
  )
  const [id = ''] = rig.loops()
  assert.match(ended.stderr, /mine is \[redacted:\$DEPLOY_TOKEN\] and \[redacted:github\]/)
  assert.match(readFileSync(join(rig.tree, 'work'), 'utf8'), secret, 'the work tree is as the agent left it')
  for (const args of [
    ['logs', id],
    ['history', id, '-v'],
    ['status', id],
    ['status', id, '--json'],
    ['list'],
    ['status', '--json'],
  ]) {
    const shown = await rig.loop(args, { env })
    assert.doesNotMatch(ended.stdout + ended.stderr + shown.stdout + shown.stderr, secret, args.join(' '))
  }
  const run = join(rig.dir(id), 'runs/1')
  assert.equal(
    readFileSync(join(run, 'out'), 'utf8'),
    'mine is [redacted:$DEPLOY_TOKEN] and [redacted:github]\n',
  )
  const bytes = Buffer.from('bin\u00ff\u0000x [redacted:$DEPLOY_TOKEN]', 'latin1')
  assert.deepEqual(readFileSync(join(run, 'err')), bytes, 'every other byte is as it was')
  assert.equal(statSync(join(run, 'out')).mode & 0o777, 0o600)
  assert.deepEqual(
    readdirSync(run).filter(name => name.includes('redacted')),
    [],
  )
  const cleared = rig.events(id).find(event => event.kind === 'run.cleared')
  assert.equal(cleared?.data.redacted, 3)
  const outputs = rig.events(id).filter(({ kind }) => kind !== 'loop.created')
  const tails = outputs.map(event => JSON.stringify(event).replaceAll(/"command":"[^}]*?false"/g, ''))
  for (const tail of tails) assert.doesNotMatch(tail.replaceAll(/"name":"(\\.|[^"])*"/g, ''), secret)
})

test('a colour code inside a secret does not prevent its removal anywhere', async t => {
  const rig = makeRig(t)
  const broken = `${github.slice(0, 2)}\u001B[31m${github.slice(2)}\u001B[0m`
  const agent = `printf 'so %s\\n' '${broken}'`
  const args = ['start', `use ${broken}`, ...startArgs(agent, 'false', '-n', '1', '--no-baseline').slice(2)]
  const ended = await rig.loop(args, { env })
  const [id = ''] = rig.loops()
  const texts = [ended.stdout + ended.stderr, readFileSync(join(rig.dir(id), 'runs/1/out'), 'utf8')]
  for (const words of [['logs', id], ['history', id, '-v'], ['status', id], ['list'], ['status']]) {
    const shown = await rig.loop(words, { env })
    texts.push(shown.stdout + shown.stderr)
  }
  for (const text of texts) assert.doesNotMatch(stripVTControlCharacters(text), secret)
  assert.equal(texts[1], 'so [redacted:github]\u001B[31m\u001B[0m\n')
})

test('output without a secret is left alone, byte for byte and as the same file', async t => {
  const rig = makeRig(t)
  const agent = `head -c 100000 /dev/urandom | base64; ls -i "$(dirname "$LOOP_PROMPT_FILE")/out" > "$ASIDE/inode"`
  await rig.loop(startArgs(`${agent}; echo x >> work`, 'test -s work', '--no-baseline'))
  const [id = ''] = rig.loops()
  const [inode] = readFileSync(join(rig.aside, 'inode'), 'utf8').trim().split(' ')
  assert.equal(String(statSync(join(rig.dir(id), 'runs/1/out')).ino), inode)
  const cleared = rig.events(id).find(event => event.kind === 'run.cleared')
  assert.equal(cleared?.data.redacted, undefined)
})

test('logs -f prints a word as soon as it is complete, and never half a secret', async t => {
  const rig = makeRig(t)
  const half = Math.floor(github.length / 2)
  const agent = `printf 'Continue? [y/N] %s' ${github.slice(0, half)}; until [ -f "$ASIDE/go" ]; do sleep 0.02; done; printf '%s done' ${github.slice(half)}; echo x >> work`
  const running = rig.spawn(startArgs(agent, 'test -s work', '--no-baseline'))
  await until(
    'the run',
    () => rig.loops()[0] && rig.events(rig.loops()[0] ?? '').some(({ kind }) => kind === 'run.launched'),
  )
  const follower = rig.spawn(['logs', '@last', '-f'])
  await until('the question', () => follower.stdout() === 'Continue? [y/N] ')
  writeFileSync(join(rig.aside, 'go'), '')
  assert.equal((await follower.ended).stdout, 'Continue? [y/N] [redacted:github] done')
  const { code, stderr } = await running.ended
  assert.equal(code, 0)
  assert.match(stderr, /^ {2}│ Continue\? \[y\/N\] \[redacted:github\] done$/m)
})
