/**
 * A loop in its sandbox: shown everywhere, held to its time limit, resumed and cancelled like every other loop; and a
 * machine without a sandbox.
 */
import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { without } from '../rig/needs.ts'
import { makeRig, type Rig, startArgs, until } from '../rig/rig.ts'

const required = ['--sandbox', 'required']
const skip = without('bwrap')

/** A PATH with every program but this one. */
function pathWithout(rig: Rig, program: string): string {
  const bin = join(rig.aside, 'bin')
  mkdirSync(bin)
  for (const place of (rig.env['PATH'] ?? '').split(delimiter).filter(existsSync)) {
    for (const name of readdirSync(place)) {
      const link = join(bin, name)
      if (name !== program && !existsSync(link)) symlinkSync(join(place, name), link)
    }
  }
  return bin
}

async function statusOf(rig: Rig, id = '@last') {
  const { stdout } = await rig.loop(['status', id, '--json'])
  return JSON.parse(stdout)
}

test('without bubblewrap: required refuses, auto says so in one line, off is silent', async t => {
  const rig = makeRig(t)
  rig.env['PATH'] = pathWithout(rig, 'bwrap')
  const refused = await rig.loop(startArgs('touch done', 'test -f done', ...required))
  assert.equal(refused.code, 4)
  assert.match(
    refused.stderr,
    /^loop: --sandbox required, and there is none: bubblewrap \(bwrap\) is not on the PATH\. Install bubblewrap .* Without one: --sandbox auto, or off\.\n$/,
  )
  assert.deepEqual(rig.loops(), [])
  const auto = await rig.loop(startArgs('touch done', 'test -f done', '--sandbox', 'auto'))
  assert.equal(auto.code, 0, auto.stderr)
  const none = '  sandbox     none: bubblewrap (bwrap) is not on the PATH'
  assert.equal(auto.stderr.split('\n').filter(line => line === none).length, 1)
  assert.ok(auto.stdout.split('\n').includes(none), auto.stdout)
  assert.deepEqual((await statusOf(rig)).sandbox, {
    level: 'none',
    why: 'bubblewrap (bwrap) is not on the PATH',
  })
  const off = await rig.loop(startArgs('touch more', 'test -f more', '--sandbox', 'off'))
  assert.doesNotMatch(off.stderr, /sandbox/)
  assert.match(off.stdout, /^ {2}sandbox {5}none \(--sandbox off\)$/m)
  const doctor = await rig.loop(['doctor', '--json'])
  const check = JSON.parse(doctor.stdout).checks.find(({ name }: { name: string }) => name === 'sandbox')
  assert.deepEqual([check.status, check.found], ['warn', 'none: bubblewrap (bwrap) is not on the PATH'])
})

test('what holds the agent is recorded, and said at the start, in status and in the receipt', {
  skip,
}, async t => {
  const rig = makeRig(t)
  // Written beside the file and renamed, as careful programs do.
  const report = `echo '{"costUsd":0.25}' >"$LOOP_USAGE_FILE.new" && mv "$LOOP_USAGE_FILE.new" "$LOOP_USAGE_FILE"`
  const agent = `cat >prompt; cmp prompt "$LOOP_PROMPT_FILE" && touch done; ${report}`
  const { code, stdout, stderr } = await rig.loop(startArgs(agent, 'test -f done'), {
    env: { LOOP_SANDBOX: 'auto' },
  })
  assert.equal(code, 0, stderr)
  const said = /^ {2}sandbox {5}files: it writes only to the work tree and its own settings; keys are hidden/m
  for (const text of [stdout, stderr, (await rig.loop(['status', '@last'])).stdout]) assert.match(text, said)
  const status = await statusOf(rig)
  assert.deepEqual([status.sandbox, status.costUsd], [{ level: 'files', why: null }, 0.25])
  const [created] = rig.events(status.id)
  assert.deepEqual(created?.kind === 'loop.created' && created.data.spec.sandbox, { level: 'files' })
  const doctor = await rig.loop(['doctor'])
  assert.match(
    doctor.stdout,
    /sandbox +files, with bubblewrap \(--sandbox auto\); the network too \(--sandbox-network\)/,
  )
})

test('killed, its loop is taken up again and its agent runs once', { skip }, async t => {
  const rig = makeRig(t)
  const agent = 'echo run >>runs; while [ ! -f go ]; do sleep 0.05; done; touch done'
  const running = rig.spawn(startArgs(agent, 'test -f done', ...required))
  await until('the agent', () => existsSync(join(rig.tree, 'runs')))
  running.child.kill('SIGKILL')
  await running.ended
  const [id = ''] = rig.loops()
  rig.write('go', '')
  const { code, stderr } = await rig.loop(['resume', id])
  assert.equal(code, 0, stderr)
  assert.equal(readFileSync(join(rig.tree, 'runs'), 'utf8'), 'run\n')
})

