/** `loop completion`: the script that lets a shell complete commands, flags, values and ids of loop and loopd. */
import { statuses } from '../../core/loop/summary.ts'
import { agentNames } from '../../model/agent.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { commonFlags } from '../../options/table/command.ts'
import type { Flag } from '../../options/table/flag.ts'
import type { CommandDefinition, CommandRun, Input } from '../command-table.ts'
import { bash } from '../completion/bash.ts'
import { fish } from '../completion/fish.ts'
import type { Completable, CompletableFlag, Offer } from '../completion/words.ts'
import { zsh } from '../completion/zsh.ts'
import { daemonCommands } from '../table/loopd.ts'
import { out } from '../terminal.ts'

const shells = { bash, zsh, fish }

const completion: CommandRun = async (input, commands = []) => {
  const [shell = '', ...more] = input.positionals
  if (shell === 'words') return printLive(more, input)
  if (!Object.hasOwn(shells, shell) || more.length > 0) {
    return fail('invalid-arguments', { kind: 'one-shell' })
  }
  const script = shells[shell as keyof typeof shells]
  out(
    script([
      { name: 'loop', commands: commands.map(completable) },
      { name: 'loopd', commands: daemonCommands.map(completable) },
    ]),
  )
  return ok(0)
}

/** Asked by the scripts when Tab is pressed. */
async function printLive([kind = '', ...words]: string[], input: Input): Promise<Result<number>> {
  const { liveWords } = await import('../completion/live.ts')
  for (const word of liveWords(kind, words, input)) out(word)
  return ok(0)
}

function completable({ name, usage, summary, flags, keys }: CommandDefinition): Completable {
  return {
    name,
    summary,
    flags: [...flags, ...commonFlags].map(completableFlag),
    argument: argumentOf(usage),
    second: secondOf(usage, keys?.map(({ key }) => key) ?? []),
  }
}

/** What the first argument can be: `<id>`, `[id]`, `<bash|zsh|fish>`, `list | get <key>`; null for free text. */
function argumentOf(usage: string): Completable['argument'] {
  const [, argument = ''] = /^\S+ [<[]([^>\]]+)[>\]]/.exec(usage) ?? []
  if (argument === 'id') return 'ids'
  const actions = actionsOf(usage)
  return actions.length > 1 ? actions.map(([verb = '']) => verb) : choices(argument)
}

/** The words of each action: `list | get <key>`, or `[add <text> | drop <id>]` where none is needed. */
function actionsOf(usage: string): string[][] {
  const rest = usage.slice(usage.indexOf(' ') + 1)
  const list = /^\[(.* \| .*)\]$/.exec(rest)?.[1] ?? rest
  return list.split(' | ').map(action => action.split(' '))
}

/** The words that a usage can have in second place, and what is offered for each. */
const seconds: Record<string, Offer> = {
  '<checkpoint>': 'saved',
  '[A..B]': 'saved',
  '<attempt>': 'nodes',
  '[<finding>': 'findings',
  '[yes|no|text]': ['yes', 'no'],
}

/** What is offered after an action: `get <key>`, `run <file>`. */
function offerFor(what: string, { keys, command }: { keys: string[]; command: string }): Offer | null {
  if (what === '<key>') return keys
  if (what === '<file>') return 'file'
  if (what === '<name>') return 'templates'
  if (what === '<id>' && command === 'workflow') return 'ids'
  return null
}

/** `<id> <checkpoint>`, `get <key> | set <key> <value>`, `install | uninstall <claude|opencode>`. */
function secondOf(usage: string, keys: string[]): Completable['second'] {
  const [command = '', ...rest] = usage.split(' ')
  const [first = '', second = ''] = rest
  const known = first === '<id>' ? seconds[second] : undefined
  if (known) return [{ after: null, offers: known }]
  const verbs = actionsOf(usage)
  const last = choices(verbs.at(-1)?.[1]?.slice(1, -1) ?? '')
  if (verbs.length > 1 && last) return [{ after: verbs.map(([verb = '']) => verb), offers: last }]
  return verbs.flatMap(([verb = '', what = '']) => {
    // Nothing is offered after `create`: the name is a new one.
    const offers = verbs.length > 1 && verb !== 'create' ? offerFor(what, { keys, command }) : null
    return offers === null ? [] : [{ after: [verb], offers }]
  })
}

function completableFlag({ name, short, takes, help, repeat }: Flag): CompletableFlag {
  const flag = { name, short: short ?? null, help, isRepeatable: repeat === true }
  if (takes === undefined) return { ...flag, takes: null }
  if (['file', 'path', 'dir'].includes(takes)) return { ...flag, takes: 'file' }
  return { ...flag, takes: valuesOf(name) ?? choices(takes) ?? 'text' }
}

function valuesOf(flag: string): Offer | null {
  const known: Record<string, Offer> = {
    agent: [...agentNames],
    'fallback-agent': [...agentNames],
    reviewers: [...agentNames],
    status: [...statuses],
    template: 'templates',
    set: 'variables',
    from: 'ids',
  }
  return known[flag] ?? null
}

/** `git|none` are values to choose from; `N|A..B` is not. */
function choices(words: string): string[] | null {
  const list = words.split('|')
  return list.length > 1 && list.every(word => /^[a-z][a-z-]+$/.test(word)) ? list : null
}

export default completion
