/** Values in a shell command: where a value may stand and in what form, and where it is refused and why. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splice } from '../../../../src/core/shell/splice.ts'

const isCommand = (path: string) => path === 'test'

/** The verdict on each reference of a command, in order: `ok`, or why and by what it is refused. */
function judged(command: string): string[] {
  const { refused, paths } = splice(command, isCommand)
  return [...refused.map(({ why, by }) => `${why} ${by}`), ...paths.map(path => `ok ${path}`)]
}

test('the form of a value by the quotes it stands in', () => {
  const rows = {
    'echo {{x}}': 'echo "$LOOP_VAR_x"',
    'echo "a {{x}} b"': 'echo "a ${LOOP_VAR_x} b"',
    "echo 'a {{x}} b'": `echo 'a '"$LOOP_VAR_x"' b'`,
    'cat <<E\n{{x}}\nE': 'cat <<E\n${LOOP_VAR_x}\nE',
    'echo "$(echo {{x}})"': 'echo "$(echo "$LOOP_VAR_x")"',
    'loop rollback {{failed_loop}} initial': 'loop rollback "$LOOP_VAR_failed_loop" initial',
    'echo {{ outputs.build-it.version }}': 'echo "$LOOP_VAR_outputs__build_it__version"',
    'echo {{matrix.os}}': 'echo "$LOOP_VAR_matrix__os"',
    '{{test}}': '/bin/sh -c "$LOOP_VAR_test"',
    "! CI=1 {{test}} 2>&1 | grep -q '{{x}}'": `! CI=1 /bin/sh -c "$LOOP_VAR_test" 2>&1 | grep -q ''"$LOOP_VAR_x"''`,
    'echo a # {{x}}': 'echo a # {{x}}',
    "echo '\\{{x}}' {{x}}": `echo '{{x}}' "$LOOP_VAR_x"`,
    "docker ps --format '{{.Names}}' {{x}}": `docker ps --format '{{.Names}}' "$LOOP_VAR_x"`,
  }
  for (const [command, expected] of Object.entries(rows)) {
    assert.deepEqual(splice(command, isCommand).refused, [], command)
    assert.equal(splice(command, isCommand).command, expected)
  }
})

test('refused in the arguments of a second evaluator', () => {
  const rows: Record<string, string> = {
    "sh -c 'echo {{x}}'": 'sh',
    'bash -lc "{{x}}"': 'bash',
    '/bin/bash -o pipefail -c {{x}}': '/bin/bash',
    'sh {{x}}': 'sh',
    "eval echo '{{x}}'": 'eval',
    'eval "$(echo {{x}})"': 'eval',
    '. {{x}}': '.',
    "trap 'rm {{x}}' EXIT": 'trap',
    'ssh host ls {{x}}': 'ssh',
    'ssh {{x}} ls': 'ssh',
    "ls | xargs sh -c 'echo {{x}}'": 'sh',
    "find . -name '*.js' -exec sh -c 'grep {{x}} $1' _ {} \\;": 'sh',
    'node -e "console.log({{x}})"': 'node',
    'node --input-type=module --eval={{x}}': 'node',
    'deno eval "{{x}}"': 'deno',
    "python3 -c 'print({{x}})'": 'python3',
    "python3.12 -W ignore -c 'print({{x}})'": 'python3.12',
    "perl -ne 'print {{x}}'": 'perl',
    "ruby -e 'puts {{x}}'": 'ruby',
    "php -r 'echo {{x}};'": 'php',
    "awk '{print {{x}}}'": 'awk',
    "awk -v n={{x}} '{print n}'": 'awk',
    'sed "s/a/{{x}}/" f': 'sed',
    'jq ".a == {{x}}" f': 'jq',
    'su -c "{{x}}" nobody': 'su',
    'watch "ls {{x}}"': 'watch',
    'make TARGET={{x}}': 'make',
    'TARGET={{x}} make': 'make',
    'docker exec web sh -c "ls {{x}}"': 'sh',
    'kubectl exec web -- bash -c "ls {{x}}"': 'bash',
    'sudo -u me bash -c "{{x}}"': 'bash',
    'timeout 5 sh -c "{{x}}"': 'sh',
    'nice -n 5 sh -c "{{x}}"': 'sh',
    'command eval {{x}}': 'eval',
    'exec sh -c {{x}}': 'sh',
    'busybox sh -c {{x}}': 'sh',
    'psql -c "select {{x}}"': 'psql',
    'git -c core.pager={{x}} log': 'git -c',
    'git rebase --exec {{x}} main': 'git --exec',
    'mytool --eval={{x}}': 'mytool --eval',
    'test -v {{x}}': 'test',
    'printf -v {{x}} a': 'printf',
    'printf {{x}}': 'printf',
    'test "$op" {{x}}': 'test',
    'wait -p {{x}}': 'wait',
    'bash -o pipefail {{x}}': 'bash',
    'node --env-file .env {{x}}': 'node',
    'python3 -W ignore {{x}}': 'python3',
    'deno run {{x}}': 'deno',
    'find . -execdir {{x}} \\;': 'find -execdir',
    'docker run --entrypoint {{x}} image': 'docker --entrypoint',
    'unset {{x}}': 'unset',
    'read {{x}}': 'read',
    'let "a={{x}}"': 'let',
    'export {{x}}': 'export',
    'PS4={{x}} true': 'PS4',
    'LD_PRELOAD={{x}} true': 'LD_PRELOAD',
  }
  for (const [command, by] of Object.entries(rows))
    assert.deepEqual(judged(command), [`evaluator ${by}`], command)
})

