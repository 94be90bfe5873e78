/**
 * Loops of several projects: the one that a person means, and the order in lists. There are two work trees: commands
 * are typed in `tree`, and `aside/other` has the newest loop of all.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { loopProgram, makeRig, startArgs } from '../../rig/rig.ts'

async function twoProjects(t: TestContext) {
  const rig = makeRig(t)
  const other = join(rig.aside, 'other')
  const below = join(rig.tree, 'web', 'src')
  for (const dir of [other, below]) mkdirSync(dir, { recursive: true })
  rig.write('cart.js', 'before\n')
  await rig.loop(startArgs('echo mine >> cart.js', 'false', '-n', '1', '--plain'))
  const [mine = ''] = rig.loops()
  await rig.loop(
    ['start', 'mend the\tother  thing', ...startArgs('echo theirs >> shop.js', 'false', '-n', '1').slice(2)],
    {
      cwd: other,
    },
  )
  const theirs = rig.loops().find(id => id !== mine) ?? ''
  return { rig, other, below, mine, theirs }
}

const idOf = (text: string) => JSON.parse(text).id

test('@last is the newest loop of this directory or the nearest above; reading may take another', async t => {
  const { rig, other, below, mine, theirs } = await twoProjects(t)
  for (const cwd of [rig.tree, below])
    assert.equal(idOf((await rig.loop(['status', '@last', '--json'], { cwd })).stdout), mine)
  assert.equal(idOf((await rig.loop(['status', '@last', '--json'], { cwd: other })).stdout), theirs)
  const elsewhere = await rig.loop(['logs', '@last'], { cwd: rig.env['HOME'] ?? '' })
  assert.equal(elsewhere.code, 0)
  assert.equal(elsewhere.stderr, `loop: Loop ${theirs} works in another directory: ${other}\n`)
})

test('a command that acts refuses @last where this directory has no loop, and touches nothing', async t => {
  const { rig, other, theirs } = await twoProjects(t)
  const home = rig.env['HOME'] ?? ''
  const acts = [
    ['rollback', '@last', 'initial'],
    ['cancel', '@last'],
    ['pause', '@last'],
    ['resume', '@last'],
  ]
  for (const args of [
    ...acts,
    ['inject', '@last', 'hello'],
    ['checkpoint', '@last'],
    ['answer', '@last', 'yes'],
  ]) {
    const refused = await rig.loop(args, { cwd: home })
    assert.equal(refused.code, 4, args.join(' '))
    assert.equal(
      refused.stderr,
      `loop: No loop was started in this directory or in one above it. The newest of all is ${theirs}, in ${other}: name it by its id.\n`,
    )
  }
  assert.ok(existsSync(join(other, 'shop.js')))
})

test('a command that acts on a loop of another directory names that directory', async t => {
  const { rig, other, mine, theirs } = await twoProjects(t)
  const named = `loop: Loop ${theirs} works in another directory: ${other}\n`
  const diff = await rig.loop(['diff', theirs])
  assert.ok(diff.stderr.startsWith(named))
  assert.match(diff.stdout, /^\+theirs$/m)
  const dry = await rig.loop(['rollback', theirs, 'initial', '--dry-run'])
  assert.ok(dry.stderr.startsWith(named), dry.stderr)
  const rolled = await rig.loop(['rollback', theirs, 'initial'])
  assert.deepEqual([rolled.code, rolled.stderr], [0, named])
  assert.ok(!existsSync(join(other, 'shop.js')))
  for (const args of [
    ['inject', theirs, 'hello'],
    ['checkpoint', theirs],
    ['pause', theirs],
    ['cancel', theirs],
  ])
    assert.ok((await rig.loop(args)).stderr.startsWith(named), args.join(' '))
  const json = await rig.loop(['rollback', theirs, '--undo', '--json'])
  assert.deepEqual(JSON.parse(json.stderr), {
    notice: { message: `Loop ${theirs} works in another directory: ${other}` },
  })
  const own = await rig.loop(['rollback', mine, 'initial'])
  assert.deepEqual([own.code, own.stderr], [0, ''])
})

test('status and list show directory, age and prompt, and this directory first', async t => {
  const { rig, other, mine, theirs } = await twoProjects(t)
  for (const command of ['status', 'list']) {
    const [head = '', first = '', second = ''] = (await rig.loop([command])).stdout.split('\n')
    assert.match(head, /^LOOP-ID +STATUS +ITER +PROMISE +AGENT +ELAPSED +COST +DIRECTORY +AGE +PROMPT$/)
    assert.match(first, new RegExp(`^${mine} .* –  +\\. +\\d+s +do the work$`), command)
    assert.match(second, new RegExp(`^${theirs} .* –  +\\S*/aside/other +\\d+s +mend the other {2}thing$`))
    const [newest] = (await rig.loop([command], { cwd: other })).stdout.split('\n').slice(1)
    assert.match(newest ?? '', new RegExp(`^${theirs} `))
  }
  const rows = JSON.parse((await rig.loop(['status', '--json'])).stdout)
  assert.deepEqual(
    rows.map(({ id, cwd, prompt }: Record<string, string>) => [id, cwd, prompt]),
    [
      [mine, rig.tree, 'do the work'],
      [theirs, other, 'mend the\tother  thing'],
    ],
  )
  assert.ok(rows.every(({ createdAt }: { createdAt: number }) => Math.abs(Date.now() - createdAt) < 600_000))
})

test('the table of a narrow terminal drops prompt, age, directory and cost, and no line wraps', async t => {
  const { rig, mine, theirs } = await twoProjects(t)
  const at = async (columns: number) => {
    const { stdout } = await rig.loop(['-qec', `stty cols ${columns}; ${loopProgram} status`, '/dev/null'], {
      program: 'script',
      env: { TERM: 'xterm', SHELL: '/bin/sh' },
    })
    return stdout.replaceAll('\r', '').trimEnd().split('\n')
  }
  for (const columns of [70, 80, 90, 100, 120, 160]) {
    const lines = await at(columns)
    assert.ok(lines[1]?.startsWith(mine) && lines[2]?.startsWith(theirs), lines.join('\n'))
    assert.match(lines[0] ?? '', /^LOOP-ID +STATUS +ITER +PROMISE +AGENT +ELAPSED/)
    for (const line of lines) assert.ok(line.length <= columns, `${columns}: ${line}`)
  }
  assert.match((await at(160))[0] ?? '', /COST +DIRECTORY +AGE +PROMPT$/)
  assert.match((await at(50))[0] ?? '', /ELAPSED$/)
})

test('list takes dates, days, several statuses, and refuses unknown ones', async t => {
  const { rig, mine, theirs } = await twoProjects(t)
  const ids = async (...flags: string[]) =>
    JSON.parse((await rig.loop(['list', '--json', ...flags])).stdout).map(({ id }: { id: string }) => id)
  for (const since of ['today', 'yesterday', '2020-01-31', '2020-01-31T22:00', '2h'])
    assert.deepEqual(await ids('--since', since), [mine, theirs], since)
  assert.deepEqual(await ids('--since', '2999-01-01'), [])
  assert.deepEqual(await ids('--status', 'failed,completed'), [mine, theirs])
  assert.deepEqual(await ids('--status', 'completed', '--status', 'queued'), [])
  const wrong: [string[], RegExp][] = [
    [
      ['--since', '2026-02-30'],
      /^loop: --since is a time like 12h or 7d, a date like .*; not "2026-02-30"\.$/m,
    ],
    [['--status', 'failed,bogus'], /^loop: --status is one of queued, .*; not "bogus"\.$/m],
    [['--agent', 'bogus'], /bogus/],
    [['--agent', 'claud'], /claude/],
  ]
  for (const [flags, message] of wrong) {
    const refused = await rig.loop(['list', ...flags])
    assert.equal(refused.code, 4, flags.join(' '))
    assert.match(refused.stderr, message)
  }
})

test('a secret in a prompt is in no list and no report, also where the table cuts it in two', async t => {
  const rig = makeRig(t)
  const env = { SHOP_TOKEN: 'correct-horse-battery-staple' }
  const prompts = [`use ${env.SHOP_TOKEN} to log in`, `${'word '.repeat(18)}${env.SHOP_TOKEN} to log in`]
  for (const prompt of prompts)
    await rig.loop(['start', prompt, ...startArgs('true', 'true').slice(2)], { env })
  for (const args of [['status'], ['list'], ['status', '--json'], ['report'], ['report', '--json']]) {
    const { stdout } = await rig.loop(args, { env })
    assert.ok(!stdout.includes('correct'), `${args.join(' ')}: ${stdout}`)
    assert.match(stdout, /use \[redacted:\$SHOP_TOKEN\] to log in/)
  }
})
