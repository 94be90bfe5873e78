/** The files of a run while its agent attacks them: a removed file counts as missing, and nothing throws. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { identify, readExit } from '../../../../src/adapters/process/files.ts'
import { tempDir } from '../../../rig/given.ts'

const text = 'v 1\npid 1234\nstart 5\nboot b\nns n\nmode group\nlock no\n'

/** A worker that links and unlinks both files as fast as it can, until told to stop. */
const restless = `
const { linkSync, unlinkSync } = require('node:fs')
const { workerData: { dir, stop } } = require('node:worker_threads')
while (Atomics.load(stop, 0) === 0) for (const name of ['claim', 'exit']) {
  linkSync(dir + '/whole', dir + '/' + name)
  unlinkSync(dir + '/' + name)
}`

test('a claim or an exit that an agent removes between two looks is missing, not an error', async t => {
  const dir = tempDir(t)
  writeFileSync(join(dir, 'whole'), text)
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(restless, { eval: true, workerData: { dir, stop } })
  const seen = { whole: 0, missing: 0 }
  try {
    for (let look = 0; look < 1_000_000 && (seen.whole < 500 || seen.missing < 500); look += 1) {
      readExit(dir)
      const identity = identify(dir)
      if (identity) assert.equal(identity.shim.pid, 1234)
      seen[identity ? 'whole' : 'missing'] += 1
    }
  } finally {
    // The worker stops before its directory is removed.
    Atomics.store(stop, 0, 1)
    await worker.terminate()
  }
  assert.ok(seen.whole >= 500 && seen.missing >= 500, JSON.stringify(seen))
})