test('refused where it would choose or reach a program', () => {
  const rows: Record<string, string> = {
    '{{x}} --version': 'program {{x}}',
    'a{{x}} b': 'program a{{x}}',
    'CI=1 {{x}}': 'program {{x}}',
    'if {{x}}; then :; fi': 'program {{x}}',
    'a[{{x}}]=1': 'arithmetic a[{{x}}]=1',
    '$SHELL -c {{x}}': 'unknown-program $SHELL',
    '"$(which sh)" -c {{x}}': 'unknown-program "$(which sh)"',
    'env $FLAGS {{x}}': 'unknown-program env',
    "env -S 'sh -c' {{x}}": 'unknown-program env',
    'nice -n 5 {{x}}': 'unknown-program nice',
    'timeout {{x}} true': 'unknown-program timeout',
    'npx {{x}}': 'unknown-program npx',
    'npx -y {{x}}': 'unknown-program npx',
    'tar czf a.tgz {{x}}': 'option tar',
    'rsync {{x}} host:': 'option rsync',
    'git log {{x}}': 'option git',
    'find "{{x}}" -name a': 'option find',
    'f() { eval "$1"; }; f {{x}}': 'unknown-program f',
    'echo {{x}} | sh': 'standard-input sh',
    'echo {{x}} | bash -s': 'standard-input bash',
    'echo {{x}} | sudo sh': 'standard-input sh',
    'echo {{x}} | ssh host': 'standard-input ssh',
    'echo {{x}} | { cat | sh; }': 'standard-input sh',
    'echo {{x}} | python3 -': 'standard-input python3',
    'echo {{x}} | tee log | node': 'standard-input node',
    'echo {{x}} | docker exec -i web sh': 'standard-input sh',
    "echo {{x}} | xargs -I% sh -c 'echo %'": 'standard-input xargs',
    'echo {{x}} | eval "$(cat)"': 'standard-input eval',
    'echo {{x}} | . /dev/stdin': 'standard-input .',
    'echo {{x}} | psql': 'standard-input psql',
    'sh <<E\n{{x}}\nE': 'standard-input sh',
    '{ cat; python3; } <<E\n{{x}}\nE': 'standard-input python3',
    'echo {{x}} | echo `sh`': 'standard-input `…`',
    'for {{x}} in a; do :; done': 'name for',
  }
  for (const [command, expected] of Object.entries(rows))
    assert.deepEqual(judged(command), [expected], command)
})

