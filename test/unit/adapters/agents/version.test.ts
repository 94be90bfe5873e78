/** The version of an agent program from its files, and what is told of one that is too old. */
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { agents } from '../../../../src/adapters/agents/agent.ts'
import { olderThan, outdated } from '../../../../src/adapters/agents/program.ts'
import { tempDir } from '../../../rig/given.ts'

/** Installed as npm does it: a link to a file of the package. */
function installed(root: string, name: string, version: string): string {
  const home = join(root, 'lib', 'node_modules', name)
  mkdirSync(join(home, 'bin'), { recursive: true })
  mkdirSync(join(root, 'bin'))
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name, version }))
  writeFileSync(join(home, 'bin', 'agent.js'), '')
  symlinkSync(join(home, 'bin', 'agent.js'), join(root, 'bin', 'agent'))
  return join(root, 'bin', 'agent')
}

test('a program that npm installed is compared with the oldest version that is supported', t => {
  const { claude } = agents
  const name = '@anthropic-ai/claude-code'
  const update = `npm install -g ${name}@latest`
  assert.deepEqual(outdated(claude, installed(tempDir(t), name, '2.1.99')), {
    version: '2.1.99',
    oldest: claude.program?.oldest,
    update,
  })
  assert.equal(outdated(claude, installed(tempDir(t), name, claude.program?.oldest ?? '')), null)
  assert.equal(outdated(claude, installed(tempDir(t), name, '2.2')), null)
  assert.equal(outdated(claude, installed(tempDir(t), 'a-wrapper-of-mine', '0.0.1')), null)
  assert.equal(outdated(claude, '/nowhere/claude'), null)
})

test('every other form of a version is left alone', () => {
  const program = { names: ['x'], install: 'npm install -g x', oldest: '2.1.197' }
  const old = ['2.1.7', '2.0.300', '1.9', 'v2.1.196 (x)'].map(version => olderThan(program, version)?.version)
  assert.deepEqual(old, ['2.1.7', '2.0.300', '1.9', 'v2.1.196 (x)'])
  for (const fine of ['2.1.197', '2.1.1000', '10.0.0', 'of an unknown version', ''])
    assert.equal(olderThan(program, fine), null, fine)
})
