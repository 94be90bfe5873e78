/**
 * Writes docs/reference from the tables that the program itself goes by: config.md from the settings,
 * commands.md from the commands, report.md from the schema of the report. With --check it writes nothing and fails when a page is out of date.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as z from 'zod'
import { type CommandRow, commands } from '../src/cli/command-table.ts'
import { daemonCommands } from '../src/cli/loopd/command-table.ts'
import { reportDocument } from '../src/model/report.ts'
import { type Setting, settings } from '../src/options/setting.ts'
import { commonFlags } from '../src/options/table/command.ts'
import type { Flag } from '../src/options/table/flag.ts'

const pages: Record<string, string> = {
  'config.md': configPage(),
  'commands.md': commandsPage(),
  'report.md': reportPage(),
}
const check = process.argv.includes('--check')

mkdirSync('docs/reference', { recursive: true })
for (const [name, text] of Object.entries(pages)) {
  const file = `docs/reference/${name}`
  if (!check) writeFileSync(file, text)
  else if (readOrEmpty(file) !== text) {
    console.error(`${file}: out of date; write it with: npm run reference`)
    process.exitCode = 1
  }
}

function configPage(): string {
  return `# Configuration

What holds is the first of these that says something: the flag, the environment variable, \`.loop/config.yaml\` of the work tree, \`~/.config/daedalos/loop/config.yaml\` (\`$XDG_CONFIG_HOME\` is honoured), the default. \`loop config list\` shows each key with its value and where it comes from.

A file is flat YAML, one key with one value a line:

\`\`\`yaml
agent: custom
agent_cmd: my-agent --yes
timeout: 15m
\`\`\`

| key | value | default | variable | flag of \`loop start\` | what it is |
|---|---|---|---|---|---|
${settings.map(settingRow).join('\n')}

A key without a flag is yours alone: a project cannot set it. A switch that a file turns on is turned off for one loop with \`--<flag>=false\`.

\`loop config set <key> <value>\` changes your own file, with \`--project\` that of the work tree; comments and the other keys stay. A key that is not known and a value that does not fit are refused, with file and line, by \`loop start\` too.

**Trust.** The file of a work tree is used only after you trusted it, by path and content: \`loop start\` asks on a terminal and shows what it sets; \`loop start --trust\` and \`loop config trust\` trust it without asking. When it changes, you are asked again. A file that is not trusted is not used, and that is said; it never keeps a loop from starting.
`
}

function settingRow(setting: Setting): string {
  return row([
    code(setting.key),
    code(setting.takes ?? 'true|false'),
    setting.default === undefined ? '' : code(setting.default),
    setting.env ? code(`$${setting.env}`) : '',
    setting.project ? code(`--${setting.name}`) : '',
    setting.help,
  ])
}

function commandsPage(): string {
  const common = `# Commands

Every command takes:

${flagTable(commonFlags)}
`
  const ofLoop = commands.map(command => commandSection('loop', command))
  const ofDaemon = daemonCommands.map(command => commandSection('loopd', command))
  return [common, ...ofLoop, ...ofDaemon, agentReport()].join('\n')
}

function agentReport(): string {
  return `## What an agent may report

Any agent, also a custom one, may write one JSON object to the file \`$LOOP_USAGE_FILE\` names, before it ends:

\`\`\`json
{
  "costUsd": 0.12,
  "tokens": { "input": 1200, "output": 90, "cached": 800 },
  "edits": { "src/cart.ts": 3 },
  "question": "red or blue?",
  "limitedUntil": "2026-11-17T05:00:00Z"
}
\`\`\`

Every field may be left out. \`tokens\` (\`input\` without what came from a cache) are turned into money by \`--price\`, where there is no \`costUsd\`. \`limitedUntil\` (a date, milliseconds since 1970, or \`true\` where no time is known; of a custom agent only, the others are heard themselves) means that the run met a usage limit: it spends no iteration, and loop waits until then or switches to the fallback.
`
}

function commandSection(program: string, command: CommandRow): string {
  return [
    `## ${program} ${command.name}`,
    '',
    `\`${program} ${command.usage}\`: ${command.summary}.`,
    '',
    ...(command.flags.length > 0 ? [flagTable(command.flags), ''] : []),
    ...(command.keys ? ['The keys: [config.md](config.md).', ''] : []),
    '```',
    ...command.examples,
    '```',
    '',
  ].join('\n')
}

type Schema = {
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

function reportPage(): string {
  const schema = z.toJSONSchema(reportDocument, { reused: 'inline' }) as Schema
  return `# The document of \`loop report --json\`

One JSON object; fields are added in later versions, none is taken away. Money is in dollars. A sum in which some run did not say all of its cost is \`costIncomplete\`: it is at least that much.

| field | type | what it is |
|---|---|---|
${fieldRows('', schema).join('\n')}
`
}

/** What has the same fields as something before it is not described again. */
function fieldRows(prefix: string, { properties = {} }: Schema, described = new Set<string>()): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const [form = schema] = schema.anyOf ?? [schema]
    const isNullable = schema.anyOf?.some(({ type }) => type === 'null') ?? false
    const inner = form.type === 'array' ? (form.items ?? {}) : form
    const word = [form.type ?? []].flat().join(' or ')
    const type = `${form.type === 'array' ? `list of ${inner.type}s` : word}${isNullable ? ' or null' : ''}`
    const path = `${prefix}${name}${form.type === 'array' ? '[]' : ''}`
    const shape = JSON.stringify(inner.properties ?? {})
    const isKnown = inner.properties !== undefined && described.has(shape)
    described.add(shape)
    const same = isKnown ? ['the same fields as above'] : []
    const what = [schema.description ?? form.description, ...same].filter(Boolean).join('; ')
    return [row([code(path), type, what]), ...(isKnown ? [] : fieldRows(`${path}.`, inner, described))]
  })
}

function flagTable(flags: Flag[]): string {
  const rows = flags.map(flag => {
    const short = flag.short ? `, \`-${flag.short}\`` : ''
    const name = code(`--${flag.name}${flag.takes ? ` <${flag.takes}>` : ''}`)
    const fallback = flag.default === undefined ? '' : code(flag.default)
    return row([`${name}${short}`, fallback, flag.env ? code(`$${flag.env}`) : '', flag.help])
  })
  return ['| flag | default | variable | what it does |', '|---|---|---|---|', ...rows].join('\n')
}

function row(cells: string[]): string {
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function code(text: string): string {
  return `\`${text}\``
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
