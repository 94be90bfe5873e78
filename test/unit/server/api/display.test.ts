/** JSON that leaves loopd: no secret from the environment of loopd or of the loop, and no text that steers or hides. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { findingId } from '../../../../src/core/plan/findings.ts'
import { displayOf } from '../../../../src/server/api/display.ts'
import { envFile, loopDir } from '../../../../src/store/files/paths.ts'
import { assertSafe, attacks } from '../../../rig/attacks.ts'
import { tempPaths } from '../../../rig/given.ts'

const own = 'loopd-5ecret-value'
const kept = 'kept "5ecret" \\value'

test('secrets of loopd and of the loop in question are taken out, however they stand in JSON', t => {
  const paths = tempPaths(t)
  mkdirSync(loopDir(paths, 'aaaaaa'), { recursive: true })
  writeFileSync(envFile(paths, 'aaaaaa'), JSON.stringify({ MY_API_KEY: kept }))
  const { json } = displayOf(paths, { MY_TOKEN: own }, () => 0)
  const value = { text: `a ${own} b ${kept} c`, list: [{ [own]: 1 }], n: 3, none: null }
  const of = (loop: string | null) => JSON.parse(json(value, { loop })) as typeof value
  assert.equal(of('aaaaaa').text, 'a [redacted:$MY_TOKEN] b [redacted:$MY_API_KEY] c')
  assert.equal(of(null).text, `a [redacted:$MY_TOKEN] b ${kept} c`)
  assert.deepEqual(Object.keys(of(null).list[0] ?? {}), ['[redacted:$MY_TOKEN]'])
  assert.deepEqual([of(null).n, of(null).none], [3, null])
})

test('what steers, hides or reorders is not in it, in names and values, unless it has to be exact', t => {
  const { json } = displayOf(tempPaths(t), {}, () => 0)
  const shown = JSON.parse(json({ [attacks]: [attacks] })) as Record<string, string[]>
  for (const [name, [text = '']] of Object.entries(shown)) {
    assertSafe(name, 'a name')
    assertSafe(text, 'a value')
  }
  assert.deepEqual(JSON.parse(json([attacks], { exact: true })), [attacks])
})

test('the answer of a model stays a document, is made safe inside, and its findings stay the same ones', t => {
  const { json } = displayOf(tempPaths(t), {}, () => 0)
  for (const text of [attacks, `  a\r\nb\u0085\u000B${attacks}\t c \uFEFF`, String.raw`"\u{202e}" \d`]) {
    const finding = { rule: `RULE ${text}`, file: text, quote: text }
    const event = { kind: 'node.ended', data: { answer: JSON.stringify({ findings: [finding] }) } }
    const shown = JSON.parse(json(event)) as typeof event
    const { findings } = JSON.parse(shown.data.answer) as { findings: (typeof finding)[] }
    const [one = finding] = findings
    assertSafe(Object.values(one).join(' '), 'a finding')
    assert.equal(findingId(one), findingId(finding))
  }
  const said = JSON.parse(json({ answer: '{ not a document \u202E' })) as { answer: string }
  assert.equal(said.answer, String.raw`{ not a document \u{202e}`)
})
