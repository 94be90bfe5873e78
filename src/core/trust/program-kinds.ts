/**
 * What a program of a promise does with the files that it is given. An inspector looks at them: they are the work, tests
 * included. A comparer holds one file against another. A shell or an interpreter runs its first file. Every other
 * program runs something, so that what it may run is on the side that judges.
 */
import type { Call } from './calls.ts'

/** Does nothing with files that could judge them. */
const neutral = words(
  `echo printf true false : cd pushd popd export set unset sleep mkdir rmdir rm cp mv ln touch chmod exit return wait
  trap kill pwd date read shift local readonly umask ulimit eval tee install mktemp tput clear which type hash source-env
  sort uniq cut tr paste column rev tac nl fold xargs seq yes id whoami hostname uname env basename dirname realpath
  readlink curl wget tar gzip gunzip zip unzip`,
)

const inspectors = words(
  `grep egrep fgrep rg ag ack test [ [[ jq yq xq dasel cat head tail wc stat ls file find du awk gawk mawk sed strings od
  xxd hexdump md5sum sha1sum sha256sum sha512sum cksum b2sum less more nl
  xmllint yamllint jsonlint ajv tidy htmlhint html-validate vnu pa11y lighthouse linkinator lychee
  markdownlint markdownlint-cli2 mdl remark vale cspell codespell aspell proselint write-good textlint
  eslint biome oxlint prettier stylelint standard xo tslint jshint dprint tsc flow svelte-check vue-tsc
  ruff flake8 pylint black isort mypy pyright pytype pyre pydocstyle bandit pyflakes pycodestyle autopep8 yapf
  gofmt goimports golangci-lint staticcheck govet revive rustfmt clippy-driver shellcheck shfmt
  terraform tofu tflint hadolint sqlfluff sqlint checkov kubeval kubeconform kube-linter helm ansible-lint actionlint
  buf protolint clang-format clang-tidy cppcheck cpplint rubocop reek phpcs phpstan psalm ktlint detekt swiftlint
  swiftformat credo hlint stylish-haskell luacheck msgfmt i18next-parser editorconfig-checker
  gitleaks license-checker publint attw knip depcheck`,
)

/** Programs of which some calls only look: the first word that is no option tells. */
const inspecting: Record<string, ReadonlySet<string>> = {
  go: words('vet fmt'),
  cargo: words('fmt clippy check'),
  deno: words('lint fmt check'),
  dart: words('analyze format'),
  mix: words('format credo'),
  git: words(
    'diff grep ls-files log show status rev-parse cat-file check-ignore ls-tree describe tag branch',
  ),
  dotnet: words('format'),
}

const comparers = words('diff cmp comm')
const shells = /^(?:sh|bash|dash|zsh|ksh|ash|source|\.)$/
const interpreters =
  /^(?:node|nodejs|python[\d.]*|pypy3?|ruby|perl|php|bun|deno|tsx|ts-node|lua|Rscript|julia|elixir)$/
/** Modules that only look, as in `python3 -m py_compile`. */
const inspectingModules = words(
  'py_compile compileall json.tool tabnanny mypy flake8 pylint black isort ruff pyflakes pycodestyle',
)
const packageRunners = /^(?:npm|pnpm|yarn|bun|turbo|nx|lerna|wireit)$/

type ProgramKind =
  | 'neutral'
  | 'inspector'
  | 'comparer'
  | 'shell'
  | 'interpreter'
  | 'package-runner'
  | 'make'
  | 'runner'

export function kindOfCall({ program, args }: Pick<Call, 'program' | 'args'>): ProgramKind {
  const first = args.find(word => !word.startsWith('-')) ?? ''
  if (program === 'env' && args.length > 0) return 'runner'
  if (neutral.has(program)) return 'neutral'
  if (program === 'git' && args.includes('--no-index')) return 'comparer'
  if (inspectors.has(program) || inspecting[program]?.has(first)) return 'inspector'
  if (comparers.has(program)) return 'comparer'
  if (shells.test(program)) return args.some(word => /^-\w*n$/.test(word)) ? 'inspector' : 'shell'
  if (packageRunners.test(program) && !(program === 'bun' && first === 'test')) return 'package-runner'
  if (interpreters.test(program)) return looksOnly(args) ? 'inspector' : 'interpreter'
  return /^(?:g?make|just|task)$/.test(program) ? 'make' : 'runner'
}

function looksOnly(args: readonly string[]): boolean {
  const at = args.indexOf('-m')
  return args.includes('--check') || (at >= 0 && inspectingModules.has(args[at + 1] ?? ''))
}

/** The words of a call that can be files: no options, and not the pattern that `grep` searches for. */
export function operandsOf({ program, args }: Pick<Call, 'program' | 'args'>): string[] {
  if (/^(?:test|\[|\[\[)$/.test(program))
    return args.filter((_, at) => /^-[a-zA-Z]$/.test(args[at - 1] ?? ''))
  const options = program === 'find' ? args.findIndex(word => /^[-(!]/.test(word)) : -1
  const plain = args
    .slice(0, options < 0 ? args.length : options)
    .filter(word => word !== '' && !word.startsWith('-') && word !== '!' && word !== ']')
  const hasPattern = /^(?:[ef]?grep|rg|ag|ack|sed|g?awk|mawk|jq|yq)$/.test(program)
  return hasPattern && !args.some(word => /^-(?:e|f)$/.test(word)) ? plain.slice(1) : plain
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}
