/** `loop config`, and how `loop start` reads the configuration files: through the real program. */
import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { makeRig, type Rig, root, startArgs } from '../../rig/rig.ts'

/** Without the capabilities by which root ignores the permissions of files. */
const unprivileged =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--'] : []

type Place = Rig & { user: string; project: string; put(path: string, text: string): void }

function place(t: TestContext): Place {
  const rig = makeRig(t)
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return { ...rig, put, user: rig.paths.config, project: join(rig.tree, '.loop', 'config.yaml') }
}

const dry = [...startArgs('true', 'true'), '--dry-run', '--json']

async function iterations(rig: Rig, more: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const ended = await rig.loop([...dry, ...more], { env })
  assert.equal(ended.code, 0, ended.stderr)
  return JSON.parse(ended.stdout).maxIterations
}

test('a flag goes before a variable, that before the project, the user and the default', async t => {
  const rig = place(t)
  assert.equal(await iterations(rig), 10)
  rig.put(rig.user, 'max_iterations: 6\n')
  assert.equal(await iterations(rig), 6)
  rig.put(rig.project, 'max_iterations: 5\n')
  assert.equal(await iterations(rig, ['--trust']), 5)
  const env = { LOOP_MAX_ITER: '4' }
  assert.equal(await iterations(rig, [], env), 4)
  assert.equal(await iterations(rig, ['-n', '3'], env), 3)
  const shown = await rig.loop([...startArgs('true', 'true'), '--dry-run', '-n', '3'], {
    env: { LOOP_TIMEOUT: '9m' },
  })
  assert.match(shown.stdout, /^Not the defaults:\n {2}max_iterations {3}3 +--max-iterations\n/m)
  assert.match(shown.stdout, /^ {2}timeout +9m +\$LOOP_TIMEOUT$/m)
})

test('a bad value is said with the variable or the line that holds it', async t => {
  const rig = place(t)
  const number = 'is a whole number of at least 1, or unlimited; not "many".'
  const variable = await rig.loop(dry, { env: { LOOP_MAX_ITER: 'many' } })
  assert.deepEqual(JSON.parse(variable.stderr), {
    error: {
      reason: 'invalid-arguments',
      message: `LOOP_MAX_ITER ${number}`,
      facts: {
        kind: 'unfit-value',
        subject: 'LOOP_MAX_ITER',
        expected: 'a whole number of at least 1, or unlimited',
        near: null,
        text: 'many',
      },
    },
  })
  rig.put(rig.user, '# mine\n\nmax_iterations: many\n')
  const file = await rig.loop(startArgs('true', 'true'))
  assert.deepEqual([file.code, file.stderr], [4, `loop: ${rig.user}:3:1: max_iterations ${number}\n`])
  rig.put(rig.user, 'agent: custm\n')
  const agent = await rig.loop(['start', 'x', '-p', 'true'])
  assert.deepEqual(
    [agent.code, agent.stderr],
    [4, `loop: There is no agent custm (${rig.user}:1). Did you mean custom?\n`],
  )
})

test('set, get, list, unset and path agree', async t => {
  const rig = place(t)
  const say = async (...args: string[]) => {
    const ended = await rig.loop(['config', ...args])
    assert.deepEqual([ended.code, ended.stderr], [0, ''], args.join(' '))
    return ended.stdout
  }
  assert.equal(await say('set', 'timeout', '15m'), `timeout is now 15m in ${rig.user}\n`)
  assert.equal(await say('set', 'plain', 'true', '--project'), `plain is now true in ${rig.project}\n`)
  assert.equal(readFileSync(rig.user, 'utf8'), 'timeout: 15m\n')
  assert.equal(statSync(rig.user).mode & 0o777, 0o600)
  assert.equal(statSync(dirname(rig.user)).mode & 0o777, 0o700)
  assert.equal(await say('get', 'timeout'), '15m\n')
  assert.deepEqual(JSON.parse(await say('get', 'plain', '--json')), {
    key: 'plain',
    value: 'true',
    source: `${rig.project}:1`,
  })
  const table = await say('list')
  assert.match(table, /^KEY +VALUE +FROM +WHAT IT IS\n/)
  const end = `${rig.user}:1`.slice(-25)
  assert.ok(table.includes(`   …${end}   the time limit of one agent run:`), table)
  assert.match(table, /^budget +25 +default +pause when/m)
  const rows: { key: string; value: string | null; source: string; help: string }[] = JSON.parse(
    await say('list', '--json'),
  )
  assert.deepEqual(
    rows.find(({ key }) => key === 'web_ui_port'),
    {
      key: 'web_ui_port',
      value: '7777',
      source: 'default',
      help: 'the port of the web page, on this machine only',
    },
  )
  assert.match(await say('path'), new RegExp(`^user +${rig.user} +used\nproject +${rig.project} +trusted\n$`))
  assert.equal(await say('unset', 'timeout'), `timeout is no longer set in ${rig.user}\n`)
  assert.equal(await say('unset', 'timeout'), `timeout is not set in ${rig.user}\n`)
  assert.equal(await say('get', 'timeout'), '5m\n')
})

