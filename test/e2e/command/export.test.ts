/** `loop export`: everything about a loop in one archive that any tar reads, the same each time, without secrets. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Manifest } from '../../../src/cli/archive.ts'
import { loopProgram, makeRig, type Rig, startArgs } from '../../rig/rig.ts'

const github = `${'ghp'}_aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cFaB3d`
const agent = `echo "said in $LOOP_ITERATION"; echo "line $LOOP_ITERATION ${github}" >> work; echo oops >&2`
const promise = 'cat work; test "$(wc -l < work)" -ge 2'

/** Unpacks an archive; returns its files by path, relative to the directory of the loop. */
function unpack(rig: Rig, archive: string): Map<string, string> {
  const dir = join(rig.aside, 'unpacked')
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir)
  const { status, stderr } = spawnSync('tar', ['-xzf', archive, '-C', dir], { encoding: 'utf8' })
  assert.deepEqual([status, stderr], [0, ''])
  const [root = ''] = readdirSync(dir)
  const files = readdirSync(join(dir, root), { recursive: true, withFileTypes: true }).filter(f => f.isFile())
  return new Map(
    files.map(file => {
      const path = join(file.parentPath, file.name)
      return [path.slice(join(dir, root).length + 1), readFileSync(path, 'latin1')]
    }),
  )
}

function manifestOf(files: Map<string, string>): Manifest {
  return JSON.parse(files.get('manifest.json') ?? '')
}

test('journal, views, prompts, outputs and diffs are in the archive, and the manifest is right', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(agent, promise))
  const [id = ''] = rig.loops()
  const ended = await rig.loop(['export', '@last'])
  const file = join(rig.tree, `loop-${id}.tar.gz`)
  assert.deepEqual([ended.code, ended.stderr], [0, ''])
  assert.match(
    ended.stdout,
    new RegExp(`^Loop ${id} is exported to ${file} \\(\\d+ files, [\\d.]+ kB\\)\\.\n`),
  )
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const files = unpack(rig, file)
  const runs = ['1', '2'].flatMap(n => ['prompt', 'out', 'err'].map(name => `runs/${n}/${name}`))
  const verified = ['0-0', '1-0', '2-0'].map(n => `verify/${n}/out`)
  const views = ['journal.ndjson', 'summary.json', 'log.txt', 'history.txt', 'receipt.txt', 'manifest.json']
  const diffs = ['diffs/iter-001.patch', 'diffs/iter-002.patch']
  assert.deepEqual([...files.keys()].sort(), [...runs, ...verified, ...views, ...diffs].sort())
  assert.equal(files.get('runs/2/out'), 'said in 2\n')
  assert.match(files.get('diffs/iter-002.patch') ?? '', /^\+line 2 \[redacted:github\]$/m)
  assert.match(files.get('log.txt') ?? '', /^\[LOOP\] Iteration 2\/10 /m)
  assert.match(files.get('receipt.txt') ?? '', /^<loop-complete>$/m)
  assert.equal(JSON.parse(files.get('summary.json') ?? '').status, 'completed')
  const events = (files.get('journal.ndjson') ?? '')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  assert.deepEqual(
    events.map(({ seq, kind }) => [seq, kind]),
    rig.events(id).map(({ seq, kind }) => [seq, kind]),
  )
  for (const [path, content] of files) assert.equal(content.includes(github), false, path)
  for (const { path, bytes, sha256 } of manifestOf(files).entries) {
    const content = Buffer.from(files.get(path) ?? '', 'latin1')
    assert.deepEqual(
      [content.length, createHash('sha256').update(content).digest('hex')],
      [bytes, sha256],
      path,
    )
  }
  assert.deepEqual(manifestOf(files).leftOut, [])
  assert.equal(manifestOf(files).entries.length, files.size - 1)
})

test('the same loop gives the same bytes, to a file and to a pipe; a file that is there is not touched', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(agent, promise))
  const [id = ''] = rig.loops()
  const [one, two] = ['one.tar.gz', 'two.tar.gz'].map(name => join(rig.aside, name))
  assert.equal((await rig.loop(['export', id, '-o', one ?? ''])).code, 0)
  const json = JSON.parse((await rig.loop(['export', id, '-o', two ?? '', '--json'])).stdout)
  assert.deepEqual([json.id, json.file, json.leftOut, json.damagedEvents], [id, two, [], []])
  const bytes = readFileSync(one ?? '')
  assert.deepEqual(readFileSync(two ?? ''), bytes)
  const piped = spawnSync(loopProgram, ['export', id, '-o', '-'], { env: rig.env, cwd: rig.tree })
  assert.deepEqual(piped.stdout, bytes)
  writeFileSync(two ?? '', 'mine')
  const refused = await rig.loop(['export', id, '-o', two ?? ''])
  assert.deepEqual(
    [refused.code, refused.stderr],
    [4, `loop: ${two} is there already. Give another name with -o, or --force.\n`],
  )
  assert.equal(readFileSync(two ?? '', 'utf8'), 'mine')
  assert.equal((await rig.loop(['export', id, '-o', two ?? '', '--force'])).code, 0)
  assert.deepEqual(readFileSync(two ?? ''), bytes)
  assert.deepEqual(readdirSync(rig.aside).sort(), ['one.tar.gz', 'two.tar.gz'], 'nothing else is left there')
  for (const args of [
    ['-o', '-', '--json'],
    ['-o', join(rig.aside, 'no/where')],
  ])
    assert.equal((await rig.loop(['export', id, ...args])).code, 4, args.join(' '))
})

