/**
 * `loop __complete <words>`: the words that may stand in place of the last one, made from the tables of commands. The
 * scripts of `loop completion` ask it when Tab is pressed. Each line is a word, a tab and its description; a line
 * `:files` asks the shell for names of files, `:nospace` for no space behind the word. Shells do the filtering.
 */
import { statuses } from '../../core/loop/summary.ts'
import { agentNames } from '../../model/agent.ts'
import type { Flag } from '../../options/table/flag.ts'
import type { CommandDefinition, Input } from '../command-table.ts'
import type { readFlags } from '../flags.ts'

/** Words that only this host system knows: cli/completion/live. */
export type LiveKind = 'ids' | 'saved' | 'nodes' | 'findings' | 'templates' | 'variables'

type Offer = readonly string[] | LiveKind | 'keys' | 'files'

/** The flags whose values are not named by their placeholder. */
const flagOffers: Record<string, Offer> = {
  agent: agentNames,
  'fallback-agent': agentNames,
  reviewers: agentNames,
  status: [...statuses],
  template: 'templates',
  set: 'variables',
  from: 'ids',
}

/** By the placeholder of an argument in the usage, alone or with its command. */
const argumentOffers: Record<string, Offer> = {
  id: 'ids',
  'task id': [],
  'learn id': [],
  checkpoint: 'saved',
  'A..B': 'saved',
  attempt: 'nodes',
  finding: 'findings',
  key: 'keys',
  file: 'files',
  'template name': 'templates',
  'yes|no|text': ['yes', 'no'],
}

/** The rows of the program, and how its command lines are read: imported here, both would be loaded twice. */
type Tables = { commands: CommandDefinition[]; readFlags: typeof readFlags }

export async function complete(words: string[], { commands, readFlags: read }: Tables): Promise<string[]> {
  // bash takes --flag=value for three words.
  const typed = [...words.filter(word => word !== '='), ...(words.at(-1) === '=' ? [''] : [])]
  const [name = '', ...rest] = typed
  if (rest.length === 0) return [...commands.map(nameAndSummary), 'help\thelp for a command']
  if (name === 'help') return rest.length === 1 ? commands.map(nameAndSummary) : []
  const row = commands.find(command => command.name === name)
  const empty = row && read(row, [], process.env)
  if (!row || !empty?.ok) return []
  const { flags } = empty.value
  const word = rest.at(-1) ?? ''
  const flag = flags.find(one => one.takes && isNamed(one, rest.at(-2) ?? ''))
  const [, prefix = '', before = ''] = /^((--[^=]+)=)/.exec(word) ?? []
  const written = flag ?? flags.find(one => one.takes && isNamed(one, before))
  const input = read(row, rest.slice(0, flag ? -2 : -1), process.env)
  if (!input.ok) return []
  if (written) return offered(ofFlag(written), { row, input: input.value, prefix: flag ? '' : prefix })
  if (word.startsWith('-')) return flagWords(flags, rest.slice(0, -1))
  return offered(ofArgument(row, input.value.positionals), { row, input: input.value, prefix: '' })
}

function nameAndSummary({ name, summary }: CommandDefinition): string {
  return `${name}\t${summary}`
}

function isNamed({ name, short }: Flag, typed: string): boolean {
  return typed === `--${name}` || (short !== undefined && typed === `-${short}`)
}

/** Without those that stand on the line already, unless they may be repeated. */
function flagWords(flags: readonly Flag[], before: string[]): string[] {
  return flags
    .filter(one => one.repeat || !before.some(word => isNamed(one, word.replace(/=.*/s, ''))))
    .flatMap(({ name, short, help }) => [`--${name}\t${help}`, ...(short ? [`-${short}\t${help}`] : [])])
}

function ofFlag({ name, takes = '' }: Flag): Offer {
  return ['file', 'path', 'dir'].includes(takes) ? 'files' : (flagOffers[name] ?? choices(takes))
}

/** The argument that comes next by the usage: `<id> <checkpoint>`, `list | get <key>`, `[add <text> | drop <id>]`. */
function ofArgument({ name, usage }: CommandDefinition, { length: at, 0: verb }: string[]): Offer {
  const form = usage.slice(name.length + 1).replace(/^\[(.* \| .*)\]$/, '$1')
  const actions = form.split(' | ').map(action => action.split(' '))
  if (actions.length > 1 && at === 0) return actions.map(([first = '']) => first)
  const own = actions.length > 1 ? actions.find(([first]) => first === verb) : actions[0]
  // Nothing is offered after `create`: the name is a new one.
  if (!own || own[0] === 'create') return []
  const what = (own[at] ?? '').replaceAll(/[<>[\]]/g, '')
  // `install | uninstall <claude|opencode>`: the values are those of both.
  const shared = own.length === 1 ? choices(actions.at(-1)?.[at] ?? '') : []
  return argumentOffers[`${name} ${what}`] ?? argumentOffers[what] ?? (what ? choices(what) : shared)
}

/** `git|none` are values to choose from; `N|A..B` is not. */
function choices(words: string): string[] {
  const list = words.replaceAll(/[<>[\]]/g, '').split('|')
  return list.length > 1 && list.every(word => /^[a-z][a-z-]+$/.test(word)) ? list : []
}

type Asked = { row: CommandDefinition; input: Input; prefix: string }

async function offered(offer: Offer, { row, input, prefix }: Asked): Promise<string[]> {
  if (offer === 'files') return [':files']
  if (offer === 'keys') return (row.keys ?? []).map(({ key, help }) => `${key}\t${help}`)
  if (typeof offer !== 'string') return offer.map(word => `${prefix}${word}\t`)
  const { liveWords } = await import('./live.ts')
  const found = await liveWords(offer, { ...input, command: row.name })
  return [...found.map(word => `${prefix}${word}`), ...(offer === 'variables' ? [':nospace'] : [])]
}
