/** What a run in a sandbox sees of the home directories of its user: the one it has, and the one of its user. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type OwnFiles, sandboxLayers } from '../../../../src/adapters/process/sandbox-layers.ts'
import { secretFiles } from '../../../../src/adapters/process/secret-files.ts'

/** What is hidden of a home directory with these files. */
function hiddenOf(
  t: TestContext,
  names: readonly string[],
  more: (home: string) => { writable?: string[]; own?: OwnFiles },
): string[] {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'loop-test-')))
  t.after(() => rmSync(dir, { recursive: true }))
  const home = join(dir, 'home')
  const tree = join(dir, 'tree')
  mkdirSync(tree)
  for (const name of names) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), '')
  }
  const { writable = [], own = null } = more(home)
  const data = join(dir, 'data')
  const layers = sandboxLayers({
    tree,
    onDisk: tree,
    env: { HOME: home },
    home,
    data,
    writable,
    own,
    files: [],
  })
  assert.ok(layers.ok)
  const hidden = layers.value.filter(({ as }) => as === 'hidden').map(({ at }) => at)
  return names.filter(name => hidden.includes(join(home, name)))
}

const signIns = ['.claude/.credentials.json', '.codex/auth.json']

test('the sign-in of an agent is shown to that agent, and to no other', t => {
  assert.deepEqual(
    hiddenOf(t, signIns, () => ({})),
    signIns,
  )
  const claude = (home: string) => ({ own: { directories: [join(home, '.claude')] } })
  assert.deepEqual(hiddenOf(t, signIns, claude), ['.codex/auth.json'])
})

test('a permitted directory of an agent shows its sign-in; one of a package manager no password', t => {
  const names = [...signIns, '.cargo/credentials.toml']
  const dirs = (home: string) => ({ writable: ['.codex', '.cargo'].map(name => join(home, name)) })
  assert.deepEqual(hiddenOf(t, names, dirs), ['.claude/.credentials.json', '.cargo/credentials.toml'])
  const whole = (home: string) => ({ writable: [home] })
  assert.deepEqual(hiddenOf(t, names, whole), names)
})

test('files of programs that nobody knows are hidden if their name tells; others are not', t => {
  const telling = [
    '.acme-token',
    '.acme_history',
    '.secrets',
    '.config/acme/auth.json',
    '.config/x/tokens.db',
    '.acme/access-token',
    '.acme/api_key',
    '.local/share/acme/auth.toml',
    '.local/state/acme/history',
    '.deploy/id_ed25519',
    '.env',
    'server.pem',
    'id_rsa',
    // What editors and people leave beside them.
    '.npmrc~',
    '.netrc.bak',
    '.git-credentials.orig.2',
    '.pgpass.swp',
    '.acme/api_key.old',
  ]
  const plain = [
    '.bashrc',
    '.tokenizer.py',
    'token',
    'work/.token',
    'work/server.pem',
    '.config/acme/settings.json',
    '.config/auth/x',
    '.acme/keybindings.json',
    '.local/share/token/x/auth.json',
    '.env.d/x',
    '.npmrc.d/x',
    '.profile.bak',
  ]
  assert.deepEqual(
    hiddenOf(t, [...telling, ...plain], () => ({})),
    telling,
  )
})

test('a base directory that has been moved is searched by the same rule', t => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'loop-test-')))
  t.after(() => rmSync(dir, { recursive: true }))
  const env = { XDG_CONFIG_HOME: join(dir, 'settings'), XDG_DATA_HOME: join(dir, 'kept') }
  const files = [join(dir, 'settings/acme/token'), join(dir, 'kept/acme/auth.json')]
  for (const file of files) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
  }
  const found = secretFiles(env, join(dir, 'home')).map(({ path }) => path)
  assert.deepEqual(
    files.filter(file => found.includes(file)),
    files,
  )
})

test('what a link in a directory of keys leads to is hidden, also one directory further down', t => {
  const names = ['.gnupg/x', 'vault/one', 'vault/two', 'vault/other']
  const linked = (home: string) => {
    mkdirSync(join(home, '.gnupg/private-keys-v1.d'))
    symlinkSync(join(home, 'vault/one'), join(home, '.gnupg/one'))
    symlinkSync('../../vault/two', join(home, '.gnupg/private-keys-v1.d/two'))
    return {}
  }
  assert.deepEqual(hiddenOf(t, names, linked), ['vault/one', 'vault/two'])
})

test('a run with a home directory of its own does not see the secrets in that of its user', t => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'loop-test-')))
  t.after(() => rmSync(dir, { recursive: true }))
  const [home, fresh, tree] = ['user', 'fresh', 'tree'].map(name => join(dir, name)) as [
    string,
    string,
    string,
  ]
  for (const at of [join(home, '.ssh'), fresh, tree]) mkdirSync(at, { recursive: true })
  writeFileSync(join(home, '.netrc'), 'a password')
  const layers = sandboxLayers({
    tree,
    onDisk: tree,
    env: { HOME: fresh },
    home,
    data: join(dir, 'data'),
    writable: [],
    own: null,
    files: [],
  })
  assert.ok(layers.ok)
  const hidden = layers.value.filter(({ as }) => as === 'hidden').map(({ at }) => at)
  for (const name of ['.ssh', '.netrc']) assert.ok(hidden.includes(join(home, name)), name)
})
