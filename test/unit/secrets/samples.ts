/**
 * Texts with secrets, whole and with escapes inside, the text to show for each, and texts that only look like secrets.
 */

/** Made up, in the form of real secrets; assembled here so that no scanner takes this file for a leak. */
export const made = (n: number) => 'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cF'.repeat(9).slice(0, n)
const hex = (n: number) => '0123456789abcdef'.repeat(9).slice(0, n)
const jwt = `${'eyJ'}hbGciOiJIUzI1NiJ9.${'eyJ'}zdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U`
const keyBody = `${made(64)}\n${made(64)}\n${made(30)}==`
const begin = (kind: string) => `-----${'BEGIN'} ${kind}PRIVATE KEY-----`
const end = (kind: string) => `-----END ${kind}PRIVATE KEY-----`

/** A text with a secret in it, and the text to show. */
export const secrets: [string, string][] = [
  [`key ${'AKIA'}IOSFODNN7EXAMPLE here`, 'key [redacted:aws] here'],
  [`${'ASIA'}IOSFODNN7EXAMPLE`, '[redacted:aws]'],
  [`aws_secret_access_key = ${made(40)}`, 'aws_secret_access_key = [redacted:key]'],
  [`${'ghp'}_${made(36)}`, '[redacted:github]'],
  [`remote: ${'github'}_pat_${made(22)}_${made(59)}.`, 'remote: [redacted:github].'],
  [`("${'gho'}_${made(36)}",)`, '("[redacted:github]",)'],
  [`${'glpat'}-${made(20)}`, '[redacted:gitlab]'],
  [`${'xoxb'}-123456789012-123456789012-${made(24)}`, '[redacted:slack]'],
  [
    `https://hooks.slack.com/services/T00000000/B00000000/${made(24)}`,
    'https://hooks.slack.com/services/[redacted:slack]',
  ],
  [`STRIPE=${'sk'}_live_${made(24)}`, 'STRIPE=[redacted:stripe]'],
  [`${'whsec'}_${made(32)}`, '[redacted:stripe]'],
  [`${'sk'}-${made(48)}`, '[redacted:openai]'],
  [`${'sk'}-proj-${made(30)}_${made(30)}-${made(30)}`, '[redacted:openai]'],
  [`${'sk'}-ant-api03-${made(40)}-${made(40)}AA`, '[redacted:anthropic]'],
  [`${'AIza'}${made(35)}`, '[redacted:google]'],
  [`${'ya29'}.${made(60)}`, '[redacted:google]'],
  [
    `//registry.example.com/:_authToken=${'npm'}_${made(36)}`,
    '//registry.example.com/:_authToken=[redacted:npm]',
  ],
  [`${'hf'}_${made(34)}`, '[redacted:huggingface]'],
  [`jwt: ${jwt},`, 'jwt: [redacted:jwt],'],
  [`SECRET_KEY_BASE=${hex(64)}`, 'SECRET_KEY_BASE=[redacted:secret]'],
  [`secret_key_base: ${hex(64)}`, 'secret_key_base: [redacted:secret]'],
  [`${'dop'}_v1_${hex(64)}`, '[redacted:digitalocean]'],
  [`${'shpat'}_${hex(32)} and ${'shpss'}_${hex(32)}`, '[redacted:shopify] and [redacted:shopify]'],
  [`bot 123456789:${'AA'}${made(33)}`, 'bot [redacted:telegram]'],
  [
    `https://api.telegram.org/bot123456789:${'AA'}${made(33)}/getMe`,
    'https://api.telegram.org/bot[redacted:telegram]/getMe',
  ],
  [
    'machine example.org login me password Tr0ub4dor3x',
    'machine example.org login me password [redacted:password]',
  ],
  [
    `Set-Cookie: session=${made(32)}; Path=/; HttpOnly`,
    'Set-Cookie: session=[redacted:cookie]; Path=/; HttpOnly',
  ],
  [`< set-cookie: sid=s%3A${made(24)}.${made(20)}; Secure`, '< set-cookie: sid=[redacted:cookie]; Secure'],
  [`Cookie: a=1; sid=${made(32)}`, 'Cookie: a=1; sid=[redacted:cookie]'],
  [
    `{"auths":{"example.org":{"auth":"${made(28)}"}}}`,
    '{"auths":{"example.org":{"auth":"[redacted:authorization]"}}}',
  ],
  [`{\\"auth\\":\\"${made(28)}\\"}`, '{\\"auth\\":\\"[redacted:authorization]\\"}'],
  [`Authorization: Bearer ${made(24)}`, 'Authorization: Bearer [redacted:authorization]'],
  [`-H 'authorization: bearer ${jwt}'`, `-H 'authorization: bearer [redacted:jwt]'`],
  ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [redacted:authorization]'],
  [`curl -H "Authorization: token ${hex(40)}"`, 'curl -H "Authorization: token [redacted:authorization]"'],
  ['password=Tr0ub4dor&x=1', 'password=[redacted:password]&x=1'],
  ['DB_PASSWORD="s3cr3t!V4lue"', 'DB_PASSWORD="[redacted:password]"'],
  [`{"apiKey": "${made(20)}", "n": 1}`, '{"apiKey": "[redacted:key]", "n": 1}'],
  [`{\\"token\\":\\"${made(20)}\\"}`, '{\\"token\\":\\"[redacted:token]\\"}'],
  [`token: ${hex(40)}`, 'token: [redacted:token]'],
  [`login --token ${made(20)} --yes`, 'login --token [redacted:token] --yes'],
  [`GET /x?access_token=${made(20)}&page=2 HTTP/1.1`, 'GET /x?access_token=[redacted:token]&page=2 HTTP/1.1'],
  ['postgres://app:hunter2@db:5432/x', 'postgres://app:[redacted:url]@db:5432/x'],
  [`git clone https://${hex(40)}@host/x.git`, 'git clone https://[redacted:url]@host/x.git'],
  ['redis://:p%40ss@127.0.0.1', 'redis://:[redacted:url]@127.0.0.1'],
  [`\u001B[1;31m${'ghp'}_${made(36)}\u001B[0m`, '\u001B[1;31m[redacted:github]\u001B[0m'],
  [`{"text":"it is\\n${'ghp'}_${made(36)}\\nso"}`, '{"text":"it is\\n[redacted:github]\\nso"}'],
  [`{"text":"\\u001b[31m${'ghp'}_${made(36)}"}`, '{"text":"\\u001b[31m[redacted:github]"}'],
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

/** Text that agents print all day, none of which may be changed. */
export const harmless = [
  'commit da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'index 3b18e51..a1b2c3d 100644',
  'id: 550e8400-e29b-41d4-a716-446655440000',
  `"integrity": "sha512-${made(86)}=="`,
  `sha256:${hex(64)}`,
  `data:image/png;base64,iVBORw0KGgo${made(200)}`,
  `Buffer.from('${made(64)}', 'base64')`,
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

export const env = {
  GITHUB_TOKEN: 'plainlookingvalue',
  DB_PASSWORD_FILE: '/run/secrets/db_password',
  MY_SECRET: 'plainlooking',
  'NPM_CONFIG_//X/_AUTHKEY': 'none of ours',
  API_KEY: 'short',
  APP_PASSWORD: 'with "quotes" and\nlines',
  HOME: '/home/somebody',
  EDITOR: 'some-editor-of-mine',
}

/**
 * Sequences that a terminal does not show as text: colours, other CSI, a character set, a title, a link.
 * `spelledEscapes`: such sequences as JSON and shells spell them.
 */
export const escapes = [
  '\u001B[31m',
  '\u001B[0m',
  '\u001B[38;2;10;20;30m',
  '\u001B[m',
  '\u001B[K',
  '\u001B[?25l',
  '\u001B(B',
  '\u001B]0;a title\u0007',
  '\u001B]8;;http://127.0.0.1/x\u001B\\',
]
export const spelledEscapes = [
  '\\u001b[31m',
  '\\u001B[0m',
  '\\u001b[1;32m',
  '\\x1b[1m',
  '\\033[0m',
  '\\e[4m',
  '\\u001b]0;t\\u0007',
]

/** The text with escapes between two characters of a word, at these places. */
export function broken(text: string, at: readonly (readonly [number, string])[]): string {
  const places = [...text.matchAll(/(?<=\w)(?=\w)/g)].map(({ index }) => index)
  const put = at.map(([n, code]) => [places[n % places.length] ?? 0, code] as const)
  return put
    .toSorted(([one], [other]) => other - one)
    .reduce((to, [n, code]) => to.slice(0, n) + code + to.slice(n), text)
}

/** A secret with escapes inside, and the text to show: no escape is lost. */
export const brokenSecrets: [string, string][] = [
  [`${'ghp'}_${made(10)}\u001B[31m${made(26)}`, '[redacted:github]\u001B[31m'],
  [`${'gh'}\u001B[1;31mp_${made(36)}\u001B[0m.`, '[redacted:github]\u001B[1;31m\u001B[0m.'],
  [`STRIPE=\u001B[31m${'sk'}_live\u001B[K_${made(24)}`, 'STRIPE=\u001B[31m[redacted:stripe]\u001B[K'],
  [
    `pass\u001B[1mword\u001B[0m: ${made(8)}\u001B[1m${made(8)}`,
    'pass\u001B[1mword\u001B[0m: [redacted:password]\u001B[1m',
  ],
  [`{"text":"${'ghp'}_${made(10)}\\u001b[31m${made(26)}"}`, '{"text":"[redacted:github]\\u001b[31m"}'],
  [
    `{"text":"so:\\n${'ghp'}_${made(9)}\\u001b[0m${made(27)}"}`,
    '{"text":"so:\\n[redacted:github]\\u001b[0m"}',
  ],
  [`key\u001B[31m${'ghp'}_${made(36)}\u001B[0m`, 'key\u001B[31m[redacted:github]\u001B[0m'],
  [`\u001B]0;${'ghp'}_${made(36)}\u0007x`, '\u001B]0;[redacted:github]\u0007x'],
  [`plain\u001B[1mlooking\u001B[0m`, '[redacted:$MY_SECRET]\u001B[1m\u001B[0m'],
]
