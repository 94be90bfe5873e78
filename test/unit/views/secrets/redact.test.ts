/** Secrets are taken out, what only looks like one stays, and how the text is cut changes nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { array, constantFrom, assert as holds, nat, property } from 'fast-check'
import { redactAll, redactor, redactText, secretsIn } from '../../../../src/views/secrets/redact.ts'

/** Made up, in the form of real ones; put together here so that no scanner takes this file for a leak. */
const a = (n: number) => 'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cF'.repeat(9).slice(0, n)
const hex = (n: number) => '0123456789abcdef'.repeat(9).slice(0, n)
const jwt = `${'eyJ'}hbGciOiJIUzI1NiJ9.${'eyJ'}zdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U`
const keyBody = `${a(64)}\n${a(64)}\n${a(30)}==`
const begin = (kind: string) => `-----${'BEGIN'} ${kind}PRIVATE KEY-----`
const end = (kind: string) => `-----END ${kind}PRIVATE KEY-----`

/** A text with a secret in it, and what is to be shown. */
const secrets: [string, string][] = [
  [`key ${'AKIA'}IOSFODNN7EXAMPLE here`, 'key [redacted:aws] here'],
  [`${'ASIA'}IOSFODNN7EXAMPLE`, '[redacted:aws]'],
  [`aws_secret_access_key = ${a(40)}`, 'aws_secret_access_key = [redacted:key]'],
  [`${'ghp'}_${a(36)}`, '[redacted:github]'],
  [`remote: ${'github'}_pat_${a(22)}_${a(59)}.`, 'remote: [redacted:github].'],
  [`("${'gho'}_${a(36)}",)`, '("[redacted:github]",)'],
  [`${'glpat'}-${a(20)}`, '[redacted:gitlab]'],
  [`${'xoxb'}-123456789012-123456789012-${a(24)}`, '[redacted:slack]'],
  [
    `https://hooks.slack.com/services/T00000000/B00000000/${a(24)}`,
    'https://hooks.slack.com/services/[redacted:slack]',
  ],
  [`STRIPE=${'sk'}_live_${a(24)}`, 'STRIPE=[redacted:stripe]'],
  [`${'whsec'}_${a(32)}`, '[redacted:stripe]'],
  [`${'sk'}-${a(48)}`, '[redacted:openai]'],
  [`${'sk'}-proj-${a(30)}_${a(30)}-${a(30)}`, '[redacted:openai]'],
  [`${'sk'}-ant-api03-${a(40)}-${a(40)}AA`, '[redacted:anthropic]'],
  [`${'AIza'}${a(35)}`, '[redacted:google]'],
  [`${'ya29'}.${a(60)}`, '[redacted:google]'],
  [
    `//registry.example.com/:_authToken=${'npm'}_${a(36)}`,
    '//registry.example.com/:_authToken=[redacted:npm]',
  ],
  [`${'hf'}_${a(34)}`, '[redacted:huggingface]'],
  [`jwt: ${jwt},`, 'jwt: [redacted:jwt],'],
  [`SECRET_KEY_BASE=${hex(64)}`, 'SECRET_KEY_BASE=[redacted:secret]'],
  [`secret_key_base: ${hex(64)}`, 'secret_key_base: [redacted:secret]'],
  [`${'dop'}_v1_${hex(64)}`, '[redacted:digitalocean]'],
  [`${'shpat'}_${hex(32)} and ${'shpss'}_${hex(32)}`, '[redacted:shopify] and [redacted:shopify]'],
  [`bot 123456789:${'AA'}${a(33)}`, 'bot [redacted:telegram]'],
  [
    `https://api.telegram.org/bot123456789:${'AA'}${a(33)}/getMe`,
    'https://api.telegram.org/bot[redacted:telegram]/getMe',
  ],
  [
    'machine example.org login me password Tr0ub4dor3x',
    'machine example.org login me password [redacted:password]',
  ],
  [
    `Set-Cookie: session=${a(32)}; Path=/; HttpOnly`,
    'Set-Cookie: session=[redacted:cookie]; Path=/; HttpOnly',
  ],
  [`< set-cookie: sid=s%3A${a(24)}.${a(20)}; Secure`, '< set-cookie: sid=[redacted:cookie]; Secure'],
  [`Cookie: a=1; sid=${a(32)}`, 'Cookie: a=1; sid=[redacted:cookie]'],
  [
    `{"auths":{"example.org":{"auth":"${a(28)}"}}}`,
    '{"auths":{"example.org":{"auth":"[redacted:authorization]"}}}',
  ],
  [`Authorization: Bearer ${a(24)}`, 'Authorization: Bearer [redacted:authorization]'],
  [`-H 'authorization: bearer ${jwt}'`, `-H 'authorization: bearer [redacted:jwt]'`],
  ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [redacted:authorization]'],
  [`curl -H "Authorization: token ${hex(40)}"`, 'curl -H "Authorization: token [redacted:authorization]"'],
  ['password=Tr0ub4dor&x=1', 'password=[redacted:password]&x=1'],
  ['DB_PASSWORD="s3cr3t!V4lue"', 'DB_PASSWORD="[redacted:password]"'],
  [`{"apiKey": "${a(20)}", "n": 1}`, '{"apiKey": "[redacted:key]", "n": 1}'],
  [`{\\"token\\":\\"${a(20)}\\"}`, '{\\"token\\":\\"[redacted:token]\\"}'],
  [`token: ${hex(40)}`, 'token: [redacted:token]'],
  [`login --token ${a(20)} --yes`, 'login --token [redacted:token] --yes'],
  [`GET /x?access_token=${a(20)}&page=2 HTTP/1.1`, 'GET /x?access_token=[redacted:token]&page=2 HTTP/1.1'],
  ['postgres://app:hunter2@db:5432/x', 'postgres://app:[redacted:url]@db:5432/x'],
  [`git clone https://${hex(40)}@host/x.git`, 'git clone https://[redacted:url]@host/x.git'],
  ['redis://:p%40ss@127.0.0.1', 'redis://:[redacted:url]@127.0.0.1'],
  [`\u001B[1;31m${'ghp'}_${a(36)}\u001B[0m`, '\u001B[1;31m[redacted:github]\u001B[0m'],
  [`{"text":"it is\\n${'ghp'}_${a(36)}\\nso"}`, '{"text":"it is\\n[redacted:github]\\nso"}'],
  [`{"text":"\\u001b[31m${'ghp'}_${a(36)}"}`, '{"text":"\\u001b[31m[redacted:github]"}'],
  [
    `a\n${begin('RSA ')}\n${keyBody}\n${end('RSA ')}\nb`,
    `a\n${begin('RSA ')}\n[redacted:private-key]\n${end('RSA ')}\nb`,
  ],
  [
    `+${begin('')}\n+${keyBody.replaceAll('\n', '\n+')}\n+${end('')}`,
    `+${begin('')}\n[redacted:private-key]\n+${end('')}`,
  ],
  [
    `{"key":"${begin('')}\\n${keyBody.replaceAll('\n', '\\n')}\\n${end('')}\\n"}`,
    `{"key":"${begin('')}\\n[redacted:private-key]\\n\\n\\n${end('')}\\n"}`,
  ],
  [
    `${begin('EC ')}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${hex(32).toUpperCase()}\n\n${keyBody}\n${end('EC ')}`,
    `${begin('EC ')}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,[redacted:private-key]\n${end('EC ')}`,
  ],
]