test('loop config and loopd config without a verb print the list, with the whole help of each key', async t => {
  const rig = place(t)
  await rig.loop(['config', 'set', 'notification_cmd', `notify-send ${'with a long title '.repeat(9)}`])
  const list = await rig.loop(['config', 'list'])
  assert.deepEqual(await rig.loop(['config']), list)
  assert.deepEqual(await rig.loopd(['config']), list)
  const lines = list.stdout.trimEnd().split('\n')
  for (const line of lines) assert.ok(line.length <= 100, `${line.length}: ${line}`)
  const column = lines[0]?.indexOf('WHAT IT IS') ?? 0
  const told = lines.map(line => line.slice(column)).join(' ')
  const rows: { key: string; help: string }[] = JSON.parse((await rig.loop(['config', '--json'])).stdout)
  for (const { key, help } of rows) assert.ok(told.includes(help), `${key}: ${help}`)
})

test('an unknown key, value or form is refused with exit 4, and nothing is written', async t => {
  const rig = place(t)
  const rows: [string[], string][] = [
    [['lst'], 'loop config has no lst. Did you mean: loop config list'],
    [['set', 'timeuot', '5m'], 'There is no key timeuot. Did you mean timeout?'],
    [['get', 'colour'], 'There is no key colour. The keys there are: loop config --help'],
    [['unset', 'colour'], 'There is no key colour. The keys there are: loop config --help'],
    [['set', 'timeout', 'soon'], 'timeout is a time like 90s, 5m or 1h30m; not "soon".'],
    [['set', 'web_ui_port', '0'], 'web_ui_port is a port from 1 to 65535; not "0".'],
    [['set', 'agent', 'custm'], 'There is no agent custm. Did you mean custom?'],
    [
      ['set', 'web_ui_port', '80', '--project'],
      `web_ui_port is not a project's to set. For yourself: loop config set web_ui_port <value>`,
    ],
    [
      ['set', 'agent_cmd', 'my', 'agent'],
      'There are too few or too many arguments. The form is: loop config set <key> <value> (a value in quotes)',
    ],
    [['list', '--project'], '--project goes with set and unset; loop config list has no use for it.'],
    [['trust'], `There is no ${rig.project}.`],
  ]
  for (const [args, message] of rows) {
    const ended = await rig.loop(['config', ...args])
    assert.deepEqual([ended.code, ended.stderr, ended.stdout], [4, `loop: ${message}\n`, ''], args.join(' '))
  }
  assert.equal(existsSync(rig.user), false)
  assert.equal(existsSync(dirname(rig.project)), false)
})

test('a variable that overrides a set value is named', async t => {
  const rig = place(t)
  const ended = await rig.loop(['config', 'set', 'timeout', '15m'], { env: { LOOP_TIMEOUT: '9m' } })
  assert.deepEqual([ended.code, ended.stderr], [0, 'loop: $LOOP_TIMEOUT is set to 9m and goes before it.\n'])
})

