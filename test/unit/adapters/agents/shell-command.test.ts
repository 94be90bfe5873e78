/** Commands of a custom agent that are refused at the start: those whose program plainly does not exist. */

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { orMissing } from '../../../../src/adapters/agents/program.ts'
import { failureWords } from '../../../../src/failures/words.ts'
import { tempDir } from '../../../rig/given.ts'

test('a missing program is refused; a command that only a shell can judge is not', t => {
  const cwd = tempDir(t)
  const bin = join(cwd, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'agent'), '#!/bin/sh\n', { mode: 0o755 })
  writeFileSync(join(cwd, 'script.sh'), '#!/bin/sh\n', { mode: 0o755 })
  writeFileSync(join(cwd, 'plain.txt'), 'no program\n', { mode: 0o644 })
  const env = { PATH: bin, 'BASH_FUNC_mine%%': '() { :; }' }
  const taken = [
    'agent --yes',
    'agent; echo done',
    'agent|cat',
    './script.sh',
    'bin/agent "$X"',
    `${cwd}/script.sh --yes`,
    'cd sub && nosuch',
    'CI=1 nosuch --yes',
    '$AGENT --yes',
    '$(which nosuch)',
    '"nosuch program"',
    "'nosuch'",
    '~/nosuch',
    '( nosuch )',
    '{ nosuch; }',
    '! nosuch',
    '[ -e x ] && nosuch',
    '2>err nosuch',
    'exec nosuch',
    'if true; then nosuch; fi',
    'nosuch() { :; }; nosuch',
    '# a comment\nnosuch',
    'mine --yes',
    'printf x >> work',
    'true',
  ]
  for (const command of taken)
    assert.deepEqual(orMissing(command, { cwd, env }), { ok: true, value: command })
  const refused: [string, RegExp][] = [
    ['/nonexistent/agent', /^\/nonexistent\/agent is no program: \/nonexistent\/agent\. Check --agent-cmd/],
    ['nosuch --yes', /^nosuch is not on the PATH\. Check --agent-cmd/],
    ['  nosuch;true', /^nosuch is not on the PATH/],
    ['./nosuch.sh', /^\.\/nosuch\.sh is no program: .*\/nosuch\.sh\./],
    ['./plain.txt', /^\.\/plain\.txt is no program/],
    ['./bin', /^\.\/bin is no program/],
  ]
  for (const [command, sentence] of refused) {
    const found = orMissing(command, { cwd, env })
    assert.ok(!found.ok, command)
    assert.equal(found.failure.reason, 'agent-missing')
    assert.match(failureWords(found.failure), sentence)
  }
  assert.ok(orMissing('nosuch', { cwd, env: {} }).ok, 'without a PATH the shell has one of its own')
  assert.ok(orMissing('script.sh', { cwd, env: { PATH: `${bin}:` } }).ok, 'an empty place is this directory')
})