/** What an agent prints all day, and nothing of it may be touched. */
const harmless = [
  'commit da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'index 3b18e51..a1b2c3d 100644',
  'id: 550e8400-e29b-41d4-a716-446655440000',
  `"integrity": "sha512-${a(86)}=="`,
  `sha256:${hex(64)}`,
  `data:image/png;base64,iVBORw0KGgo${a(200)}`,
  `Buffer.from('${a(64)}', 'base64')`,
  '/home/me/project/src/token.test.ts:12:5',
  './secrets/config.local2.yaml',
  'token: string',
  'machine learning password reset2 flow',
  'the cookie=yes flag, auth: "basic2"',
  '12345678:AA is a time, 2024-01-01T10:20:30',
  'const token = getToken2(user)',
  'password = process.env.DB_PASSWORD',
  'secret = base64.b64decode(x)',
  'api_key = YOUR_API_KEY_1',
  'Authorization: Bearer $TOKEN',
  'Authorization: Bearer YOUR_TOKEN',
  'Authorization: Bearer <token>',
  'uses bearer authentication throughout',
  'password: ********',
  'tokens: 15234, max_tokens=4096, "total_tokens": 12345678',
  'tokenizer=gpt2-medium1',
  'image: my-secret:1.2.3-alpine3',
  'ssh://git@github.com/org/repo.git',
  'git@github.com:org/repo.git',
  'http://localhost:3000/@scope/pkg@1.2.3',
  'npm install lodash@4.17.21 --save',
  'sk-learn and sk-folding-cube-animation-name',
  'task-ghp_short AKIA eyJ.eyJ.x xoxb-',
  `${begin('')} is how it begins`,
  '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----',
  'the secret of success is 10% inspiration',
  'Secret: none',
  '[redacted:github] and token=[redacted:token]',
]

test('what is a secret is taken out, and nothing around it', () => {
  for (const [text, shown] of secrets) assert.equal(redactText(text, []), shown)
})

test('what only looks like one stays as it is', () => {
  for (const text of harmless) assert.equal(redactText(text, []), text)
  const everything = harmless.join('\n')
  assert.equal(redactText(everything, []), everything)
})

test('doing it again changes nothing', () => {
  const once = redactText(secrets.map(([text]) => text).join('\n'), [])
  assert.equal(redactText(once, []), once)
})