test('a file that is spoiled stops start and config with its place, and no other command', async t => {
  const rig = place(t)
  await rig.loop(startArgs('true', 'true'))
  const spoil: [string, () => void][] = [
    [
      `${rig.user}:2:4: this is not YAML that loop can read`,
      () => rig.put(rig.user, 'plain: true\na: b: [\n'),
    ],
    [`${rig.user}:1: there is a NUL byte`, () => rig.put(rig.user, '\0')],
    [
      `${rig.user} has 100 MB, and a configuration has at most 65.5 kB.`,
      () => truncateSync(rig.user, 100_000_000),
    ],
    [
      `${rig.user} is a directory, not a file. Move it away.`,
      () => {
        rmSync(rig.user)
        mkdirSync(rig.user)
      },
    ],
  ]
  for (const [message, make] of spoil) {
    make()
    for (const args of [
      startArgs('true', 'true'),
      ['config', 'list'],
      ['config', 'get', 'timeout'],
      ['config', 'set', 'plain', 'false'],
    ]) {
      const ended = await rig.loop(args)
      assert.equal(ended.code, 4, args.join(' '))
      assert.ok(ended.stderr.startsWith(`loop: ${message}`), ended.stderr)
    }
    const path = await rig.loop(['config', 'path'])
    assert.equal(path.code, 0)
    assert.match(path.stdout, /^user +\S+ +invalid +/)
    assert.ok(path.stdout.includes(message), path.stdout)
    for (const args of [
      ['status'],
      ['status', '@last'],
      ['list'],
      ['history', '@last'],
      ['--help'],
      ['config', '--help'],
    ]) {
      const ended = await rig.loop(args)
      assert.deepEqual([ended.code, ended.stderr], [0, ''], args.join(' '))
    }
    assert.match((await rig.loop(['pause', '@last'])).stderr, /cannot be paused/)
    assert.match((await rig.loop(['cancel', '@last'])).stderr, /cannot be cancelled/)
  }
})

test('a file that may not be read is said so', async t => {
  const rig = place(t)
  rig.put(rig.user, 'timeout: 5m\n')
  chmodSync(rig.user, 0)
  const ended = await rig.spawn(['config', 'list'], { wrap: unprivileged }).ended
  assert.equal(ended.code, 4)
  assert.equal(
    ended.stderr,
    `loop: ${rig.user} cannot be read (EACCES: permission denied, open '${rig.user}'). Mend its permissions.\n`,
  )
})

test('a configuration directory that may not be written is left as it is', async t => {
  const rig = place(t)
  rig.put(rig.user, 'timeout: 5m\n')
  chmodSync(dirname(rig.user), 0o500)
  const ended = await rig.spawn(['config', 'set', 'plain', 'true'], { wrap: unprivileged }).ended
  assert.equal(ended.code, 3)
  assert.match(
    ended.stderr,
    /config\.yaml cannot be written \(EACCES: .*\)\. Check its directory; nothing was changed\.\n$/,
  )
  assert.equal(readFileSync(rig.user, 'utf8'), 'timeout: 5m\n')
})

test('a link in place of .loop does not lead the configuration of a project out of the tree', async t => {
  const rig = place(t)
  symlinkSync(rig.aside, join(rig.tree, '.loop'))
  const { stderr } = await rig.loop(['config', 'set', '--project', 'max_iterations', '3'])
  assert.match(stderr, /\.loop is a symbolic link, and none is followed here/)
  assert.deepEqual(readdirSync(rig.aside), [])
})

test('many concurrent `config set` all keep their key in the file', async t => {
  const rig = place(t)
  const keys = [
    'max_iterations',
    'max_concurrent_loops',
    'web_ui_port',
    'budget',
    'timeout',
    'verify_timeout',
  ]
  const ended = await Promise.all(keys.map((key, i) => rig.loop(['config', 'set', key, String(i + 1)])))
  assert.deepEqual(
    ended.map(({ code }) => code),
    keys.map(() => 0),
  )
  const lines = readFileSync(rig.user, 'utf8').trim().split('\n').toSorted()
  assert.deepEqual(lines, keys.map((key, i) => `${key}: ${i + 1}`).toSorted())
})

test('without HOME the files are where the system says that the user lives', async t => {
  const rig = place(t)
  const ended = await rig.loop(['config', 'path', '--json'], { env: { HOME: undefined } })
  assert.equal(ended.code, 0, ended.stderr)
  assert.equal(
    JSON.parse(ended.stdout)[0].path,
    join(userInfo().homedir, '.config/daedalos/loop/config.yaml'),
  )
  const xdg = await rig.loop(['config', 'path', '--json'], { env: { XDG_CONFIG_HOME: rig.aside } })
  assert.equal(JSON.parse(xdg.stdout)[0].path, join(rig.aside, 'daedalos/loop/config.yaml'))
})

test('commands that need no configuration load no YAML', () => {
  const yaml = /YAMLParseError|require\("\.\/yaml\.cjs"\)/
  for (const name of ['loop', 'main', 'status', 'list', 'logs', 'pause', 'cancel', 'start']) {
    assert.doesNotMatch(readFileSync(join(root, 'dist', `${name}.cjs`), 'utf8'), yaml, name)
  }
  assert.match(readFileSync(join(root, 'dist', 'layers.cjs'), 'utf8'), yaml)
})
