/** `loop completion`: the script that lets a shell complete commands, flags, values and ids of loop and loopd. */
import { agents } from '../../adapters/agents/agent.ts'
import { statuses } from '../../core/loop/summary.ts'
import { fail, ok } from '../../model/failure.ts'
import { commonFlags } from '../../options/table/command.ts'
import type { Flag } from '../../options/table/flag.ts'
import type { CommandRow, CommandRun } from '../command-table.ts'
import { bash } from '../completion/bash.ts'
import { fish } from '../completion/fish.ts'
import type { Completable, CompletableFlag } from '../completion/words.ts'
import { zsh } from '../completion/zsh.ts'
import { daemonCommands } from '../loopd/command-table.ts'
import { out } from '../terminal.ts'

const shells = { bash, zsh, fish }

function completion(commands: CommandRow[]): CommandRun {
  return async ({ positionals }) => {
    const [shell = '', ...more] = positionals
    if (!Object.hasOwn(shells, shell) || more.length > 0) {
      return fail('invalid-arguments', 'Name one shell: loop completion bash, zsh or fish.')
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
}

function completable({ name, usage, summary, flags, keys }: CommandRow): Completable {
  return {
    name,
    summary,
    flags: [...flags, ...commonFlags].map(completableFlag),
    argument: argumentOf(usage),
    second: secondOf(usage, keys?.map(({ key }) => key) ?? []),
  }
}

/** What stands first after the name: `<id>`, `[id]`, `<bash|zsh|fish>`, `list | get <key>`; null where it can be anything. */
function argumentOf(usage: string): Completable['argument'] {
  const [, argument = ''] = /^\S+ [<[]([^>\]]+)[>\]]/.exec(usage) ?? []
  if (argument === 'id') return 'id'
  const [, ...rest] = usage.split(' ')
  const verbs = rest.join(' ').split(' | ')
  return verbs.length > 1 ? verbs.map(verb => verb.split(' ')[0] ?? '') : choices(argument)
}

/** What stands second: `<checkpoint>`, `[A..B]`, the key of `get <key> | set <key> <value>`, or `<claude|opencode>`. */
function secondOf(usage: string, keys: string[]): Completable['second'] {
  if (/^\S+ <id> (<checkpoint>|\[A\.\.B\])/.test(usage)) return 'checkpoint'
  const after = [...usage.matchAll(/(\S+) <key>/g)].map(([, verb = '']) => verb)
  if (after.length > 0) return { after, words: keys }
  const verbs = argumentOf(usage)
  const [, words = ''] = / \| .*<([^>]+)>/.exec(usage) ?? []
  const values = choices(words)
  return Array.isArray(verbs) && values ? { after: verbs, words: values } : null
}

function completableFlag({ name, short, takes, help }: Flag): CompletableFlag {
  const flag = { name, short: short ?? null, help }
  if (takes === undefined) return { ...flag, takes: null }
  if (['file', 'path', 'dir'].includes(takes)) return { ...flag, takes: 'file' }
  return { ...flag, takes: valuesOf(name) ?? choices(takes) ?? 'text' }
}

function valuesOf(flag: string): string[] | null {
  if (flag === 'agent') return Object.keys(agents)
  return flag === 'status' ? [...statuses] : null
}

/** `git|none` are values to choose from; `N|A..B` is not. */
function choices(words: string): string[] | null {
  const list = words.split('|')
  return list.length > 1 && list.every(word => /^[a-z][a-z-]+$/.test(word)) ? list : null
}

export default completion