const env = {
  GITHUB_TOKEN: 'plainlookingvalue',
  DB_PASSWORD_FILE: '/run/secrets/db_password',
  MY_SECRET: 'plainlooking',
  'NPM_CONFIG_//X/_AUTHKEY': 'none of ours',
  API_KEY: 'short',
  APP_PASSWORD: 'with "quotes" and\nlines',
  HOME: '/home/somebody',
  EDITOR: 'some-editor-of-mine',
}

test('of the environment the values whose name says so, by their name', () => {
  const known = secretsIn(env)
  assert.deepEqual(
    known.map(({ name }) => name),
    ['GITHUB_TOKEN', 'MY_SECRET', 'APP_PASSWORD'],
  )
  const text =
    'x=plainlookingvalue, plainlookingvalu, plainlooking; with "quotes" and\nlines some-editor-of-mine'
  const shown =
    'x=[redacted:$GITHUB_TOKEN], [redacted:$MY_SECRET]valu, [redacted:$MY_SECRET]; [redacted:$APP_PASSWORD] some-editor-of-mine'
  assert.equal(redactText(text, known), shown)
  assert.deepEqual(redactAll({ a: ['plainlooking', 1, null], plainlooking: true }, known), {
    a: ['[redacted:$MY_SECRET]', 1, null],
    '[redacted:$MY_SECRET]': true,
  })
})

test('an ordinary word is a secret only where the text calls it one', () => {
  const known = secretsIn({
    PGPASSWORD: 'postgres',
    SESSION_SECRET: 'dev-secret',
    SORT_KEY: 'lastName',
    APP_TOKEN: 'development',
    REAL_TOKEN: 'kq7xwz9p',
    LONG_TOKEN: 'abcdefghijklmnop',
  })
  const rows: [string, string][] = [
    ['using postgres in development, by lastName', 'using postgres in development, by lastName'],
    ['PGPASSWORD=postgres psql', 'PGPASSWORD=[redacted:password] psql'],
    ['{"password": "postgres", "db": "postgres"}', '{"password": "[redacted:password]", "db": "postgres"}'],
    ['postgres://postgres:postgres@db/postgres', 'postgres://postgres:[redacted:url]@db/postgres'],
    ['login --token development', 'login --token [redacted:token]'],
    ['secret: dev-secret', 'secret: [redacted:secret]'],
    ['kq7xwz9p and abcdefghijklmnop', '[redacted:$REAL_TOKEN] and [redacted:$LONG_TOKEN]'],
  ]
  for (const [text, shown] of rows) assert.equal(redactText(text, known), shown)
})

test('however the text is cut, the same comes out', () => {
  const known = secretsIn({ ...env, PGPASSWORD: 'postgres' })
  const parts = [
    ...secrets.map(([text]) => text),
    ...harmless,
    ...known.map(({ value }) => value),
    'x'.repeat(9_000),
  ]
  const text = array(
    constantFrom(...parts, 'postgres', ' ', '\n', '"', '\\', 'plainlooking', 'token=', '://'),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  holds(
    property(text, array(nat(400), { maxLength: 40 }), (pieces, cuts) => {
      const whole = pieces.join('')
      const redact = redactor(known)
      let shown = ''
      let at = 0
      for (const length of cuts) {
        shown += redact.push(whole.slice(at, at + length))
        at += length
      }
      shown += redact.push(whole.slice(at)) + redact.end()
      assert.equal(shown, redactText(whole, known))
    }),
    { numRuns: 500 },
  )
})

test('nothing is kept back longer than to the end of its word', () => {
  const redact = redactor(secretsIn(env))
  assert.equal(redact.push('Continue? [y/N] '), 'Continue? [y/N] ')
  assert.equal(redact.push('half'), '')
  assert.equal(redact.push(' a '), 'half a ')
  assert.equal(redact.push('x'.repeat(100_000)).length > 90_000, true)
})

test('a JSON document stays one, whatever is taken out of it', () => {
  for (const [text] of secrets) {
    const document = JSON.stringify({ text, list: [text, { [text]: 1 }] })
    assert.doesNotThrow(() => JSON.parse(redactText(document, [])), text)
  }
})

test('text made to be slow is not', () => {
  const slow = [
    'eyJ',
    'token',
    'token=',
    '://a:',
    '-----BEGIN RSA PRIVATE ',
    'sk-',
    'a.',
    'password: ',
    '\\n',
    'A',
  ]
  for (const part of slow) {
    const text = part.repeat(Math.ceil(1_000_000 / part.length))
    const began = performance.now()
    redactText(text, [])
    const took = performance.now() - began
    assert.ok(took < 2_000, `${part}: ${took} ms`)
  }
})

test('a short value inside a key does not break the key into what is none', () => {
  const known = [{ name: 'DB_PASSWORD', value: '12345678' }]
  const text = redactText('token ghp_abcdefghijklmnopqrstuvwxyz0123456789 end', known)
  assert.doesNotMatch(text, /ghp_|abcdef/)
})
