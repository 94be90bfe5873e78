/**
 * Two threads compare a large tree with the user's index, one from each end. The result for a directory does not depend
 * on the thread. If a thread dies, the scan reads the directory that the thread was at.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, it } from 'node:test'
import { setImmediate as breath } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { parseIndex, type UserIndex } from '../../../src/checkpoints/format/user-index.ts'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { type Comparison, row, rowLength } from '../../../src/checkpoints/scan/comparison.ts'
import type { Dir } from '../../../src/checkpoints/scan/snapshot.ts'
import { startThread } from '../../../src/checkpoints/scan/walkers.ts'
import { beginComparing, type WholeDir } from '../../../src/checkpoints/seed.ts'
import { take } from './calls.ts'
import { openBox, sh } from './work-tree.ts'

const at = openBox()
/** The comparisons given to threads, and a callback for each. */
const jobs: Comparison[] = []
let onJob: (worker: Worker, comparison: Comparison) => void = () => undefined

process.on('worker', (worker: Worker) => {
  const post = worker.postMessage.bind(worker)
  worker.postMessage = (job: { compare?: Comparison }) => {
    post(job)
    if (!job.compare) return
    jobs.push(job.compare)
    onJob(worker, job.compare)
  }
})

const treeOf = (directory: string, count: number) => `${directory} with ${count}`

/** The last directory is large, and its last file differs from the index. */
before(() => {
  sh(
    at,
    `git init -q; seq -f d%g/in 100 252 | xargs mkdir -p z
    for n in $(seq 100 252); do echo $n > d$n/in/f; echo $n > d$n/f; done
    for n in $(seq 1000 1600); do echo z > z/$n; done; commit all; git gc -q
    chmod 600 d130/in/f; ln -sf f d150/f; rm d200/f; echo n > d220/n; mkdir d230/empty; echo more >> d250/f; echo more >> z/1600
    git update-index -q --refresh; sleep 0.03; touch .git/index`,
  )
})

it('what two threads find is what one finds', async () => {
  const index = indexOf()
  const one = await beginComparing(index, at.tree).finish(treeOf, undefined)
  startThread()
  // So that this thread learns of the other one.
  await breath()
  for (let areBoth = false; !areBoth; ) {
    const comparing = beginComparing(index, at.tree)
    const { taken } = jobs.at(-1) as Comparison
    while (Atomics.load(taken, taken.length - 1) === 0) await breath()
    areBoth = Atomics.load(taken, 0) === 0
    const two = await comparing.finish(treeOf, undefined)
    const directories = Array.from(taken.keys())
    for (const n of directories) assert.deepEqual(told(two, n), told(one, n), index.directoryOf(n))
    const count = directories.filter(n => two(n)).length
    assert.ok(count > 250 && count < directories.length)
  }
})

it('a thread that dies at its work costs nothing but time', async () => {
  onJob = (worker, comparison) => {
    const { taken, rows } = comparison
    // Busy-waits until the other thread is in the last directory; or beyond it, if this thread had to wait.
    while (
      Atomics.load(rows, lastRow(comparison) + row.count) === 0 &&
      Atomics.load(taken, taken.length - 2) === 0
    );
    worker.terminate().catch(assert.ifError)
  }
  let isHalf = false
  for (let attempt = 1; !isHalf; attempt += 1) {
    startThread()
    await breath()
    const store = join(at.root, `store-${attempt}`)
    const { tree } = await take(gitCheckpoints({ tree: at.tree, store }), 'iter-001')
    const comparison = jobs.at(-1) as Comparison
    const last = lastRow(comparison)
    isHalf = comparison.rows[last + row.count] !== 0 && comparison.rows[last + row.dirs] === 0
    const saved = sh(at, `git --git-dir ${store} rev-parse ${tree}^{tree} 2>/dev/null`)
    assert.equal(saved, sh(at, 'export GIT_INDEX_FILE=$PWD/../index; git add -A; git write-tree'))
  }
})

function indexOf(): UserIndex {
  const bytes = readFileSync(join(at.tree, '.git/index'))
  const content = new SharedArrayBuffer(bytes.length)
  bytes.copy(Buffer.from(content))
  const index = parseIndex({ content, ids: 'sha1', prefix: '', writtenMs: Date.now() })
  assert.ok(index)
  return index
}

function lastRow({ taken }: Comparison): number {
  return (taken.length - 1) * rowLength
}

function told(wholeDir: WholeDir, directory: number) {
  const dir = wholeDir(directory)
  return dir && all(dir)
}

function all({ mode, files, dirs, tree, alike }: Dir): unknown {
  return { mode, files, tree, alike, dirs: Array.from(dirs, ([name, dir]) => [name, all(dir)]) }
}
