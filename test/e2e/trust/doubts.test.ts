/** A promise that passes after tests, the repository or its HEAD are gone: completed, named in the box, never SHIP. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, type Rig, startArgs } from '../../rig/rig.ts'

const git = (rig: Rig, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    cwd: rig.tree,
    env: { ...rig.env, GIT_CONFIG_GLOBAL: '/dev/null' },
    encoding: 'utf8',
  }).trim()

const asAgent = 'git -c user.name=a -c user.email=a@a'

function withRepository(t: Parameters<typeof makeRig>[0]): Rig {
  const rig = makeRig(t)
  git(rig, 'init', '-q', '-b', 'main')
  rig.write('a', 'a\n')
  git(rig, 'add', '-A')
  git(rig, 'commit', '-qm', 'first')
  return rig
}

const cases: [string, string, (rig: Rig, before: string) => RegExp][] = [
  [
    'a commit of the agent',
    `echo b > done; ${asAgent} add -A; ${asAgent} commit -qm second`,
    (rig, before) =>
      new RegExp(
        `Look at: HEAD moved \\(${before.slice(0, 7)} → ${git(rig, 'rev-parse', '--short=7', 'HEAD')}\\)`,
      ),
  ],
  [
    'another branch, with packed refs',
    `echo b > done; ${asAgent} switch -qc other; ${asAgent} pack-refs --all`,
    () => /Look at: HEAD moved from main to other/,
  ],
  ['no repository', 'echo b > done; rm -rf .git', () => /Look at: the repository \S+\/tree\/\.git is gone/],
]

for (const [what, agent, expected] of cases) {
  test(`completed with a doubt: ${what}`, async t => {
    const rig = withRepository(t)
    const before = git(rig, 'rev-parse', 'HEAD')
    const ended = await rig.loop(startArgs(agent, 'test -e done'))
    assert.equal(ended.code, 0, ended.stdout + ended.stderr)
    assert.match(ended.stdout, /╭─ 🟡 MONITOR /)
    assert.match(ended.stdout, expected(rig, before))
  })
}

test('a person who comes back later sees the doubt too: in status and in the report', async t => {
  const rig = withRepository(t)
  await rig.loop(startArgs('echo b > done; rm -rf .git', 'test -e done'))
  const gone = `the repository ${join(rig.tree, '.git')} is gone`
  const status = await rig.loop(['status', '@last'])
  assert.ok(status.stdout.includes(`\n  look at     ${gone}\n`), status.stdout)
  const report = await rig.loop(['report'])
  assert.ok(report.stdout.includes(`\n          look at: ${gone}\n`), report.stdout)
})

test('a repository that the agent left alone is no doubt', async t => {
  const rig = withRepository(t)
  const head = readFileSync(join(rig.tree, '.git', 'HEAD'), 'utf8')
  const ended = await rig.loop(startArgs('echo b > done', 'test -e done'))
  assert.match(ended.stdout, /╭─ 🟢 SHIP /)
  assert.doesNotMatch(ended.stdout, /Look at/)
  assert.equal(readFileSync(join(rig.tree, '.git', 'HEAD'), 'utf8'), head)
})

test('an agent that deletes the failing test is found out by the count', async t => {
  const rig = makeRig(t)
  rig.write('good.test.mjs', `import { test } from 'node:test'\ntest('good', () => {})\n`)
  rig.write(
    'bad.test.mjs',
    `import { test } from 'node:test'\ntest('bad', () => { throw new Error('no') })\ntest('fine', () => {})\n`,
  )
  const promise = `${process.execPath} --test --test-reporter=spec`
  // Without --allow the loop would be suspect: test/e2e/trust/suspect.
  const ended = await rig.loop(startArgs('rm bad.test.mjs', promise, '--allow', '*.test.mjs'), {
    env: { NODE_TEST_CONTEXT: undefined },
  })
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.match(ended.stdout, /╭─ 🟡 MONITOR /)
  assert.match(ended.stdout, /Look at: fewer tests \(3 → 1\)/)
})

test('a migration among the changes makes the loop Type 1: shown while it runs, in the box, and in JSON', async t => {
  const rig = withRepository(t)
  // More files than an event names; the migration is the last of them.
  const agent =
    'for i in $(seq 10 40); do echo $i > a$i.ts; done; mkdir -p z/migrations; echo x > z/migrations/1.sql; echo b > done'
  const ended = await rig.loop(startArgs(agent, 'test -e done'))
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.match(
    ended.stderr + ended.stdout,
    /harder to take back than it seemed: Type 1, by z\/migrations\/1\.sql\n/,
  )
  assert.match(ended.stdout, /╭─ 🟡 MONITOR /)
  assert.match(ended.stdout, /Subjective: ~– · Type 1 · 1pt/)
  const { assessed, ship } = JSON.parse((await rig.loop(['status', '@last', '--json'])).stdout)
  assert.deepEqual(assessed, { shape: 'tool', workflow: 'A', reversibility: '1' })
  assert.deepEqual(ship, { verdict: 'MONITOR', against: ['hard-to-take-back'] })
})

test('a start says which file of the prompt no test of the promise reads', async t => {
  const rig = makeRig(t)
  rig.write('cart.js', 'exports.total = 1\n')
  rig.write('price.js', 'exports.price = 1\n')
  rig.write(
    'price.test.js',
    "require('node:test')('price', () => require('node:assert').equal(require('./price.js').price, 2))\n",
  )
  const args = ['-p', 'node --test', '--agent', 'custom', '--agent-cmd', 'true', '-n', '1', '--no-input']
  const weak = await rig.loop(['start', 'fix the total in cart.js', ...args])
  assert.match(weak.stdout + weak.stderr, /note: 1 test, none of them reads cart\.js/)
  const sound = await rig.loop(['start', 'fix the price in price.js', ...args])
  assert.doesNotMatch(sound.stdout + sound.stderr, /none of them reads/)
})

test('work that hangs where a file that git ignores is missing: completed, never SHIP', async t => {
  const rig = withRepository(t)
  rig.write('.gitignore', '.cache/\n')
  rig.write('cart.sh', 'exit 1\n')
  git(rig, 'add', '-A')
  git(rig, 'commit', '-qm', 'second')
  const agent = `mkdir .cache; echo 10 > .cache/total; echo 'until [ -e .cache/total ]; do sleep 0.1; done; cat .cache/total' > cart.sh`
  const ended = await rig.loop(startArgs(agent, 'sh cart.sh | grep -q 10', '--verify-timeout', '2s'))
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.match(ended.stdout, /╭─ 🟡 MONITOR /)
})