test('a damaged journal is exported as far as it is readable; what is left out is named', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(agent, promise, '--checkpoint', 'none'))
  const [id = ''] = rig.loops()
  const store = new DatabaseSync(rig.paths.database)
  store.exec(`update events set at = at + 1 where kind = 'loop.completed'`)
  store.exec(`update summary set body = 'x'`)
  store.close()
  const last = rig.dir(id)
  rmSync(join(last, 'runs/2'), { recursive: true })
  rmSync(join(last, 'runs/1/out'))
  symlinkSync('/etc/passwd', join(last, 'runs/1/out'))
  const file = join(rig.aside, 'x.tar.gz')
  const ended = await rig.loop(['export', id, '-o', file])
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stdout, /^Its journal is damaged: what is readable of it is in there\.$/m)
  const files = unpack(rig, file)
  const events = (files.get('journal.ndjson') ?? '')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  assert.equal(events.at(-1)?.kind, 'promise.verified')
  assert.equal(JSON.parse(files.get('summary.json') ?? '').status, 'running', 'damage is never read as done')
  assert.equal(files.has('runs/1/out'), false)
  assert.deepEqual(
    manifestOf(files).leftOut.map(({ what, why }) => `${what}: ${why}`),
    [
      `event ${events.length + 1} of the journal: damaged or missing`,
      'runs/1/out: not there, or not a regular file',
      'runs/2: not on disk',
      'diffs: the loop was started with --checkpoint none',
    ],
  )
})

test('a loop that is not there, or an archive that cannot be written, is said in one sentence', async t => {
  const rig = makeRig(t)
  assert.equal((await rig.loop(['export', 'zzzzzz'])).code, 4)
  await rig.loop(startArgs(agent, promise))
  assert.equal((await rig.loop(['export'])).code, 4)
  const full = await rig.loop(['export', '@last', '-o', '/proc/x.tar.gz'])
  assert.deepEqual([full.code, full.stderr.startsWith('loop: The system refused: ')], [3, true], full.stderr)
  assert.equal(existsSync('/proc/x.tar.gz'), false)
})

test('a group: its own journal and views, the changes of each attempt, and the archives of its loops', async t => {
  const rig = makeRig(t)
  const attempt = 'echo "said in $LOOP_ITERATION"; echo x > done'
  const more = ['--best-of', '2', '--best-of-metric', 'min:wc -c < done']
  assert.equal((await rig.loop(startArgs(attempt, 'test -f done', ...more))).code, 0)
  const [id = '', ...members] = rig.loops()
  const ended = await rig.loop(['export', id, '-o', rig.aside])
  assert.deepEqual([ended.code, ended.stderr], [0, ''])
  assert.match(ended.stdout, new RegExp(`^Group ${id} is exported to `))
  const files = unpack(rig, join(rig.aside, `loop-${id}.tar.gz`))
  const ownFiles = ['journal.ndjson', 'summary.json', 'log.txt', 'history.txt', 'compare.txt', 'receipt.txt']
  const ofEach = ['journal.ndjson', 'summary.json', 'receipt.txt', 'runs/1/out', 'diffs/iter-001.patch']
  const expected = [
    ...ownFiles,
    'diffs/1-1-direct.patch',
    'diffs/2-2-tests-first.patch',
    ...members.flatMap(member => ofEach.map(path => `members/${member}/${path}`)),
  ]
  for (const path of expected) assert.ok(files.get(path), path)
  assert.equal(members.length, 2)
  assert.match(files.get('diffs/1-1-direct.patch') ?? '', /^\+x$/m)
  assert.equal([...files.keys()].filter(path => /^commands\/\d-metric-.*\/out$/.test(path)).length, 2)
  assert.match(files.get('journal.ndjson') ?? '', /^\{.*"kind":"group\.created"/)
  assert.deepEqual(manifestOf(files).leftOut, [])
  const one = await rig.loop(['export', members[0] ?? '', '-o', rig.aside])
  assert.match(one.stdout, new RegExp(`^Loop ${members[0]} is exported to `))
})