test('refused where a shell itself would read it once more, or where shells disagree', () => {
  const rows: Record<string, RegExp> = {
    'echo `echo {{x}}`': /^backquotes /,
    'echo $((1 + {{x}}))': /^arithmetic /,
    'echo "${y:-{{x}}}"': /^parameter /,
    "echo ${y:-'{{x}}'}": /^parameter /,
    "cat <<'E'\n{{x}}\nE": /^quoted-heredoc E/,
    'cat <<\\E\n{{x}}\nE': /^quoted-heredoc E/,
    'echo ${{x}}': /^foreign /,
    "echo $'{{x}}'": /^trouble \$'/,
    'echo $[{{x}}]': /^trouble \$\[/,
    '[[ {{x}} -eq 1 ]]': /^trouble \[\[/,
    '(( {{x}} ))': /^trouble \(\(/,
    'a=({{x}})': /^trouble /,
    'cat <({{x}})': /^trouble /,
    'echo {{x}} &> f': /^trouble /,
    'declare -i n; n={{x}}': /^trouble declare/,
    'alias e=eval\ne {{x}}': /^trouble alias/,
    "echo 'a {{x}}": /^trouble a ' that is not closed/,
    'echo "a {{x}}': /^trouble a " that is not closed/,
    'cat <<E\n{{x}}': /^trouble a heredoc without its E/,
    'cat <<{{x}}\nE': /^trouble a heredoc whose end is no word/,
    'echo $(echo {{x}}': /^trouble /,
    'if true; then echo {{x}}': /^trouble /,
    'echo {{x}} )': /^trouble /,
    'cat <<E "\n{{x}}"\nE': /^trouble /,
    'coproc {{x}}': /^trouble coproc/,
  }
  for (const [command, expected] of Object.entries(rows)) {
    const [first = '', ...more] = judged(command)
    assert.match(first, expected, command)
    assert.deepEqual(more, [], command)
  }
})

test('data of programs that could take code stays data', () => {
  for (const command of [
    'sh verify.sh {{x}}',
    'bash -x ./verify.sh "{{x}}"',
    'bash -o pipefail -x ./verify.sh {{x}}',
    'python3 -m pytest -k {{x}}',
    'node --env-file .env check.js {{x}}',
    'deno run check.ts {{x}}',
    'npx vitest run {{x}}',
    'tar czf a.tgz -- {{x}}',
    'tar czf a.tgz ./{{x}}',
    'git log --grep {{x}}',
    'git diff -- {{x}}',
    'git rev-parse --end-of-options {{x}}',
    '[ {{x}} = a ]',
    'node scripts/check.js {{x}}',
    'npm test -- -t {{x}}',
    'env FEATURE={{x}} npm test',
    'timeout -k 5 60 ./verify.sh {{x}}',
    'sudo -u me ./verify.sh {{x}}',
    'grep -c {{x}} f',
    'grep -e {{x}} sh',
    'git commit -m {{x}}',
    'docker run -e X={{x}} image',
    'find . -name {{x}}',
    "sed -n '/a/p' {{x}}",
    'echo {{x}} | grep -q a',
    'echo {{x}} | sh filter.sh',
    "echo {{x}} | ssh host 'cat > f'",
    'xargs rm {{x}}',
    'export X={{x}} Y="{{x}}"',
    'jq --arg x {{x}} -r ".a" f',
  ])
    assert.deepEqual(judged(command), ['ok x'], command)
})

test('two values side by side cannot be an operator and its operand', () => {
  assert.deepEqual(judged('test {{x}} {{y}}'), ['evaluator test', 'ok x'])
  assert.deepEqual(judged('[ ! {{x}} {{y}} ]'), ['evaluator [', 'ok x'])
  assert.deepEqual(judged('printf {{x}} {{y}}'), ['evaluator printf', 'evaluator printf'])
})

test('a variable that is a command stands alone', () => {
  for (const command of ['{{test}} --watch', 'echo {{test}}', '"{{test}}"', "sh -c '{{test}}'", 'x{{test}}'])
    assert.equal(splice(command, isCommand).refused.length, 1, command)
  assert.deepEqual(judged('({{test}}) && {{test}} >log'), ['ok test'])
})

test('what is written stays where there is nothing to put in', () => {
  for (const command of ["echo 'unclosed", '((', '$(', 'echo \\{', "awk '{print {{a b}}}'"])
    assert.deepEqual(splice(command), { command, paths: [], refused: [] })
})
