/** The outcome of a tool call, for every agent that reports it: an edit counts only if it succeeded. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { itemsOf, linesOf } from '../../../rig/streams.ts'

const failures: Record<string, [name: string, why: RegExp, denied?: true][]> = {
  'claude-tools.out': [
    ['Edit', /^String to replace not found in file\.$/],
    ['Bash', /^Exit code 3$/],
    ['Write', /^Claude requested permissions to write to \/outside\.txt/, true],
    ['Nope', /^Error: No such tool available: Nope$/],
    ['Bash', /^This Bash command contains multiple operations/, true],
  ],
  'opencode-tools.out': [
    ['edit', /^Could not find oldString in the file\./],
    ['bash', /^exit 3$/],
    ['write', /^The user has specified a rule which prevents you/, true],
    ['nope', /^Model tried to call unavailable tool 'nope'/],
  ],
  'codex-tools.out': [['shell', /^exit 3$/]],
  'gemini-tools.out': [
    ['replace', /^Could not find an exact match/],
    ['write_file', /^Path not in workspace/],
    ['nope', /^Tool "nope" not found/],
  ],
  'cline-tools.out': [
    ['editor', /^Editor operation failed: No replacement performed/],
    ['run_commands', /^Command exited with code 3$/],
    ['nope', /^Tool call nope was rejected before execution/],
  ],
}

for (const [file, expected] of Object.entries(failures)) {
  test(`${file}: failed and denied calls, each once and with its reason`, () => {
    const items = itemsOf(file, linesOf(file))
    const failed = items.flatMap(item => (item.kind === 'tool-failed' ? item : []))
    assert.deepEqual(
      failed.map(({ name, denied }) => [name, denied]),
      expected.map(([name, , denied]) => [name, denied]),
    )
    for (const [n, [, why]] of expected.entries()) assert.match(failed[n]?.why ?? '', why)
    const tools = items.filter(({ kind }) => kind === 'tool').length
    assert.ok(tools > failed.length || file === 'codex-tools.out', 'some of them worked')
  })
}

test('an edit counts if it succeeded, for every agent that names its edits', () => {
  const change = (status: string) =>
    `{"type":"item.completed","item":{"type":"file_change","changes":[{"path":"/tree/a","kind":"update"}],"status":"${status}"}}`
  const cursor = (result: string) => [
    '{"type":"tool_call","subtype":"started","call_id":"t1","tool_call":{"editToolCall":{"args":{"path":"a"}}}}',
    `{"type":"tool_call","subtype":"completed","call_id":"t1","tool_call":{"editToolCall":{"args":{"path":"a"},"result":${result}}}}`,
  ]
  const acp = (status: string) => [
    '{"type":"update","update":{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"in_progress","kind":"edit","title":"a","locations":[{"path":"a"}]}}',
    `{"type":"update","update":{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"${status}"}}`,
  ]
  const edited = (file: string, lines: string[]) =>
    itemsOf(file, lines).flatMap(({ kind }) => (kind === 'edit' || kind === 'tool-failed' ? kind : []))
  assert.deepEqual(edited('codex.out', [change('completed')]), ['edit'])
  assert.deepEqual(edited('codex.out', [change('failed')]), ['tool-failed'])
  assert.deepEqual(edited('cursor.out', cursor('{"success":{}}')), ['edit'])
  assert.deepEqual(edited('cursor.out', cursor('{"error":{"errorMessage":"no"}}')), ['tool-failed'])
  assert.deepEqual(edited('cursor.out', cursor('{"rejected":{}}')), ['tool-failed'])
  assert.deepEqual(edited('acp.out', acp('completed')), ['edit'])
  assert.deepEqual(edited('acp.out', acp('failed')), ['tool-failed'])
  assert.deepEqual(edited('acp.out', acp('in_progress')), [], 'not known yet')
})
