/**
 * The packed file, installed with npm as a plain user with an empty home, on the Node of the checkout and on the next
 * one: demo, loopd, page, plugin and sandbox work, an older Node gets one sentence, and removing it leaves its data.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { version } from '../../src/model/version.ts'
import { without } from '../rig/needs.ts'
import { emptyHome, type Installed, pack } from '../rig/packed.ts'
import { freePort } from '../rig/port.ts'
import { root } from '../rig/rig.ts'

const aside = mkdtempSync(join(tmpdir(), 'loop-install-'))
chmodSync(aside, 0o755)
after(() => rmSync(aside, { recursive: true }))
const { filename } = pack(aside)
chmodSync(filename, 0o644)
const otherNodes = execFileSync('sh', [join(root, 'scripts', 'nodes')], { encoding: 'utf8' }).trim()

/** A directory with this Node alone, that every user can read. */
function nodeOf(major: number): string {
  const place = join(aside, `node${major}`)
  if (!existsSync(place)) {
    mkdirSync(place)
    cpSync(join(otherNodes, `node${major}`, 'bin', 'node'), join(place, 'node'))
  }
  return place
}

function install(user: Installed): void {
  const { code, stderr } = user.run(
    'npm',
    'install',
    '-g',
    '--prefix',
    user.prefix,
    '--ignore-scripts',
    filename,
  )
  assert.equal(code, 0, stderr)
}

function fetched(url: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    get(url, { timeout: 60_000 }, response => {
      let body = ''
      response.setEncoding('utf8').on('data', text => {
        body += text
      })
      response.once('end', () => resolve({ status: response.statusCode, body }))
    })
      .once('error', reject)
      .once('timeout', () => reject(new Error(`${url} does not answer`)))
  })
}

/** The page of loopd, and the script that it names. */
async function pageAnswers(user: Installed): Promise<void> {
  const address = user.run('loop', 'ui', '--print').stdout.trim()
  const page = await fetched(new URL('/', address).href)
  assert.equal(page.status, 200)
  const script = /src="(\/assets\/app-[^"]+\.js)"/.exec(page.body)?.[1] ?? ''
  assert.equal((await fetched(new URL(script, address).href)).status, 200, page.body)
}

for (const [name, node] of [
  ['the Node of the checkout', dirname(process.execPath)],
  ['Node 26', nodeOf(26)],
] as const)
  test(`installed on ${name}: demo, loopd, the page and a plugin work; removed, its data stays`, {
    timeout: 600_000,
  }, async t => {
    const user = emptyHome(t, node)
    install(user)
    assert.deepEqual(
      readdirSync(join(user.prefix, 'lib', 'node_modules')).toSorted(),
      ['.package-lock.json', 'loopd'].filter(one =>
        existsSync(join(user.prefix, 'lib', 'node_modules', one)),
      ),
    )
    assert.ok(existsSync(join(user.prefix, 'share', 'man', 'man1', 'loop.1')))
    assert.match(
      user.run('loop', '--version').stdout,
      new RegExp(`^${version} \\(build [0-9a-f]{8}, commit `),
    )
    const demo = user.run('loop', 'demo', '--plain')
    assert.equal(demo.code, 0, demo.stdout + demo.stderr)
    assert.match(demo.stdout, /<loop-complete>/)
    assert.doesNotMatch(demo.stdout, /not on your PATH/)
    assert.match(user.run('loop', 'completion', 'bash').stdout, /complete .*loop/)
    assert.equal(user.run('loop', 'config', 'set', 'web_ui_port', String(await freePort())).code, 0)
    const started = user.run('loopd', 'start')
    assert.equal(started.code, 0, started.stderr)
    assert.match(user.run('loopd', 'status').stdout, new RegExp(`^loopd ${version}: running`))
    await pageAnswers(user).finally(() => user.run('loopd', 'stop'))
    assert.equal(user.run('loopd', 'status').code, 5)
    const plugin = user.run('loop', 'plugin', 'install', 'opencode')
    assert.equal(plugin.code, 0, plugin.stderr)
    assert.equal(globSync('.config/opencode/plugin*/*.js', { cwd: user.home }).length, 1)
    assert.equal(user.run('loop', 'plugin', 'uninstall', 'opencode').code, 0)
    const removed = user.run('npm', 'uninstall', '-g', '--prefix', user.prefix, 'loopd')
    assert.equal(removed.code, 0, removed.stderr)
    const left = globSync('**/*', { cwd: user.prefix, withFileTypes: true }).filter(one => !one.isDirectory())
    assert.deepEqual(
      left.map(one => one.name).filter(one => one !== '.package-lock.json'),
      [],
    )
    // What README says that stays.
    assert.deepEqual(globSync('.{local/share,config,cache}/daedalos/loop', { cwd: user.home }).toSorted(), [
      '.cache/daedalos/loop',
      '.config/daedalos/loop',
      '.local/share/daedalos/loop',
    ])
  })

