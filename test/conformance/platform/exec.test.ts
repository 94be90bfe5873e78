/** Helper programs, run to their end or as a conversation: output, limits, and programs that cannot be started. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { exec } from '../../../src/platform/exec.ts'

describe('exec', () => {
  const env = { PATH: process.env['PATH'] ?? '' }

  it('gives output, exit code and input', async () => {
    const input = Buffer.from('in')
    const result = await exec({ argv: ['sh', '-c', 'cat; echo err >&2; exit 3'], cwd: '/', env, input })
    const { stdout, stderr, ...rest } = result
    assert.deepEqual([stdout.toString(), stderr.toString()], ['in', 'err\n'])
    assert.deepEqual(rest, { code: 3, signal: null, cut: null })
  })

  it('a program that cannot be started is a value, no exception', async () => {
    assert.equal((await exec({ argv: ['no-such-program'], cwd: '/', env })).cut, 'unstartable')
    assert.equal((await exec({ argv: ['sh'], cwd: '/no/such/place', env })).cut, 'unstartable')
    assert.equal((await exec({ argv: ['sh', '\0'], cwd: '/', env })).cut, 'unstartable')
  })

  it('ends a program that prints too much, and one that is stopped', async () => {
    const flood = await exec({ argv: ['yes'], cwd: '/', env, maxBytes: 10_000 })
    assert.equal(flood.cut, 'flooded')
    assert.ok(flood.stdout.length <= 10_000)
    const signal = AbortSignal.timeout(20)
    const stopped = await exec({ argv: ['sleep', '600'], cwd: '/', env, signal })
    assert.deepEqual([stopped.cut, stopped.signal], ['stopped', 'SIGTERM'])
    assert.equal((await exec({ argv: ['sleep', '600'], cwd: '/', env, signal })).cut, 'stopped')
  })
})

describe('converse', () => {
  it('a program for which no file descriptor is left gives no answer, and no exception', async () => {
    const module = fileURLToPath(new URL('../../../src/platform/exec.ts', import.meta.url))
    const code = `
      import { openSync } from 'node:fs'
      import { converse } from ${JSON.stringify(module)}
      try { for (;;) openSync('/dev/null') } catch {}
      const git = converse({ argv: ['git', '--version'], cwd: '/', env: {} })
      git.ask('x')
      const done = (await git.next()) === null
      await git.end()
      process.exitCode = done ? 42 : 1`
    const argv = [
      'sh',
      '-c',
      'ulimit -n 64; exec "$0" --input-type=module -e "$1"',
      process.execPath,
      code,
    ] as const
    const ended = await exec({ argv, cwd: '/', env: { PATH: process.env['PATH'] ?? '' } })
    assert.equal(ended.code, 42, ended.stderr.toString())
  })
})
