/**
 * Writes docs/reference from the tables that the program itself goes by: config.md from the settings, commands.md from
 * the commands, workflow.md and workflow.schema.json from the keys of a workflow, and the pages of scripts/reference-json
 * about what --json prints, contract.json from scripts/contract. With --check it writes nothing and fails when a page is out of date.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type CommandDefinition, commands } from '../src/cli/command-table.ts'
import { daemonCommands } from '../src/cli/table/loopd.ts'
import { type Setting, settings } from '../src/options/setting.ts'
import { commonFlags } from '../src/options/table/command.ts'
import { type Flag, keyOf } from '../src/options/table/flag.ts'
import { fileKeys, workflowSchema } from '../src/options/workflow/form.ts'
import { loopOptions } from '../src/options/workflow/keys.ts'
import { broken, type Contract, contractNow, withNew } from './contract.ts'
import { code, documentsOf, jsonPage, jsonSchema, reportPage, row } from './reference-json.ts'

const promised: Contract = JSON.parse(readOrEmpty('docs/reference/contract.json') || '{}')
const pages: Record<string, string> = {
  'contract.json': `${JSON.stringify(withNew(promised, contractNow()), null, 1)}\n`,
  'config.md': configPage(),
  'commands.md': commandsPage(),
  'json.md': jsonPage(),
  'json.schema.json': jsonSchema(),
  'report.md': reportPage(),
  'workflow.md': workflowPage(),
  'workflow.schema.json': `${JSON.stringify(workflowSchema(), null, 2)}\n`,
}
const check = process.argv.includes('--check')
for (const line of broken(promised, contractNow())) {
  console.error(
    `The public contract has lost "${line}": docs/reference/contract.md says what a removal needs.`,
  )
  process.exitCode = 1
}

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

function commandSection(program: string, command: CommandDefinition): string {
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
    documentsOf(program, command.name),
    '',
  ].join('\n')
}

function workflowPage(): string {
  const keyTable = (keys: { name: string; help: string }[]) =>
    ['| key | what it is |', '|---|---|', ...keys.map(({ name, help }) => row([code(name), help]))].join('\n')
  const options = loopOptions.map(flag => code(keyOf(flag))).join(', ')
  return `# Workflow files

One YAML document without anchors, aliases, merge keys and tags. Every key that is not known, not in its place or there twice is a mistake; \`loop workflow validate\` shows all of them with line and column. For editors: [workflow.schema.json](workflow.schema.json), also printed by \`loop workflow schema\`.

${keyTable(fileKeys('top'))}

## A loop

${keyTable(fileKeys('loop'))}

Every other option of \`loop start\`, by its name with _ or -, here and below \`defaults\`: ${options}. What holds is the first of these that says something: the loop, the command line of \`loop workflow run\`, \`defaults\`, the environment and the configuration. A limit on the command line (\`-n\`, \`--timeout\`, \`--max-wait\`, …) is an upper bound of what the file says, in a loop or in \`defaults\`: of the two values the lower one holds, and the dry run says what it lowers. \`--budget\` on the command line is the budget of the whole and goes before that of the file; a loop without a budget has that of the whole.

A loop that no other one can run beside works in the main tree; all others in copies, which are then applied.

## Values

| form | value | where |
|---|---|---|
| \`{{name}}\` | a variable: \`--set name=value\`, else its default below \`vars\` | everywhere; a file without \`vars\` declares what it uses |
| \`{{matrix.key}}\`, \`{{loop.id}}\` | of this instance of the loop | in a loop |
| \`{{outputs.loop.name}}\` | what a loop before this one has left in \`$LOOP_OUTPUT_FILE\` | prompt, confirm and commands of a loop; \`on_complete\` |
| \`{{failed_loop}}\` | the id of the loop that failed, for \`loop rollback\` | \`on_failure\` |
| \`{{workflow.name}}\`, \`{{workflow.id}}\` | of the whole | everywhere; the id only while it runs |

In a prompt a value is text. In \`env\` too: \`$NAME\` is not replaced there. What has the form of a reference must be one; \`\\{{name}}\` stays text, and so does everything of another form, such as \`{{ .Values.x }}\` or \`\${{ github.sha }}\`.

In a command a value is never part of the text: \`{{name}}\` becomes \`"$LOOP_VAR_name"\`, by the quotes it stands in, and the value is in the environment. Where a second program could read it as code (\`sh -c\`, \`eval\`, \`ssh\`, \`node -e\`, \`awk\`, \`timeout\`, \`npx\`, a pipe into \`sh\`, …), and where loop does not follow the shell (heredocs, backquotes, \`$((…))\`, \`case\`, functions), it is refused, and the message says how to write it: \`"$LOOP_VAR_name"\` where the shell reads data, and code reads \`$LOOP_VAR_name\` from its environment. loop cannot see what a script or a variable of your own does with a value later.

A variable of \`type: command\` is run by a shell of its own: \`{{test}} && {{lint}}\`. It stands alone, and its value comes from \`--set\` or its default.

## Conditions

\`when\` is judged once all of \`depends_on\` has ended: \`completed(x)\`, \`failed(x)\`, \`skipped(x)\`, \`outputs.x.name == "text"\`, \`!=\`, \`!\`, \`&&\`, \`||\`, parentheses. Loops of \`depends_on\` whose end it does not ask about must have completed. Of a matrix, \`failed\` means any of it, the others all of it. An output that is missing is an error.
`
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

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
