/** Values in a shell command: where a value may stand and in what form, and where it is refused and why. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splice } from '../../../../src/core/shell.ts'

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
    'deno eval "{{x}}"': 'eval',
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
    'a[{{x}}]=1': 'program a[{{x}}]=1',
    '$SHELL -c {{x}}': 'unknown-program $SHELL',
    '"$(which sh)" -c {{x}}': 'evaluator sh',
    '"$(pick)" -c {{x}}': 'unknown-program "$(pick)"',
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
    'f() { eval "$1"; }; f {{x}}': 'trouble a ( after a word',
    'echo {{x}} | sh': 'evaluator sh',
    'echo {{x}} | bash -s': 'evaluator bash',
    'echo {{x}} | sudo sh': 'evaluator sh',
    'echo {{x}} | ssh host': 'evaluator ssh',
    'echo {{x}} | { cat | sh; }': 'evaluator sh',
    'echo {{x}} | python3 -': 'evaluator python3',
    'echo {{x}} | tee log | node': 'evaluator node',
    'echo {{x}} | docker exec -i web sh': 'evaluator sh',
    "echo {{x}} | xargs -I% sh -c 'echo %'": 'evaluator sh',
    'echo {{x}} | eval "$(cat)"': 'evaluator eval',
    'echo {{x}} | . /dev/stdin': 'evaluator .',
    'echo {{x}} | psql': 'evaluator psql',
    'sh <<E\n{{x}}\nE': 'trouble a heredoc',
    '{ cat; python3; } <<E\n{{x}}\nE': 'trouble a heredoc',
    'echo {{x}} | echo `sh`': 'trouble backquotes',
    'for {{x}} in a; do :; done': 'evaluator for',
    'for OPTIND in {{x}}; do :; done': 'evaluator for',
    'OPTIND={{x}}': 'evaluator OPTIND',
    'tar -x {{x}}': 'option tar',
    'git rebase -m {{x}}': 'option git',
    'tar cf a ""{{x}}': 'option tar',
    "mytool '--eval={{x}}'": 'evaluator mytool --eval',
    'loop start fix --promise {{x}}': 'evaluator loop --promise',
    'v={{x}}; eval "$v"': 'evaluator eval',
    '(echo {{x}}; true) | sh': 'evaluator sh',
    'if true; then echo {{x}}; fi | sh': 'evaluator sh',
    'for v in {{x}}; do $v; done': 'unknown-program $v',
    'sh /dev/stdin {{x}}': 'evaluator sh',
    'sed -f - {{x}}': 'evaluator sed',
    '{sh,-c} {{x}}': 'unknown-program {sh,-c}',
  }
  for (const [command, expected] of Object.entries(rows))
    assert.deepEqual(judged(command), [expected], command)
})

test('refused where a shell itself would read it once more, or where shells disagree', () => {
  const rows: Record<string, RegExp> = {
    'echo `echo {{x}}`': /^trouble backquotes/,
    'echo $((1 + {{x}}))': /^trouble arithmetic/,
    'echo "${y:-{{x}}}"': /^trouble \$\{/,
    "echo ${y:-'{{x}}'}": /^trouble \$\{/,
    "cat <<'E'\n{{x}}\nE": /^trouble a heredoc/,
    'cat <<\\E\n{{x}}\nE': /^trouble a heredoc/,
    'echo ${{x}}': /^foreign /,
    "echo $'{{x}}'": /^trouble \$'/,
    'echo $[{{x}}]': /^trouble arithmetic/,
    '[[ {{x}} -eq 1 ]]': /^unknown-program \[\[/,
    '(( {{x}} ))': /^trouble \(\(/,
    'a=({{x}})': /^trouble /,
    'cat <({{x}})': /^trouble /,
    'echo {{x}} &> f': /^trouble /,
    'declare -i n; n={{x}}': /^evaluator declare/,
    'alias e=eval\ne {{x}}': /^evaluator alias/,
    "echo 'a {{x}}": /^trouble a quote or \( that is not closed/,
    'echo "a {{x}}': /^trouble a quote or \( that is not closed/,
    'cat <<E\n{{x}}': /^trouble a heredoc/,
    'cat <<{{x}}\nE': /^trouble a heredoc/,
    'echo $(echo {{x}}': /^trouble /,
    'echo $\\\n(echo {{x}})': /^trouble a backslash/,
    'echo {{x}} \\': /^trouble a backslash/,
    'case a in a) echo {{x}};; esac': /^trouble /,
    'echo {{x}} )': /^trouble /,
    'cat <<E "\n{{x}}"\nE': /^trouble /,
    'coproc {{x}}': /^evaluator coproc/,
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
    'tar czf a.tgz -- {{x}}',
    'tar czf a.tgz ./{{x}}',
    'git log --grep {{x}}',
    'git diff -- {{x}}',
    'git rev-parse --end-of-options {{x}}',
    '[ {{x}} = a ]',
    'node scripts/check.js {{x}}',
    'npm test -- -t {{x}}',
    'grep -c {{x}} f',
    'grep -e {{x}} sh',
    'git commit -m {{x}}',
    'docker run -e X={{x}} image',
    'find . -name {{x}}',
    'echo {{x}} | grep -q a',
    'echo {{x}} | sh filter.sh',
    "echo {{x}} | awk '{print $1}' | sed -E 's/a$//'",
    'make test && grep -q {{x}} f',
    'git commit -m {{x}}',
    '2>&1 echo {{x}} >f 2>/dev/null',
    'if true; then echo {{x}}; fi',
    'echo "$(cat VERSION)" {{x}} "${v:-a b}" $1',
    'export X={{x}} Y="{{x}}"',
  ])
    assert.deepEqual(judged(command), ['ok x'], command)
})

test('data that loop does not tell from code is refused too: "$LOOP_VAR_x" can be written there', () => {
  const rows: Record<string, string> = {
    'bash -x ./verify.sh "{{x}}"': 'evaluator bash',
    'bash -o pipefail -x ./verify.sh {{x}}': 'evaluator bash',
    'python3 -m pytest -k {{x}}': 'evaluator python3',
    'node --env-file .env check.js {{x}}': 'evaluator node',
    'deno run check.ts {{x}}': 'evaluator deno',
    'npx vitest run {{x}}': 'unknown-program npx',
    'env FEATURE={{x}} npm test': 'unknown-program env',
    'timeout -k 5 60 ./verify.sh {{x}}': 'unknown-program timeout',
    'sudo -u me ./verify.sh {{x}}': 'unknown-program sudo',
    "sed -n '/a/p' {{x}}": 'evaluator sed',
    "echo {{x}} | ssh host 'cat > f'": 'evaluator ssh',
    'xargs rm {{x}}': 'unknown-program xargs',
    'jq --arg x {{x}} -r ".a" f': 'evaluator jq',
  }
  for (const [command, expected] of Object.entries(rows))
    assert.deepEqual(judged(command), [expected], command)
})

test('two values side by side cannot be an operator and its operand', () => {
  assert.deepEqual(judged('test {{x}} {{y}}'), ['evaluator test', 'evaluator test'])
  assert.deepEqual(judged('[ ! {{x}} {{y}} ]'), ['evaluator [', 'evaluator ['])
  assert.deepEqual(judged('printf {{x}} {{y}}'), ['evaluator printf', 'evaluator printf'])
})

test('a variable that is a command stands alone', () => {
  for (const command of ['{{test}} --watch', 'echo {{test}}', '"{{test}}"', "sh -c '{{test}}'", 'x{{test}}'])
    assert.equal(splice(command, isCommand).refused.length, 1, command)
  assert.deepEqual(judged('({{test}}) && {{test}} >log'), ['ok test'])
  assert.deepEqual(judged("{{test}} | awk '{print}' | sh"), ['ok test'])
  assert.deepEqual(judged('PATH={{x}} {{test}}'), ['evaluator PATH', 'ok test'])
})

test('what is written stays where there is nothing to put in', () => {
  for (const command of ["echo 'unclosed", '((', '$(', 'echo \\{', "awk '{print {{a b}}}'"])
    assert.deepEqual(splice(command), { command, paths: [], refused: [] })
})
