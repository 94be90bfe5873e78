/** The package of `npm pack`, installed alone: the programs work, and the licence notices are complete. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { makeRig, root } from '../../rig/rig.ts'

/** Found by the comments that the bundler writes in front of the code of each file. */
function bundledPackages(): string[] {
  const names = globSync(join(root, 'dist', '*.cjs')).flatMap(file =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(/^ *\/\/ node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm),
      ([, name = '']) => name,
    ),
  )
  return [...new Set(names)].sort()
}

test('every package whose code is in the bundles is in the notices, with its licence', () => {
  const notices = readFileSync(join(root, 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8')
  const bundled = bundledPackages()
  assert.ok(bundled.includes('zod') && bundled.includes('hono'), bundled.join(', '))
  for (const name of bundled) {
    const at = notices.indexOf(`\n${name} `)
    assert.notEqual(at, -1, `${name} has no notice`)
    const own = notices.slice(at, notices.indexOf('\n-----', at))
    assert.match(own, /copyright|Permission to use|Apache License/i, name)
  }
})

test('the package brings no other one along, and works alone', t => {
  const rig = makeRig(t)
  const made = execFileSync('npm', ['pack', '--silent', '--pack-destination', rig.aside], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, npm_config_cache: join(rig.aside, 'cache'), npm_config_update_notifier: 'false' },
  })
  const place = join(rig.aside, 'lib')
  mkdirSync(place)
  execFileSync('tar', ['xzf', join(rig.aside, made.trim().split('\n').at(-1) ?? ''), '-C', place])
  const home = join(place, 'package')
  const { dependencies = {} } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  assert.deepEqual(dependencies, {})
  assert.ok(existsSync(join(home, 'dist', 'THIRD-PARTY-NOTICES.txt')))
  const env = { ...rig.env, PATH: [dirname(process.execPath), rig.env['PATH']].join(delimiter) }
  const run = (program: string, ...args: string[]) =>
    spawnSync(join(home, 'bin', program), args, { cwd: rig.tree, env, encoding: 'utf8', timeout: 600_000 })
  const demo = run('loop', 'demo', '--plain')
  assert.equal(demo.status, 0, demo.stdout + demo.stderr)
  assert.match(demo.stdout, /<loop-complete>/)
  assert.equal(run('loop', 'config', 'list').status, 0)
  const started = run('loopd', 'start')
  assert.equal(started.status, 0, started.stderr)
  const stopped = run('loopd', 'stop')
  assert.equal(stopped.status, 0, stopped.stderr)
})
