/** What `npm pack` puts into the package: its size, its files, licence notices, manual pages, and the build it names. */
import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, normalize, relative } from 'node:path'
import { after, test } from 'node:test'
import { commands } from '../../../src/cli/command-table.ts'
import { daemonCommands } from '../../../src/cli/table/loopd.ts'
import { version } from '../../../src/model/version.ts'
import { pack } from '../../rig/packed.ts'
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

const made = (() => {
  const into = mkdtempSync(join(tmpdir(), 'loop-pack-'))
  after(() => rmSync(into, { recursive: true }))
  return pack(into)
})()
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

test('the package has a bounded size, brings no other package along and runs nothing at install', t => {
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
  t.diagnostic(
    `package: ${mb(made.size)}, ${made.files.length} files, ${mb(made.unpackedSize)} unpacked, 0 dependencies`,
  )
  assert.ok(made.size <= 6_000_000, mb(made.size))
  assert.ok(made.unpackedSize <= 24_000_000, mb(made.unpackedSize))
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies'])
    assert.equal(manifest[kind], undefined, kind)
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
    assert.equal(manifest.scripts[script], undefined, script)
  assert.equal(manifest.name, 'loopd')
  assert.notEqual(manifest.private, true)
  assert.match(made.filename, new RegExp(`/loopd-${version}\\.tgz$`))
})

test('the package has what a user needs, and nothing else', () => {
  const paths = made.files.map(({ path }) => path)
  const needed = [
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'bin/loop',
    'bin/loopd',
    'bin/threads.sh',
    'dist/build.json',
    'dist/THIRD-PARTY-NOTICES.txt',
    'dist/web/index.html',
    ...['bash', 'fish', 'zsh'].map(shell => `dist/completion.${shell}`),
    ...globSync('{docs/guide,templates,plugins,demo}/**/*', { cwd: root, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => relative(root, join(entry.parentPath, entry.name))),
    ...manifest.man.map((path: string) => normalize(path)),
  ]
  assert.deepEqual(
    needed.filter(path => !paths.includes(path)),
    [],
  )
  const places =
    /^(?:(?:README|CHANGELOG|SECURITY)\.md|LICENSE|package\.json|bin\/\w+(?:\.sh)?|docs\/(?:guide|reference)\/[\w.-]+|(?:demo|plugins|templates)\/.+|dist\/[\w-]+\.(?:cjs|sh|bash|fish|zsh|json|txt)|dist\/man\/loopd?\.1|dist\/web\/.+)$/
  assert.deepEqual(
    paths.filter(path => !places.test(path) || /\.(?:ts|map|tgz)$/.test(path)),
    [],
  )
})

test('no file that was built names a place of the machine that built it', () => {
  const built = made.files
    .map(({ path }) => path)
    .filter(path => /^dist\/.*\.(?:cjs|js|sh|json|1)$/.test(path))
  const naming = built.filter(path => readFileSync(join(root, path), 'utf8').includes(root))
  assert.ok(built.length > 60, `${built.length} files`)
  assert.deepEqual(naming, [])
})

test('the manual pages have every command with its flags, and every line is one that man understands', () => {
  for (const [program, own] of [
    ['loop', commands],
    ['loopd', daemonCommands],
  ] as const) {
    const page = readFileSync(join(root, 'dist', 'man', `${program}.1`), 'utf8')
    for (const { name, flags } of own) {
      assert.match(page, new RegExp(`^\\.SS ${program} ${name.replaceAll('-', '\\\\-')}\\b`, 'm'))
      for (const flag of flags)
        assert.ok(page.includes(`\\-\\-${flag.name.replaceAll('-', '\\-')}`), flag.name)
    }
    const requests = page.split('\n').filter(line => /^[.']/.test(line))
    assert.deepEqual(
      requests.filter(line => !/^\.(?:TH|SH|SS|PP|TP|B|BR|I|nf|fi)\b/.test(line)),
      [],
    )
  }
})

test('--version says the number, the build and the commit', async t => {
  const { build, commit } = JSON.parse(readFileSync(join(root, 'dist', 'build.json'), 'utf8'))
  const rig = makeRig(t)
  for (const { code, stdout } of [await rig.loop(['--version']), await rig.loopd(['-V'])]) {
    assert.equal(code, 0)
    assert.equal(stdout, `${version} (build ${build}, commit ${commit})\n`)
  }
  assert.match(build, /^[0-9a-f]{8}$/)
  assert.match(commit, /^[0-9a-f]{8}(?: with changes)?$/)
})
