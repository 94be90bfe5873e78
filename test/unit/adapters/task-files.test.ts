/** Task files on disk: the form and the locks of Claude Code, with concurrent writers, and damage. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import {
  addTaskFile,
  changeTaskFile,
  projectTaskFiles,
  readTaskFile,
  readTaskFiles,
} from '../../../src/adapters/task-files.ts'
import { ok } from '../../../src/model/failure.ts'
import type { TaskFile } from '../../../src/model/task-file.ts'

function listDir(t: TestContext): string {
  const home = mkdtempSync(join(tmpdir(), 'tasks-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  return join(home, 'tasks', 'my-loop')
}

function task(number: number, more: Partial<TaskFile> = {}): TaskFile {
  return {
    id: String(number),
    subject: `Do ${number}`,
    description: '',
    status: 'pending',
    blocks: [],
    blockedBy: [],
    ...more,
  }
}

test('a task is written as Claude Code writes it, and its blocker names it', t => {
  const dir = listDir(t)
  const first = addTaskFile(dir, number =>
    task(number, {
      subject: 'Add import',
      activeForm: 'Adding import',
      metadata: { wave: 1, stuckCount: 0 },
    }),
  )
  const second = addTaskFile(dir, number => task(number, { blockedBy: ['1'] }))
  assert.ok(first.ok && second.ok)
  assert.equal(
    readFileSync(join(dir, '1.json'), 'utf8'),
    `{
  "id": "1",
  "subject": "Add import",
  "description": "",
  "status": "pending",
  "blocks": [
    "2"
  ],
  "blockedBy": [],
  "activeForm": "Adding import",
  "metadata": {
    "wave": 1,
    "stuckCount": 0
  }
}`,
  )
  assert.deepEqual(readdirSync(dir).sort(), ['.lock', '1.json', '2.json'])
  assert.equal(readFileSync(join(dir, '.lock'), 'utf8'), '')
})

test('numbers are never given twice, also after the highest was deleted', t => {
  const dir = listDir(t)
  for (let times = 0; times < 3; times += 1) assert.ok(addTaskFile(dir, number => task(number)).ok)
  assert.ok(changeTaskFile(dir, 3, () => ok(null)).ok)
  assert.equal(readFileSync(join(dir, '.highwatermark'), 'utf8'), '3')
  const next = addTaskFile(dir, number => task(number))
  assert.deepEqual(next.ok && next.value.id, '4')
  // Numbers go on above an unreadable file too: its number counts.
  writeFileSync(join(dir, '9.json'), '{"id":"9"')
  const above = addTaskFile(dir, number => task(number))
  assert.deepEqual(above.ok && above.value.id, '10')
})

test('a change keeps fields that loop does not know', t => {
  const dir = listDir(t)
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, '1.json'), JSON.stringify({ ...task(1), colour: 'red' }))
  const changed = changeTaskFile(dir, 1, one => ok({ ...one, status: 'in_progress' }))
  assert.ok(changed.ok)
  assert.deepEqual(JSON.parse(readFileSync(join(dir, '1.json'), 'utf8')), {
    ...task(1),
    status: 'in_progress',
    colour: 'red',
  })
  assert.deepEqual(changeTaskFile(dir, 7, ok), ok(null))
})

test('files that Claude Code ignores are ignored', t => {
  const dir = listDir(t)
  assert.deepEqual(readTaskFiles(dir), [])
  mkdirSync(dir, { recursive: true })
  const { blocks: _, ...without } = task(1)
  writeFileSync(join(dir, '1.json'), JSON.stringify(without))
  writeFileSync(join(dir, '2.json'), 'garbage')
  writeFileSync(join(dir, '3.json'), JSON.stringify(task(3)))
  writeFileSync(join(dir, '04.json'), JSON.stringify(task(4)))
  writeFileSync(join(dir, 'x.json'), JSON.stringify(task(5)))
  symlinkSync('/etc/passwd', join(dir, '6.json'))
  mkdirSync(join(dir, '7.json'))
  assert.deepEqual(readTaskFiles(dir), [task(3)])
  assert.equal(readTaskFile(dir, 2), null)
})

test('a lock that a dead process left is taken; a fresh one is waited for', { timeout: 600_000 }, t => {
  const dir = listDir(t)
  assert.ok(addTaskFile(dir, number => task(number)).ok)
  mkdirSync(join(dir, '.lock.lock'))
  const long = new Date(Date.now() - 60_000)
  utimesSync(join(dir, '.lock.lock'), long, long)
  assert.ok(addTaskFile(dir, number => task(number)).ok)
  assert.ok(!readdirSync(dir).includes('.lock.lock'))
})

test('the projection writes the list, and does not write an unchanged task again', t => {
  const dir = listDir(t)
  assert.ok(projectTaskFiles(dir, [task(1), task(2)]).ok)
  const before = readFileSync(join(dir, '1.json'))
  rmSync(join(dir, '2.json'))
  assert.ok(projectTaskFiles(dir, [task(1), task(2, { status: 'completed' })]).ok)
  assert.deepEqual(readFileSync(join(dir, '1.json')), before)
  assert.deepEqual(readTaskFiles(dir), [task(1), task(2, { status: 'completed' })])
})

test('a directory that cannot be made is a failure with its message', t => {
  const dir = listDir(t)
  mkdirSync(join(dir, '..', '..'), { recursive: true })
  writeFileSync(join(dir, '..'), 'a file in the way')
  const added = addTaskFile(dir, number => task(number))
  assert.ok(!added.ok)
  assert.equal(added.failure.reason, 'system')
})

test('processes that add at the same moment get a number each', { timeout: 600_000 }, async t => {
  const dir = listDir(t)
  const module = JSON.stringify(new URL('../../../src/adapters/task-files.ts', import.meta.url).href)
  const program = `const { addTaskFile } = await import(${module})
    for (let i = 0; i < 5; i += 1) {
      const added = addTaskFile(${JSON.stringify(dir)}, n => ({ id: String(n), subject: 's', description: '', status: 'pending', blocks: [], blockedBy: [] }))
      if (!added.ok) throw new Error(failureWords(added.failure))
    }`
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  await Promise.all([run(), run(), run(), run()])
  assert.deepEqual(
    readTaskFiles(dir).map(({ id }) => id),
    Array.from({ length: 20 }, (_, at) => String(at + 1)),
  )
})
