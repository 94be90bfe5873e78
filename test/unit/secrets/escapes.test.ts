/** Terminal escapes inside a secret do not prevent its removal, neither as bytes nor as JSON spells them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { array, constantFrom, assert as holds, nat, property, tuple } from 'fast-check'
import { redactText, secretsIn } from '../../../src/secrets/redact.ts'
import { broken, brokenSecrets, env, escapes, harmless, secrets } from './samples.ts'

function withoutEscapes(text: string): string {
  return escapes.reduce((left, code) => left.replaceAll(code, ''), text)
}

test('an escape inside a secret does not prevent its removal', () => {
  for (const [text, shown] of brokenSecrets) assert.equal(redactText(text, secretsIn(env)), shown)
})

test('with escapes anywhere in its words, a text loses the same secrets', () => {
  const whole = secrets.filter(([text]) => !text.includes('\\') && !text.includes('\u001B'))
  const codes = array(tuple(nat(400), constantFrom(...escapes)), { minLength: 1, maxLength: 6 })
  holds(
    property(constantFrom(...whole), codes, ([text, shown], at) => {
      assert.equal(withoutEscapes(redactText(broken(text, at), [])), shown)
      const document = redactText(JSON.stringify({ text: broken(text, at) }), [])
      const inside: unknown = JSON.parse(document).text
      if (!text.includes('\n')) assert.equal(withoutEscapes(String(inside)), shown)
    }),
    { numRuns: 2_000 },
  )
})

test('with escapes anywhere, a text without secrets stays as it is', () => {
  const codes = array(tuple(nat(400), constantFrom(...escapes.filter(code => code.endsWith('m')))), {
    maxLength: 6,
  })
  holds(
    property(constantFrom(...harmless), codes, (text, at) => {
      assert.equal(redactText(broken(text, at), []), broken(text, at))
    }),
    { numRuns: 1_000 },
  )
})
