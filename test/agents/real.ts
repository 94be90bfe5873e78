/**
 * The real agent programs, each with a home of its own that knows only the model server of a test. How each agent calls
 * its tool to edit a file is here, and no other difference between them.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { type TestContext, type TestOptions, test } from 'node:test'
import { refused } from '../rig/needs.ts'
import { makeRig, type Rig, root } from '../rig/rig.ts'
import { type ModelServer, modelServer, type ToolCall, type Turn } from './model-server.ts'

type TestBody = (t: TestContext) => Promise<void>

export const realAgents = ['opencode', 'claude', 'codex', 'gemini', 'cline'] as const

export type RealAgent = (typeof realAgents)[number]

let programs: { dir: string; skip: string | false } | null = null

/**
 * The directory of the programs. The first test that needs them installs them; `skip` says why that is not possible.
 */
function found(): { dir: string; skip: string | false } {
  const { status, stdout, stderr } = spawnSync('sh', [join(root, 'scripts', 'agents')], { encoding: 'utf8' })
  const dir = join(stdout.trim(), 'node_modules', '.bin')
  return { dir, skip: status !== 0 && refused(stderr.trim().split('\n').at(-1) ?? 'no agent programs') }
}

export function programsDir(): string {
  programs ??= found()
  return programs.dir
}

/** A test that drives a real agent program. Skipped if the programs cannot be installed; in CI that is a failure. */
export function agentTest(name: string, ...given: [TestBody] | [TestOptions, TestBody]): void {
  const [options, body] = given.length === 1 ? [{}, given[0]] : given
  programs ??= found()
  test(name, { ...options, skip: options.skip || programs.skip }, body)
}

export type Place = { rig: Rig; server: ModelServer; agent: RealAgent; edit: Edit; args: string[] }

type Script = Parameters<typeof modelServer>[1] & { turns: (edit: Edit) => Turn[] }

/** A work tree with two mistakes in it, and the agent set up to talk to a server that plays these turns. */
export async function placeFor(
  t: Pick<TestContext, 'after'>,
  agent: RealAgent,
  script: Script['turns'] | Script,
): Promise<Place> {
  const rig = makeRig(t)
  const edit = editOf(agent, rig.tree)
  const { turns, ...manner } = typeof script === 'function' ? { turns: script } : script
  const server = await modelServer(turns(edit), manner)
  t.after(() => server.close())
  rig.write('sum.mjs', 'export const sum = (a, b) => a - b\nexport const twice = a => a\n')
  rig.write('check.mjs', check)
  const path = [programsDir(), dirname(process.execPath), process.env['PATH']].join(delimiter)
  Object.assign(rig.env, { PATH: path }, homes[agent](server.url, rig.env['HOME'] ?? ''))
  const args = ['start', 'mend sum.mjs', '-p', 'node check.mjs', '--agent', agent, ...extra[agent], '--json']
  return { rig, server, agent, edit, args }
}

const check = `import { sum, twice } from './sum.mjs'
const wrong = []
if (sum(2, 3) !== 5) wrong.push('sum(2, 3) is ' + sum(2, 3))
if (twice(4) !== 8) wrong.push('twice(4) is ' + twice(4))
for (const text of wrong) console.error(text)
process.exit(wrong.length === 0 ? 0 : 1)
`

export type Edit = (from: string, to: string) => ToolCall

/** The two mistakes of the sample, mended. */
export const mendSum = ['a - b', 'a + b'] as const
export const mendTwice = ['a => a', 'a => a * 2'] as const

function editOf(agent: RealAgent, tree: string): Edit {
  const file = join(tree, 'sum.mjs')
  return (from, to) => {
    switch (agent) {
      case 'opencode':
        return { name: 'edit', input: { filePath: file, oldString: from, newString: to } }
      case 'claude':
        // The Edit tool of claude needs the file to be read first.
        return {
          name: 'Bash',
          input: { command: `sed -i 's/${escaped(from)}/${to}/' sum.mjs`, description: 'mend' },
        }
      case 'codex':
        return { name: 'exec_command', input: { cmd: `sed -i 's/${escaped(from)}/${to}/' sum.mjs` } }
      case 'gemini':
        return {
          name: 'replace',
          input: { file_path: file, instruction: 'mend', old_string: from, new_string: to },
        }
      case 'cline':
        return { name: 'editor', input: { path: file, old_text: from, new_text: to } }
      default:
        return agent satisfies never
    }
  }
}

function escaped(text: string): string {
  return text.replaceAll('*', '\\*')
}

const extra: Record<RealAgent, string[]> = {
  opencode: [],
  claude: [],
  codex: ['--model', 'gpt-5.1-codex'],
  gemini: ['--model', 'gemini-2.5-pro'],
  cline: ['--price', '3/15'],
}

/** The environment in which the program talks to this server and to nothing else. */
const homes: Record<RealAgent, (url: string, home: string) => Record<string, string>> = {
  opencode: url => ({
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${url}/v1`, apiKey: 'none' },
          models: {
            m1: {
              limit: { context: 100_000, output: 8_000 },
              cost: { input: 3, output: 15, cache_read: 0.3 },
            },
          },
        },
      },
      model: 'scripted/m1',
      small_model: 'scripted/m1',
      share: 'disabled',
      autoupdate: false,
    }),
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }),
  claude: url => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'test-key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
  }),
  codex: (url, home) => {
    write(
      join(home, '.codex', 'config.toml'),
      [
        'model_provider = "local"',
        'check_for_update_on_startup = false',
        '[analytics]\nenabled = false',
        '[model_providers.local]\nname = "local"\nwire_api = "responses"\nenv_key = "LOCAL_KEY"',
        `base_url = "${url}/v1"`,
        'request_max_retries = 0\nstream_max_retries = 0',
        // While a command runs, the sandbox of codex makes a .git in every directory that the command may write to. In
        // /tmp it would become the repository of all trees of other tests.
        '[sandbox_workspace_write]\nexclude_slash_tmp = true\n',
      ].join('\n'),
    )
    // Below the temporary directory codex makes no link to its helper, which an older bubblewrap needs.
    const temporary = join(home, 'tmp')
    mkdirSync(temporary, { recursive: true })
    return { LOCAL_KEY: 'test-key', TMPDIR: temporary }
  },
  gemini: (url, home) => {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
    }
    write(join(home, '.gemini', 'settings.json'), JSON.stringify(settings))
    return { GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: url }
  },
  cline: (url, home) => {
    const settings = { provider: 'openai-compatible', apiKey: 'test-key', model: 'm1', baseUrl: `${url}/v1` }
    const providers = {
      'openai-compatible': { settings, tokenSource: 'manual', updatedAt: '2026-01-01T00:00:00Z' },
    }
    const all = { version: 1, lastUsedProvider: 'openai-compatible', modes: {}, providers }
    write(join(home, '.cline', 'data', 'settings', 'providers.json'), JSON.stringify(all))
    return {}
  },
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
