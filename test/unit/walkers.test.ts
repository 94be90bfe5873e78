/** The second thread of a scan: it must not keep a program from ending. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempDir } from './given.ts'

test('a program ends by itself though the thread that walks large trees was never waited for', t => {
  const walkers = join(import.meta.dirname, '../../src/adapters/checkpoints/scan/walkers.ts')
  const program = join(tempDir(t), 'program.ts')
  writeFileSync(
    program,
    `import { openWalkers } from ${JSON.stringify(walkers)}
    openWalkers().walk(process.cwd(), Array.from({ length: 1_000 }, (_, n) => 'none-' + n)).end()
    console.log('done')`,
  )
  const ended = spawnSync(process.execPath, [program], { encoding: 'utf8', timeout: 20_000 })
  assert.deepEqual({ said: ended.stdout, code: ended.status }, { said: 'done\n', code: 0 })
})
