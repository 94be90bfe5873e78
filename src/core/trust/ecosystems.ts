/**
 * What steers verification in each family of tools: the programs that a promise names, the files that configure them,
 * and the directories that contain the tools themselves. One row for each family; the rules are in core/trust/steering.
 */

export type Ecosystem = {
  name: string
  /** A promise that names one of these programs is verified by this family. */
  programs: readonly string[]
  /**
   * Files at the root of a project by which this family is recognised, for a promise such as `make test` that may call
   * any.
   */
  markers: readonly RegExp[]
  /** Names of files, at any depth, that decide what is run and how it is judged. */
  config: readonly RegExp[]
  /** The one of `config` that says nothing to some programs: `node --test` runs by no script of package.json. */
  unread?: { file: RegExp; by: readonly string[] }
  /** Directories, at any depth, that contain the tools. */
  tools: readonly string[]
  /** Modules of the runner. A file of the same name replaces such a module, if its directory is searched first. */
  modules?: readonly string[]
  /** A program that runs no tests. */
  isHelper?: true
}

const ecmascript = '[cm]?[jt]sx?'
const packageJson = /^package\.json$/
const pyproject = /^(?:pyproject\.toml|setup\.(?:py|cfg))$/

export const ecosystems: readonly Ecosystem[] = [
  {
    name: 'JavaScript',
    programs:
      'node npm npx pnpm pnpx yarn bun bunx deno tsx ts-node tsc jest vitest mocha ava tap c8 nyc jasmine karma playwright cypress eslint biome oxlint prettier stylelint turbo nx lerna'.split(
        ' ',
      ),
    markers: [packageJson, /^deno\.jsonc?$/],
    config: [
      packageJson,
      /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock)$/,
      /^\.(?:npmrc|yarnrc(?:\.yml)?|pnpmfile\.cjs|nvmrc|node-version|swcrc|taprc|env(?:\..+)?)$/,
      /^(?:pnpm-workspace\.yaml|lerna\.json|nx\.json|turbo\.json|bunfig\.toml|deno\.jsonc?)$/,
      /^[tj]sconfig(?:\.[\w.-]+)?\.json$/,
      /^\.(?:babelrc|mocharc|nycrc|c8rc|eslintrc|prettierrc|stylelintrc|oxlintrc)(?:\.\w+)?$/,
      /^\.(?:eslintignore|prettierignore)$/,
      /^biome\.jsonc?$/,
      new RegExp(
        `^(?:jest|vitest|vite|ava|babel|karma|playwright|cypress|nyc|eslint|prettier|stylelint|webpack|rollup|wdio|jasmine)\\.(?:config|conf|setup|workspace)(?:\\.[\\w-]+)?\\.(?:${ecmascript}|json)$`,
      ),
      new RegExp(`^(?:setup-?[tT]ests?|test-?[sS]etup|jest-?[sS]etup|vitest-?[sS]etup)\\.${ecmascript}$`),
    ],
    unread: { file: packageJson, by: ['node', 'tsx', 'ts-node', 'tsc'] },
    tools: ['node_modules', '.yarn', '.pnp.cjs'],
  },
  {
    name: 'Python',
    programs:
      'python python3 pytest py.test tox nox unittest coverage ruff flake8 mypy pyright pylint black uv poetry pdm hatch pipenv'.split(
        ' ',
      ),
    markers: [/^(?:pyproject\.toml|setup\.(?:py|cfg)|pytest\.ini|tox\.ini|requirements.*\.txt|Pipfile)$/],
    config: [
      /^(?:conftest|sitecustomize|usercustomize|noxfile)\.py$/,
      pyproject,
      /^(?:tox\.ini|\.?pytest\.(?:ini|toml)|\.?mypy\.ini|\.?ruff\.toml|\.flake8|\.coveragerc|\.pylintrc|pyrightconfig\.json)$/,
      /^(?:requirements.*\.(?:txt|in)|Pipfile(?:\.lock)?|poetry\.lock|uv\.lock|pdm\.lock|\.python-version)$/,
      /\.pth$/,
    ],
    unread: { file: pyproject, by: ['python', 'python3', 'unittest'] },
    tools: ['.venv', 'venv', 'site-packages', '.tox', '.nox'],
    modules:
      'argparse ast asyncio base64 bdb bisect calendar cmd code codecs codeop collections concurrent contextlib contextvars copy csv dataclasses datetime decimal difflib dis doctest email enum fnmatch fractions functools gettext glob gzip hashlib heapq http importlib inspect io ipaddress json keyword linecache locale logging numbers opcode operator os pathlib pdb pkgutil platform pprint profile queue random re reprlib runpy selectors shlex shutil signal site socket ssl stat string struct subprocess sysconfig tempfile textwrap threading timeit token tokenize traceback types typing unittest urllib uuid warnings weakref xml zipfile pytest _pytest pluggy iniconfig packaging coverage nose2 tox nox'.split(
        ' ',
      ),
  },
  {
    name: 'Go',
    programs: ['go', 'gotestsum', 'golangci-lint', 'staticcheck'],
    markers: [/^go\.(?:mod|work)$/],
    config: [/^go\.(?:mod|sum|work|work\.sum)$/, /^\.golangci\.(?:ya?ml|toml|json)$/],
    tools: ['vendor'],
  },
  {
    name: 'Rust',
    programs: ['cargo', 'rustc', 'cargo-nextest', 'clippy-driver'],
    markers: [/^Cargo\.toml$/],
    config: [
      /^Cargo\.(?:toml|lock)$/,
      /^(?:build\.rs|rust-toolchain(?:\.toml)?|\.?clippy\.toml|rustfmt\.toml|nextest\.toml)$/,
    ],
    tools: ['.cargo'],
  },
  {
    name: 'Make',
    programs: ['make', 'gmake', 'just', 'task', 'ninja', 'cmake', 'ctest', 'meson', 'bazel'],
    markers: [],
    config: [
      // make makes them anew from a file with another ending.
      /^(?:GNU)?[Mm]akefile(?:\.\w+)?$/,
      /\.(?:mk|cmake)(?:\.\w+)?$/,
      /^\.?[Jj]ustfile$/,
      /^(?:Taskfile\.ya?ml|CMakeLists\.txt|meson\.build|WORKSPACE|MODULE\.bazel|BUILD(?:\.bazel)?)$/,
    ],
    tools: [],
  },
  {
    name: 'Git',
    programs: ['git'],
    markers: [],
    config: [/^\.gitattributes$/],
    tools: [],
    isHelper: true,
  },
  {
    name: 'Java',
    programs: ['mvn', 'mvnw', 'gradle', 'gradlew', 'ant', 'sbt'],
    markers: [/^(?:pom\.xml|build\.gradle(?:\.kts)?|build\.xml|build\.sbt)$/],
    config: [
      /^(?:pom\.xml|build\.xml|build\.sbt|mvnw|gradlew|gradle\.properties|gradle-wrapper\.(?:jar|properties))$/,
      /^(?:build|settings|init)\.gradle(?:\.kts)?$/,
    ],
    tools: ['.mvn'],
  },
  {
    name: 'Ruby',
    programs: ['ruby', 'rspec', 'rake', 'bundle', 'minitest', 'rubocop', 'rails'],
    markers: [/^(?:Gemfile|Rakefile)$/],
    config: [/^(?:Gemfile(?:\.lock)?|Rakefile|\.rspec|\.rubocop\.yml|\.ruby-version|\.irbrc)$/],
    tools: [],
  },
  {
    name: 'PHP',
    programs: ['php', 'phpunit', 'composer', 'pest', 'phpstan', 'artisan'],
    markers: [/^composer\.json$/],
    config: [/^(?:composer\.(?:json|lock)|phpunit(?:\.dist)?\.xml(?:\.dist)?|phpstan\.neon(?:\.dist)?)$/],
    tools: ['vendor'],
  },
  {
    name: '.NET',
    programs: ['dotnet', 'msbuild', 'nunit3-console'],
    markers: [/\.(?:sln|[cf]sproj)$/],
    config: [/\.(?:sln|[cf]sproj|runsettings|props|targets)$/, /^(?:global\.json|nuget\.config)$/i],
    tools: [],
  },
]
