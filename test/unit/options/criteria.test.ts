/** The end of a criterion's name and the start of its command: a command that contains a `=` is never cut in two. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifications } from '../../../src/model/loop/words.ts'
import { splitName } from '../../../src/options/criteria.ts'
import { startFlags } from '../../../src/options/table/start.ts'

const programs = new Set(
  'npm npx node make env git grep docker dd cargo go python3 pytest curl jq awk sed diff bash sh find ls expr'.split(
    ' ',
  ),
)
const split = (text: string) => splitName(text, name => programs.has(name))

const commands = [
  'FOO=1 npm test',
  'CI=true NODE_ENV=test npm test',
  'test "$A" = b',
  'test a = b',
  'make CC=gcc',
  'make test=all',
  'make -s check CFLAGS=-O2',
  'env A=b npm test',
  'env a=b npm test',
  'node --test --x=y',
  '[ a = b ]',
  '[[ a == b ]]',
  'x=$(cat version); test "$x" = 2',
  'x=$(git status --porcelain) && test -z "$x"',
  'count=`ls | wc -l`; test "$count" -gt 3',
  'n=3; test $n -gt 2',
  'total=0; for i in 1 2; do total=$((total+i)); done; test $total = 3',
  'npm test -- --grep=foo',
  'npm run build && test -n "$X" = ""',
  'dd if=/dev/zero of=/dev/null count=1',
  'docker run app key=value',
  'export A=1; npm test',
  'set -e; A=1 npm test',
  'if [ "$a" = b ]; then npm test; fi',
  'while read l; do test $l = x; done < list',
  '! grep -r key=value src',
  "awk '$1 == 2' table",
  'awk -F= -f check.awk table',
  'curl -sf 127.0.0.1/?a=b',
  'cargo test --features=all',
  'git diff --exit-code --stat=80',
  '(A=1; npm test)',
  '{ a=1; npm test; }',
  './check.sh level=3',
  'sub/run me=3',
  'notyet CC=gcc',
  'a == b',
  'foo=1 npm test',
  'time npm test x=y',
  'cd sub && make V=1',
  'expr 1 = 1',
  'eval a=b',
  'tests -q pass=1',
  'npm test',
]

test('a command that holds a = stays a command', () => {
  for (const command of commands) assert.equal(split(command), null, command)
})

test('a criterion may have a name in plain words', () => {
  const rows: [string, string, string | null, string][] = [
    ['tests pass=npm test', 'tests pass', null, 'npm test'],
    ['lint clean=npm run lint', 'lint clean', null, 'npm run lint'],
    ['no lint errors=npx eslint .', 'no lint errors', null, 'npx eslint .'],
    ['tests pass = npm test', 'tests pass', null, 'npm test'],
    ['  all  green =make', 'all green', null, 'make'],
    ['Prüfung grün=make prüfung', 'Prüfung grün', null, 'make prüfung'],
    ['prüfung=make', 'prüfung', null, 'make'],
    ['テスト 通る=npm test', 'テスト 通る', null, 'npm test'],
    ['2 tests pass=npm test', '2 tests pass', null, 'npm test'],
    ['404 page=curl -sf x', '404 page', null, 'curl -sf x'],
    ['2nd=npm test', '2nd', null, 'npm test'],
    ['v1.2 builds=make', 'v1.2 builds', null, 'make'],
    ['index.html=test -s index.html', 'index.html', null, 'test -s index.html'],
    ['coverage over 80%=npm run coverage', 'coverage over 80%', null, 'npm run coverage'],
    ['tests pass=A=1 npm test', 'tests pass', null, 'A=1 npm test'],
    ['tests pass=test "$A" = b', 'tests pass', null, 'test "$A" = b'],
    ['tests pass=', 'tests pass', null, ''],
    ['lint=npm run lint', 'lint', null, 'npm run lint'],
    ['lint-clean=npm run lint', 'lint-clean', null, 'npm run lint'],
    ['a=$(npm bin)/jest', 'a', null, '$(npm bin)/jest'],
    ['"two words"=npm test', 'two words', null, 'npm test'],
    ['"CI=1"=npm test', 'CI=1', null, 'npm test'],
    ['speed:measurement=npm run bench', 'speed', 'measurement', 'npm run bench'],
    ['page load:measurement=npm run bench', 'page load', 'measurement', 'npm run bench'],
    ['"page load":code review=npm run bench', 'page load', 'code review', 'npm run bench'],
    ['seite lädt:execution-output=make', 'seite lädt', 'execution-output', 'make'],
  ]
  for (const [text, name, type, command] of rows) {
    assert.deepEqual(split(text), { name, type, command }, text)
  }
})

test('the first word decides on this very system: a program of that name makes it a command', () => {
  const text = 'lint clean=npm run lint'
  assert.equal(
    splitName(text, () => true),
    null,
  )
  assert.equal(splitName(text, () => false)?.name, 'lint clean')
})

test('the help of -p and --confirm names every verification type', () => {
  const help = (name: string) => startFlags.find(flag => flag.name === name)?.help ?? ''
  for (const type of verifications) {
    const where = type === 'assumption' ? 'confirm' : 'promise'
    assert.ok(help(where).includes(type), `${type} in the help of --${where}`)
  }
})
