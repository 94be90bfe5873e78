/**
 * A file that a process has mapped for shared writing: once a page is dirty, more writes to it change neither the
 * modification time nor any other field of its stat.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { it } from 'node:test'
import { setImmediate as breath } from 'node:timers/promises'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { take } from './calls.ts'
import { type Box, openBox } from './work-tree.ts'

const counts = { 'a few': 3, many: 200 }

for (const [words, count] of Object.entries(counts)) {
  it(`a second write through a mapping after a checkpoint is saved, among ${words} new files`, async () => {
    const at = openBox()
    for (let n = 0; n < count; n += 1) writeFileSync(join(at.tree, `f${n}`), `${n}`)
    const writer = await openWriter(at, 'mapped')
    try {
      const checkpoints = gitCheckpoints(at)
      await writer.write('FIRST.')
      const before = await aged(join(at.tree, 'mapped'))
      assert.equal(savedBytes(at, (await take(checkpoints, 'one')).tree), 'FIRST.')
      await writer.write('SECOND')
      const after = statSync(join(at.tree, 'mapped'))
      assert.deepEqual([after.mtimeMs, after.ctimeMs], [before.mtimeMs, before.ctimeMs])
      assert.equal(savedBytes(at, (await take(checkpoints, 'two')).tree), 'SECOND')
    } finally {
      writer.process.kill('SIGKILL')
    }
  })
}

/** Waits until the file is so old that its timestamps alone would be trusted. */
async function aged(path: string) {
  const stat = statSync(path)
  while (Date.now() < stat.ctimeMs + 100) await breath()
  return stat
}

function savedBytes(at: Box, tree: string): string {
  const args = ['--git-dir', at.store, 'cat-file', 'blob', `${tree}:mapped`]
  return execFileSync('git', args, { encoding: 'utf8' })
}

const program = `
import mmap, os, sys
fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
os.ftruncate(fd, 6)
m = mmap.mmap(fd, 6)
print('ready', flush=True)
for line in sys.stdin:
  m[0:6] = line.strip().encode()
  print('written', flush=True)
`

async function openWriter(at: Box, name: string) {
  const process: ChildProcess = spawn('python3', ['-c', program, join(at.tree, name)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (!process.stdin || !process.stdout) throw new Error('no pipes')
  const { stdin } = process
  const lines = createInterface(process.stdout)
  await once(lines, 'line')
  return {
    process,
    async write(text: string) {
      const done = once(lines, 'line')
      stdin.write(`${text}\n`)
      await done
    },
  }
}