test('a cancel leaves nothing of it, and what it says at the last counts', { skip }, async t => {
  const rig = makeRig(t)
  const report = `echo '{"costUsd":0.5}' >"$LOOP_USAGE_FILE"`
  // In a session of its own, as agents start their tools.
  const tool = "setsid sh -c 'while :; do date +%s%N >beat; sleep 0.05; done' &"
  const agent = `trap '${report.replaceAll("'", `'\\''`)}; exit 1' TERM; ${tool} echo up; while :; do sleep 0.05; done`
  const running = rig.spawn(startArgs(agent, 'false', ...required, '--no-baseline'))
  await until('its tool', () => existsSync(join(rig.tree, 'beat')))
  const [id = ''] = rig.loops()
  assert.equal((await rig.loop(['cancel', id])).code, 0)
  await running.ended
  const last = readFileSync(join(rig.tree, 'beat'), 'utf8')
  assert.equal((await statusOf(rig, id)).costUsd, 0.5)
  assert.equal(readFileSync(join(rig.tree, 'beat'), 'utf8'), last)
})

test('its time limit holds, for the agent and for the promise', { skip }, async t => {
  const rig = makeRig(t)
  const agent = "trap '' TERM INT; sleep 600"
  const args = startArgs(
    agent,
    'sleep 600',
    ...required,
    '--timeout',
    '1s',
    '--verify-timeout',
    '1s',
    '-n',
    '1',
  )
  const { code } = await rig.loop([...args, '--no-baseline'])
  assert.equal(code, 1)
  const [id = ''] = rig.loops()
  const ends = rig.events(id).flatMap(event => (event.kind === 'run.ended' ? [event.data.how] : []))
  assert.deepEqual(ends, ['timeout'])
  const why = rig.events(id).flatMap(event => (event.kind === 'promise.verified' ? event.data.results : []))
  assert.deepEqual(
    why.map(({ timedOut }) => timedOut),
    [true],
  )
})

test('attempts in copies: each in its sandbox, with its dependencies where the tree has them', {
  skip,
}, async t => {
  const rig = makeRig(t)
  mkdirSync(join(rig.tree, 'node_modules', 'dep'), { recursive: true })
  writeFileSync(join(rig.tree, 'node_modules', 'dep', 'index.js'), 'module.exports = 7\n')
  rig.write('.gitignore', 'node_modules\n')
  rig.write('package.json', '{"name":"x"}\n')
  rig.write('check.js', 'process.exit(require("dep") === 7 && require("./done.js") ? 0 : 1)\n')
  const agent =
    'pwd >where; echo x >node_modules/dep/more; echo "module.exports = true" >done.js; ! touch "$ASIDE/out"'
  const args = startArgs(agent, 'node check.js', ...required, '--best-of', '2')
  const { code, stdout, stderr } = await rig.loop(args)
  assert.equal(code, 0, stdout + stderr)
  assert.ok(existsSync(join(rig.tree, 'done.js')))
  assert.ok(!existsSync(join(rig.tree, 'node_modules', 'dep', 'more')))
})

test('a sandbox that has gone is not left out: the loop rests, until it is told to go on without', {
  skip,
}, async t => {
  const rig = makeRig(t)
  const agent = 'test -f second && touch done; touch second; sleep 0.1'
  const first = await rig.loop(startArgs(agent, 'test -f done', ...required, '-n', '1'))
  assert.equal(first.code, 1)
  const env = { PATH: pathWithout(rig, 'bwrap') }
  const [id = ''] = rig.loops()
  const gone = await rig.loop(['resume', id, '-n', '2'], { env })
  assert.notEqual(gone.code, 0)
  assert.match(gone.stdout, /the loop began in a sandbox, and there is none now: bubblewrap/)
  assert.ok(!existsSync(join(rig.tree, 'done')))
  const freed = await rig.loop(['resume', id, '--sandbox', 'off'], { env })
  assert.equal(freed.code, 0, freed.stdout)
  assert.deepEqual((await statusOf(rig, id)).sandbox, { level: 'none', why: '--sandbox off' })
})

test('a hidden file is shown if the user names it, and no other one', { skip }, async t => {
  const rig = makeRig(t)
  const home = rig.env['HOME'] ?? ''
  for (const name of ['.npmrc', '.netrc']) writeFileSync(join(home, name), `of ${name}\n`)
  const agent = 'cat ~/.npmrc ~/.netrc > seen 2>/dev/null; touch ran'
  const seen = () => readFileSync(join(rig.tree, 'seen'), 'utf8')
  await rig.loop(startArgs(agent, 'test -f ran', ...required))
  assert.equal(seen(), '')
  rmSync(join(rig.tree, 'ran'))
  const named = startArgs(agent, 'test -f ran', ...required, '--sandbox-write', '~/.npmrc')
  const { code, stderr } = await rig.loop(named)
  assert.equal(code, 0, stderr)
  assert.equal(seen(), 'of .npmrc\n')
})

test('the doctor lists what of this home directory is hidden, by kind, and nothing else', {
  skip,
}, async t => {
  const rig = makeRig(t)
  const home = rig.env['HOME'] ?? ''
  for (const dir of ['.codex', '.engine', 'work']) mkdirSync(join(home, dir))
  for (const name of ['.npmrc', '.codex/auth.json', '.acme-token', '.bashrc', 'work/notes'])
    writeFileSync(join(home, name), 'x\n')
  const server = createServer().listen(join(home, '.engine', 'engine.sock'))
  t.after(() => server.close())
  const { checks } = JSON.parse((await rig.loop(['doctor', '--json'])).stdout)
  const [{ found }] = checks.filter(({ name }: { name: string }) => name === 'hidden files')
  assert.deepEqual(found.split('; '), [
    'agents: ~/.codex/auth.json',
    'packages: ~/.npmrc',
    'by their names: ~/.acme-token',
    'sockets: ~/.engine/engine.sock',
  ])
})

test('a secret stays hidden that is written while the run goes on, and one behind a link', {
  skip,
}, async t => {
  const rig = makeRig(t)
  const home = rig.env['HOME'] ?? ''
  for (const dir of ['.aws', '.cargo', 'keys', 'notes']) mkdirSync(join(home, dir))
  for (const name of ['.git-credentials', '.cargo/credentials.toml', 'keys/cloud'])
    writeFileSync(join(home, name), 'an old secret\n')
  symlinkSync(join(home, 'keys', 'cloud'), join(home, '.aws', 'credentials'))
  symlinkSync('notes', join(home, 'linked'))
  writeFileSync(join(home, 'notes', 'plain'), 'no secret\n')
  const names = ['.git-credentials', '.cargo/credentials.toml', 'keys/cloud', '.netrc', '.pypirc']
  const agent = [
    'touch begun; until [ -f go ]; do sleep 0.02; done; cd ~',
    `cat ${names.join(' ')} linked/plain > "$OLDPWD/seen"; touch ~/made && touch "$OLDPWD/wrote"; cd -`,
    'touch ran',
  ]
  const running = rig.spawn(startArgs(agent.join('\n'), 'test -f ran', ...required))
  await until('the agent', () => existsSync(join(rig.tree, 'begun')))
  for (const name of ['.git-credentials', '.cargo/credentials.toml', '.netrc', '.pypirc']) {
    writeFileSync(join(home, `${name}.lock`), 'a new secret\n')
    renameSync(join(home, `${name}.lock`), join(home, name))
  }
  writeFileSync(join(rig.tree, 'go'), '')
  const { code, stderr } = await running.ended
  assert.equal(code, 0, stderr)
  assert.equal(readFileSync(join(rig.tree, 'seen'), 'utf8'), 'no secret\n')
  assert.deepEqual([existsSync(join(rig.tree, 'wrote')), existsSync(join(home, 'made'))], [false, false])
})

test('directories that the user permits can be written, and .git only then; its hooks never', {
  skip,
}, async t => {
  const rig = makeRig(t)
  const cache = join(rig.env['HOME'] ?? '', 'cache')
  mkdirSync(cache)
  mkdirSync(join(rig.tree, '.git', 'hooks'), { recursive: true })
  writeFileSync(join(rig.tree, '.git', 'config'), '')
  const agent = 'touch ~/cache/x .git/x; touch .git/hooks/x; echo x >.git/config; touch ran'
  await rig.loop(startArgs(agent, 'test -f ran', ...required, '--sandbox-write', '~/cache'))
  assert.deepEqual(
    [join(cache, 'x'), join(rig.tree, '.git', 'x')].map(file => existsSync(file)),
    [true, false],
  )
  const again = startArgs(agent, 'test -f .git/x', ...required, '--sandbox-write', '.git')
  const { code, stderr } = await rig.loop(again)
  assert.equal(code, 0, stderr)
  assert.deepEqual(readdirSync(join(rig.tree, '.git', 'hooks')), [])
  assert.equal(readFileSync(join(rig.tree, '.git', 'config'), 'utf8'), '')
})
