/** Configuration files: their content, the message for each mistake, and how one key is changed. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as fc from 'fast-check'
import { spelledOut } from '../../../../src/core/text/plain-text.ts'
import type { Result } from '../../../../src/model/failure.ts'
import { editConfig } from '../../../../src/options/config/edit.ts'
import { type ConfigPlace, readConfigFile } from '../../../../src/options/config/file.ts'
import { type ConfigEntry, layerOf, parseConfig } from '../../../../src/options/config/parse.ts'
import { recordTrust, trustOf } from '../../../../src/options/config/trust.ts'
import { pathsFrom } from '../../../../src/store/files/paths.ts'
import { cpuMs } from '../../../rig/cpu.ts'
import { tempDir } from '../../../rig/given.ts'
import { asSaid, wordsOf } from '../../../rig/said.ts'

function parsed(text: string | Buffer, of: ConfigPlace['of'] = 'user'): Result<ConfigEntry[]> {
  return parseConfig({ path: '/c.yaml', of, bytes: Buffer.from(text) })
}

function refused(result: Result<unknown>, message: string): void {
  assert.deepEqual(asSaid(result), { ok: false, failure: { reason: 'invalid-config', message } })
}

test('keys, values as they are written, and their lines', () => {
  const text = `# mine
max_iterations: 20
budget: 2.50 # a little

agent_cmd: |
  first
  second
timeout: '5m'
"plain": true
`
  const entries = parsed(text)
  assert.ok(entries.ok, JSON.stringify(entries))
  assert.deepEqual(entries.value, [
    { key: 'max_iterations', text: '20', line: 2 },
    { key: 'budget', text: '2.50', line: 3 },
    { key: 'agent_cmd', text: 'first\nsecond\n', line: 5 },
    { key: 'timeout', text: '5m', line: 8 },
    { key: 'plain', text: 'true', line: 9 },
  ])
  const layer = layerOf({ path: '/c.yaml', of: 'user' }, entries.value)
  const found = { text: '20', from: '/c.yaml:2', subject: '/c.yaml:2: max_iterations' }
  assert.deepEqual(layer({ name: 'max-iterations', help: '' }), found)
  assert.equal(layer({ name: 'agent', help: '' }), null)
})

test('an empty file, and one of comments alone, set nothing', () => {
  for (const text of ['', '\n', '# nothing\n', '---\n', '{}', '\uFEFF# marked\n'])
    assert.deepEqual(parsed(text), { ok: true, value: [] }, JSON.stringify(text))
})

const way = 'Expected are lines like "timeout: 10m"; the keys there are: loop config --help'

test('each mistake is said with its place, what was expected, and what to do', () => {
  const rows: [string | Buffer, string][] = [
    ['timeout: soon', '/c.yaml:1:1: timeout is a time like 90s, 5m or 1h30m; not "soon".'],
    [
      '\n  max_iterations: 0',
      '/c.yaml:2:3: max_iterations is a whole number of at least 1, or unlimited; not "0".',
    ],
    ['budget: 1e3', '/c.yaml:1:1: budget is an amount in dollars like 25 or 2.50, or none; not "1e3".'],
    ['plain: yes', '/c.yaml:1:1: plain is true or false; not "yes".'],
    ['checkpoint: zfs', '/c.yaml:1:1: checkpoint is auto, btrfs, git or none; not "zfs".'],
    ['agent_cmd: "a\\0b"', '/c.yaml:1:1: agent_cmd is a text, not empty; not "a\\u{0}b".'],
    ['timeout: 5m\ntimeuot: 5m', '/c.yaml:2:1: There is no key timeuot. Did you mean timeout?'],
    ['max-iterations: 5', '/c.yaml:1:1: There is no key max-iterations. Did you mean max_iterations?'],
    ['colours: many', '/c.yaml:1:1: There is no key colours. The keys there are: loop config --help'],
    ['__proto__: 1', '/c.yaml:1:1: There is no key __proto__. The keys there are: loop config --help'],
    ['fleet: x', '/c.yaml:1:1: The key fleet is not available in this version of loop yet.'],
    [
      'timeout: 5m\nplain: true\ntimeout: 6m',
      '/c.yaml:3: timeout is set twice, first in line 1. Remove one of them.',
    ],
    ['timeout:', `/c.yaml:1:1: timeout has no value; give it one plain value. ${way}`],
    ['timeout: [5m]', `/c.yaml:1:1: timeout has a list; give it one plain value. ${way}`],
    ['timeout:\n  agent: 5m', `/c.yaml:1:1: timeout has keys below it; give it one plain value. ${way}`],
    [
      'agent: &a custom\nagent_cmd: *a',
      `/c.yaml:2:1: agent_cmd has an alias; give it one plain value. ${way}`,
    ],
    ['- timeout', `/c.yaml:1:1: this is not a list of keys and values. ${way}`],
    ['timeout 5m', `/c.yaml:1:1: this is not a list of keys and values. ${way}`],
    ['1: 2', `/c.yaml:1:1: this is not the name of a key. ${way}`],
    [
      'plain: true\nagent_cmd: "x',
      `/c.yaml:2:14: this is not YAML that loop can read (Missing closing "quote). ${way}`,
    ],
    [
      'agent: b: c',
      `/c.yaml:1:8: this is not YAML that loop can read (Nested mappings are not allowed in compact mappings). ${way}`,
    ],
    ['agent: !x y', `/c.yaml:1:8: this is not YAML that loop can read (Unresolved tag: !x). ${way}`],
    ['plain: true\nagent: \0', `/c.yaml:2: there is a NUL byte, so this is not text. ${way}`],
    [Buffer.from([0x61, 0xff]), `/c.yaml: this is not UTF-8 text. ${way}`],
  ]
  for (const [text, message] of rows) refused(parsed(text), message)
})

test('what belongs to the user is refused in the file of a project', () => {
  assert.ok(parsed('web_ui_port: 80').ok)
  assert.ok(parsed('timeout: 5m', 'project').ok)
  refused(
    parsed('web_ui_port: 80', 'project'),
    `/c.yaml:1:1: web_ui_port is not a project's to set. Remove it here; for yourself: loop config set web_ui_port <value>`,
  )
})

test('nothing of a file steers the terminal', () => {
  assert.equal(spelledOut('a\n\u001B[2J\u202Eb\u009B'), String.raw`a\n\u{1b}[2J\u{202e}b\u{9b}`)
  for (const text of ['"\\e[2Jx": 1', 'timeout: "\\e]0;x\\a"', '"\\u202Ex": 1', 'agent: !\u009Bx y']) {
    assert.doesNotMatch(wordsOf(parsed(text)), /[\p{Cc}\p{Cf}]/u)
  }
})

test('aliases that would grow without end are never followed, and deep nesting is refused', () => {
  const laughs = ['a: &a0 [x]']
  for (let i = 1; i < 40; i += 1) laughs.push(`b${i}: &a${i} [${`*a${i - 1},`.repeat(9)}]`)
  for (const text of [
    laughs.join('\n'),
    `timeout: ${'['.repeat(60_000)}`,
    `timeout: ${'{a: '.repeat(15_000)}`,
  ]) {
    const took = cpuMs(() => assert.equal(parsed(text).ok, false))
    assert.ok(took < 5_000, `${took} ms`)
  }
})

function places(t: TestContext) {
  const dir = realpathSync(tempDir(t))
  const paths = pathsFrom({ HOME: dir })
  const user: ConfigPlace = { path: paths.config, of: 'user' }
  const project: ConfigPlace = { path: join(dir, 'tree', '.loop', 'config.yaml'), of: 'project' }
  for (const { path } of [user, project]) mkdirSync(join(path, '..'), { recursive: true })
  return { dir, paths, user, project }
}

test('a file that is no file, too large or a link is refused, not read', t => {
  const { dir, user, project } = places(t)
  const rows: [string, (path: string) => void, string][] = [
    ['user', path => mkdirSync(path), 'is a directory, not a file. Move it away.'],
    ['user', path => execFileSync('mkfifo', [path]), 'is not a regular file. Move it away.'],
    [
      'user',
      path => {
        writeFileSync(path, '')
        truncateSync(path, 100_000_000)
      },
      'has 100 MB, and a configuration has at most 65.5 kB. Make it smaller, or move it away.',
    ],
    ['user', path => symlinkSync('/nowhere', path), 'is a symbolic link to nothing. Mend or remove it.'],
    [
      'project',
      path => symlinkSync('/etc/passwd', path),
      'is a symbolic link, and none is followed here. Remove the link, or put a copy of its target there.',
    ],
  ]
  for (const [of, make, words] of rows) {
    const place = of === 'user' ? user : project
    make(place.path)
    refused(readConfigFile(place), `${place.path} ${words}`)
    rmSync(place.path, { recursive: true })
    assert.deepEqual(readConfigFile(place), { ok: true, value: null })
  }
  const planted = join(dir, 'planted')
  mkdirSync(planted)
  symlinkSync(join(dir, 'tree', '.loop'), join(planted, '.loop'))
  refused(
    readConfigFile({ path: join(planted, '.loop', 'config.yaml'), of: 'project' }),
    `${planted}/.loop is a symbolic link, and none is followed here. Remove the link, or put a copy of its target there.`,
  )
})

test('a change keeps comments, order and the other keys', t => {
  const { paths, user } = places(t)
  const rows: [string, string, string | null, string][] = [
    ['', 'timeout', '15m', 'timeout: 15m\n'],
    ['# mine\n', 'timeout', '15m', '# mine\n\ntimeout: 15m\n'],
    ['{}\n', 'timeout', '15m', 'timeout: 15m\n'],
    ['---\n', 'timeout', '15m', '---\ntimeout: 15m\n'],
    ['timeout: 5m\n', 'max_iterations', '20', 'timeout: 5m\nmax_iterations: 20\n'],
    ['budget: 2.50 # little\nplain: true\n', 'budget', '30', 'budget: 30 # little\nplain: true\n'],
    ['# a\n\n# b\nbudget: 4\ntimeout: 5m # t\n', 'budget', '5', '# a\n\n# b\nbudget: 5\ntimeout: 5m # t\n'],
    ['timeout: 5m\n# why\nplain: true\n', 'plain', null, 'timeout: 5m\n# why\n'],
    ['# why\nagent: custom # x\n# t\nplain: true\n', 'agent', null, '# why\n# t\nplain: true\n'],
    ['# t\nagent: custom\r\nbudget: 5', 'budget', null, '# t\nagent: custom\r\n'],
    ['agent_cmd: |\n  a\n  b\n# t\nplain: true\n', 'agent_cmd', null, '# t\nplain: true\n'],
    ['{ agent: custom, budget: 5 }\n', 'agent', null, '{ budget: 5 }\n'],
    ['timeout: 5m\n', 'timeout', null, ''],
    ['', 'agent_cmd', 'a: b # c', 'agent_cmd: "a: b # c"\n'],
    ['', 'agent_cmd', 'null', 'agent_cmd: "null"\n'],
    ['', 'agent_cmd', `x ${'long '.repeat(40)}y`, `agent_cmd: x ${'long '.repeat(40)}y\n`],
  ]
  for (const [before, key, text, after] of rows) {
    writeFileSync(user.path, before)
    assert.deepEqual(editConfig(paths, user, { key, text }), {
      ok: true,
      value: { changed: true, trusted: true },
    })
    assert.equal(readFileSync(user.path, 'utf8'), after)
    const entries = parsed(readFileSync(user.path))
    assert.equal((entries.ok && entries.value.find(entry => entry.key === key)?.text) || null, text)
    assert.deepEqual(editConfig(paths, user, { key, text }), {
      ok: true,
      value: { changed: false, trusted: true },
    })
  }
})

test('whatever text is set is what is read, and nothing else changes', t => {
  const { paths, user } = places(t)
  const command = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 200 })
    .filter(text => text.trim() !== '' && !text.includes('\0'))
  fc.assert(
    fc.property(command, text => {
      writeFileSync(user.path, '# mine\nplain: true # so\ntimeout: 5m\n')
      assert.ok(editConfig(paths, user, { key: 'agent_cmd', text }).ok)
      const after = readFileSync(user.path, 'utf8')
      assert.ok(after.startsWith('# mine\nplain: true # so\ntimeout: 5m\nagent_cmd:'), after)
      const entries = parsed(after)
      assert.equal(entries.ok && entries.value[2]?.text, text)
    }),
    { numRuns: process.env['LOOP_LONG'] ? 5_000 : 100 },
  )
})

test('a file that is not valid is not touched, nor is one made too large', t => {
  const { paths, user } = places(t)
  writeFileSync(user.path, 'timeuot: 5m\n')
  refused(
    editConfig(paths, user, { key: 'plain', text: 'true' }),
    `${user.path}:1:1: There is no key timeuot. Did you mean timeout?`,
  )
  assert.equal(readFileSync(user.path, 'utf8'), 'timeuot: 5m\n')
  rmSync(user.path)
  const large = editConfig(paths, user, { key: 'agent_cmd', text: 'x'.repeat(70_000) })
  assert.equal(large.ok, false)
  assert.deepEqual(readConfigFile(user), { ok: true, value: null })
})

test('a link of the user stays a link, and modes stay', t => {
  const { dir, paths, user } = places(t)
  const real = join(dir, 'dotfiles.yaml')
  writeFileSync(real, 'timeout: 5m\n', { mode: 0o640 })
  symlinkSync(real, user.path)
  assert.ok(editConfig(paths, user, { key: 'timeout', text: '6m' }).ok)
  assert.equal(readFileSync(real, 'utf8'), 'timeout: 6m\n')
  assert.equal(statSync(real).mode & 0o777, 0o640)
})

test('trust is by path and content; a record that is damaged is none', t => {
  const { paths, project } = places(t)
  const file = (text: string, path = project.path) => ({ ...project, path, bytes: Buffer.from(text) })
  assert.equal(trustOf(paths, file('a')), 'new')
  assert.ok(recordTrust(paths, file('a'), true).ok)
  assert.equal(trustOf(paths, file('a')), 'trusted')
  assert.equal(trustOf(paths, file('b')), 'changed')
  assert.equal(trustOf(paths, file('a', '/elsewhere/.loop/config.yaml')), 'new')
  assert.ok(recordTrust(paths, file('b'), false).ok)
  assert.equal(trustOf(paths, file('b')), 'refused')
  assert.equal(trustOf(paths, file('a')), 'changed', 'the last answer alone counts')
  const [record = ''] = execFileSync('ls', [paths.trust], { encoding: 'utf8' }).split('\n')
  assert.equal(statSync(join(paths.trust, record)).mode & 0o777, 0o600)
  for (const damage of ['', '{', 'null', '[]', '{"path": 1}']) {
    writeFileSync(join(paths.trust, record), damage)
    assert.equal(trustOf(paths, file('b')), 'new', damage)
  }
})

test('config set trusts the file of a project if it was new or trusted', t => {
  const { paths, project } = places(t)
  const trust = () => {
    const file = readConfigFile(project)
    return file.ok && file.value ? trustOf(paths, file.value) : 'none'
  }
  const set = (text: string) => editConfig(paths, project, { key: 'timeout', text })
  assert.deepEqual(set('6m'), { ok: true, value: { changed: true, trusted: true } })
  assert.equal(trust(), 'trusted', 'new')
  set('7m')
  assert.equal(trust(), 'trusted', 'was trusted')
  writeFileSync(project.path, 'timeout: 1s\nagent_cmd: evil\n')
  assert.deepEqual(set('8m'), { ok: true, value: { changed: true, trusted: false } })
  assert.equal(trust(), 'changed')
})
