/**
 * npm puts the next version over an installed one while an agent works in the background: the agent goes on, the old
 * loopd says what to do, and the new one attaches to the same agent and completes the loop.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { version } from '../../src/model/version.ts'
import { emptyHome, pack } from '../rig/packed.ts'
import { until } from '../rig/rig.ts'

const aside = mkdtempSync(join(tmpdir(), 'loop-upgrade-'))
chmodSync(aside, 0o755)
after(() => rmSync(aside, { recursive: true }))

/** The same package with the next number. */
function packNext(packed: string, next: string): string {
  const place = join(aside, 'next')
  mkdirSync(place)
  execFileSync('tar', ['xzf', packed, '-C', place])
  const home = join(place, 'package')
  for (const name of ['package.json', ...globSync('dist/*.cjs', { cwd: home })]) {
    const file = join(home, name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`"${version}"`, `"${next}"`))
  }
  return pack(aside, home).filename
}

test('the next version is installed mid-iteration: the agent goes on, and the new loopd attaches to it', {
  timeout: 600_000,
}, async t => {
  const user = emptyHome(t)
  const old = pack(aside).filename
  const next = version.replace(/\d+$/, last => String(Number(last) + 1))
  const newer = packNext(old, next)
  for (const file of [old, newer]) chmodSync(file, 0o644)
  const install = (file: string) => {
    const { code, stderr } = user.run(
      'npm',
      'install',
      '-g',
      '--prefix',
      user.prefix,
      '--ignore-scripts',
      file,
    )
    assert.equal(code, 0, stderr)
  }
  install(old)
  const tree = join(user.home, 'project')
  assert.equal(user.run('mkdir', tree).code, 0)
  const agent = 'echo $$ >> ../agents; touch ../up; while [ ! -e ../go ]; do sleep 0.1; done; echo x >> work'
  const args = [
    'start',
    'work',
    '-b',
    '-p',
    'test "$(wc -l < work)" -ge 2',
    '--agent',
    'custom',
    '--agent-cmd',
    agent,
  ]
  const begun = user.runIn(tree, 'loop', ...args, '--no-baseline', '--checkpoint', 'none')
  assert.equal(begun.code, 0, begun.stderr)
  try {
    await until('the agent', () => existsSync(join(user.home, 'up')))
    install(newer)
    assert.match(user.run('loop', '--version').stdout, new RegExp(`^${next} `))
    assert.match(user.run('loopd', 'status').stdout, new RegExp(`^loopd ${version}: running`))
    const doctor = user.run('loop', 'doctor').stdout
    assert.match(doctor, /loopd stop/)
    assert.doesNotMatch(doctor, /EACCES/)
    assert.equal(user.run('loopd', 'stop', '--now').code, 0)
    assert.equal(user.run('loopd', 'start').code, 0)
    assert.match(user.run('loopd', 'status').stdout, new RegExp(`^loopd ${next}: running`))
    writeFileSync(join(user.home, 'go'), '')
    const status = () => JSON.parse(user.runIn(tree, 'loop', 'status', '@last', '--json').stdout)
    await until('the end', () => status().status === 'completed')
    assert.equal(readFileSync(join(tree, 'work'), 'utf8'), 'x\nx\n', 'each iteration worked once')
    assert.equal(
      readFileSync(join(user.home, 'agents'), 'utf8').split('\n').length - 1,
      2,
      'two agents in all',
    )
  } finally {
    user.run('loopd', 'stop', '--now')
  }
})
