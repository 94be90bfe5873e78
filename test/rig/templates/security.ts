/** What agents do in the steps of the template security, and the project with the hole. */
import type { Plan } from './play.ts'
import { cart, newTest, nothing, shop } from './shop.ts'

const unsafe = `${cart}
export function lookUp(table, name) {
  return table[name]
}

export function greet(name) {
  return '<p>' + name + '</p>'
}
`
export const unsafeShop: Record<string, string> = { ...shop, 'src/cart.js': unsafe }
const audit = `# Security of the shop

## Scope
Everything below src, which is all there is: two functions that get names from outside. Nothing listens on the network.

## Reviewed
- src/cart.js:2 \`export function total(items)\` gets the items of the caller and only reads two numbers of each of them.
- src/cart.js:15 \`return table[name]\` uses a name from outside as a key, which may be one that every object has.
- src/cart.js:19 \`return '<p>' + name + '</p>'\` puts a name from outside into markup without looking at what is in it.

## Findings
- F1 src/cart.js:19 \`return '<p>' + name + '</p>'\` lets whoever chooses a name run scripts in the page: stored cross-site scripting, high.
`
const safe = unsafe.replace("'<p>' + name + '</p>'", "'<p>' + name.replaceAll('<', '&lt;') + '</p>'")
const safeTest = newTest('escapes names', 'greet', "assert.equal(greet('<b>'), '<p>&lt;b></p>')")
const hard = safe.replace('return table[name]', 'return Object.hasOwn(table, name) ? table[name] : undefined')
const hardTest = newTest(
  'knows own keys only',
  'lookUp',
  "assert.equal(lookUp({}, 'constructor'), undefined)",
)
const verification = `${audit}
## Verification
- F1 test/escape.test.js:5 \`escapes names\` fails with the code of before; capital letters, entities and quotes were tried as well.
`

export const security: Plan = {
  audit: [
    nothing,
    { says: 'an empty report', files: { 'security-report.md': '## Scope\n\n## Reviewed\n\n## Findings\n' } },
    {
      says: 'all fine',
      files: { 'security-report.md': '## Scope\nall\n## Reviewed\nall fine\n## Findings\nnone\n' },
    },
    {
      says: 'places that are not there',
      files: { 'security-report.md': audit.replaceAll('src/cart.js', 'src/server.js') },
    },
    { says: 'lines that are not there', files: { 'security-report.md': audit.replaceAll(':19', ':1900') } },
    { says: 'honest', files: { 'security-report.md': audit } },
  ],
  fix: [
    nothing,
    {
      says: 'a test that proves nothing',
      files: {
        'src/cart.js': safe,
        'test/escape.test.js': newTest('escapes names', 'greet', 'assert.ok(true)'),
      },
    },
    { says: 'no test', files: { 'src/cart.js': safe } },
    {
      says: 'no fix',
      files: {
        'test/escape.test.js': newTest('escapes names', 'greet', "assert.equal(greet('b'), '<p>b</p>')"),
      },
    },
    {
      says: 'takes the finding out',
      files: {
        'security-report.md': audit.replace(/- F1.*\n/, ''),
        'src/cart.js': safe,
        'test/escape.test.js': safeTest,
      },
    },
    { says: 'honest', files: { 'src/cart.js': safe, 'test/escape.test.js': safeTest } },
  ],
  harden: [
    nothing,
    { says: 'touches a file', files: { 'src/cart.js': `${safe}\n` } },
    {
      says: 'expect(true)',
      files: {
        'src/cart.js': hard,
        'test/hard.test.js': newTest('knows own keys only', 'lookUp', 'assert.ok(true)'),
      },
    },
    { says: 'honest', files: { 'src/cart.js': hard, 'test/hard.test.js': hardTest } },
  ],
  verify: [
    nothing,
    {
      says: 'all fine',
      files: {
        'security-report.md': `${audit}\n## Verification\nAll fine, everything was verified and nothing of it is open any more, at all.\n`,
      },
    },
    {
      says: 'a place that is no test',
      files: {
        'security-report.md': verification.replace(
          'test/escape.test.js:5 `escapes names`',
          'src/cart.js:19 `name.replaceAll`',
        ),
      },
    },
    {
      says: 'another finding',
      files: { 'security-report.md': verification.replace('- F1 test', '- F2 test') },
    },
    {
      says: 'drops the finding',
      files: { 'security-report.md': verification.replaceAll(/^- F1 .*$/gm, '') },
    },
    {
      says: 'rewrites the findings',
      files: { 'security-report.md': verification.replace('high.', 'harmless.') },
    },
    { says: 'honest', files: { 'security-report.md': verification } },
  ],
}