test('an installed loop holds an agent in a sandbox', { skip: without('bwrap'), timeout: 600_000 }, t => {
  const user = emptyHome(t)
  install(user)
  const tree = join(user.home, 'project')
  assert.equal(user.run('mkdir', tree).code, 0)
  const agent = 'touch "$HOME/outside"; echo done > work'
  const args = ['start', 'work', '-p', 'test -f work', '--agent', 'custom', '--agent-cmd', agent]
  const ran = user.runIn(tree, 'loop', ...args, '--sandbox', 'required', '--plain')
  assert.equal(ran.code, 0, ran.stdout + ran.stderr)
  assert.deepEqual([existsSync(join(tree, 'work')), existsSync(join(user.home, 'outside'))], [true, false])
})

test('npx runs the packed file without an installation', { timeout: 600_000 }, t => {
  const user = emptyHome(t)
  // An absolute path is no package for npx: it would run the file.
  cpSync(filename, join(user.home, 'loopd.tgz'))
  const demo = user.run('npx', '--yes', './loopd.tgz', 'demo', '--plain')
  assert.equal(demo.code, 0, demo.stdout + demo.stderr)
  assert.match(demo.stdout, /<loop-complete>/)
  assert.match(demo.stdout, /"loop" is not on your PATH yet: npm install -g loopd/)
})

test('an older Node, or none, gets one sentence from every way into loop', { timeout: 600_000 }, t => {
  for (const [major, full] of [
    [20, 'v20.20.2'],
    [22, 'v22.23.3'],
  ] as const) {
    const user = emptyHome(t, nodeOf(major))
    install(user)
    for (const program of ['loop', 'loopd']) {
      const { code, stdout, stderr } = user.run(program, 'start')
      const sentence = `${program} needs Node 24.15 or newer, and this is ${full}. Install Node 24 (https://nodejs.org), then try again.\n`
      assert.deepEqual({ code, stdout, stderr }, { code: 4, stdout: '', stderr: sentence })
    }
  }
  const none = emptyHome(t)
  install(none)
  const bare = join(aside, 'bare')
  mkdirSync(bare)
  symlinkSync('/usr/bin/readlink', join(bare, 'readlink'))
  const { code, stderr } = none.run(
    'env',
    `PATH=${bare}`,
    '/bin/sh',
    join(none.prefix, 'bin', 'loop'),
    'status',
  )
  const sentence =
    'loop needs Node 24.15 or newer, and there is no node on your PATH. Install Node 24 (https://nodejs.org), then try again.\n'
  assert.deepEqual({ code, stderr }, { code: 4, stderr: sentence })
})

test('an installed loop takes the Node of its npm, not the older one of a project', {
  timeout: 600_000,
}, t => {
  const user = emptyHome(t)
  install(user)
  assert.equal(user.run('ln', '-s', process.execPath, join(user.prefix, 'bin', 'node')).code, 0)
  user.env['PATH'] = `${nodeOf(20)}:${user.prefix}/bin:/usr/bin:/bin`
  assert.equal(user.run('node', '--version').stdout, 'v20.20.2\n')
  assert.match(user.run('loop', 'status').stdout, /^No loops/)
})
