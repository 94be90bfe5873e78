/**
 * Real shells with the script of `loop completion` in them: what each offers when Tab is pressed at the end of a line,
 * and what stands on the line after it.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Pty, ptyOf } from './pty.ts'
import { loopProgram, type Rig, until } from './rig.ts'

export const shells = ['bash', 'zsh', 'fish'] as const

export type ShellName = (typeof shells)[number]

/** The words that are offered at the end of a line, in order. */
export type Offers = (line: string) => Promise<string[]>

export type Completing = {
  /** The file with the script. */
  script: string
  offers: Offers
  /** A shell that a person sits before; its prompt is `ready>`. */
  interactive(): Pty
}

export async function completing(t: TestContext, rig: Rig, shell: ShellName): Promise<Completing> {
  const script = join(rig.aside, `loop.${shell}`)
  const { code, stdout, stderr } = await rig.loop(['completion', shell])
  assert.equal(code, 0, stderr)
  writeFileSync(script, stdout)
  const env = { PATH: [dirname(loopProgram), rig.env['PATH']].join(delimiter) }
  const place: Place = { t, rig: { ...rig, env: { ...rig.env, ...env } }, script }
  return { script, ...ways[shell](place) }
}

type Place = { t: TestContext; rig: Rig; script: string }

const ways: Record<ShellName, (place: Place) => Omit<Completing, 'script'>> = {
  bash: inBash,
  zsh: inZsh,
  fish: inFish,
}

function sorted(words: string): string[] {
  return [...new Set(words.split('\n').filter(Boolean))].sort()
}

function inBash(place: Place): Omit<Completing, 'script'> {
  const start = join(place.rig.aside, 'start.bash')
  writeFileSync(start, `PS1='ready> '\nbind 'set bell-style none'\nsource '${place.script}'\n`)
  return {
    offers: async line =>
      bashOffers(
        place,
        line.split(/ |(=)/).filter(word => word !== undefined),
      ),
    interactive: () =>
      ptyOf(place.t, { rig: place.rig, program: ['bash'] }, ['--noprofile', '--rcfile', start, '-i']),
  }
}

/** As bash itself would call the function, with the words of the line. */
export function bashOffers({ rig, script }: Pick<Place, 'rig' | 'script'>, words: string[]): string[] {
  const ask = `source ${script}
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    "$(complete -p "$1" | sed 's/.*-F \\([^ ]*\\) .*/\\1/')"
    printf '%s\\n' "\${COMPREPLY[@]}"`
  return spoken(rig, ['bash', '--norc', '-c', ask, 'bash', ...words])
}

function spoken(rig: Rig, [program = '', ...args]: string[]): string[] {
  const PATH = [dirname(loopProgram), rig.env['PATH']].join(delimiter)
  const asked = spawnSync(program, args, { env: { ...rig.env, PATH }, cwd: rig.tree, encoding: 'utf8' })
  assert.equal(asked.stderr, '')
  return sorted(asked.stdout)
}

/** fish prints what it would offer, each with its description. */
function inFish(place: Place): Omit<Completing, 'script'> {
  const { t, rig, script } = place
  const ask = `source '${script}'; complete -C "$argv[1]" | string replace -r '\\t.*' ''`
  const start = `source '${script}'; function fish_prompt; echo -n 'ready> '; end; function fish_greeting; end`
  return {
    offers: async line => spoken(rig, ['fish', '--no-config', '-c', ask, line]),
    interactive: () => ptyOf(t, { rig, program: ['fish'] }, ['--no-config', '-i', '-C', start]),
  }
}

/**
 * zsh completes only at a line that is being edited. A key of its own lists the words; all that is added to the list
 * goes into a file as well. What a function of zsh collects for itself (-O, -A, -D) is not in the list.
 */
const asking = `PS1='ready> ' LISTMAX=10000
autoload -Uz compinit && compinit -u -D
compadd() {
  if (( ! \${@[1,(i)(-|--)][(I)-[OAD]]} )); then
    local -a listed
    builtin compadd -O listed "$@"
    (( $#listed )) && print -rl -- $listed >> $ASIDE/offered
  fi
  builtin compadd "$@"
}
ask() { : > $ASIDE/offered; zle list-choices; : > $ASIDE/asked }
zle -N ask
bindkey '^T' ask
bindkey '^U' kill-whole-line
`

function inZsh({ t, rig, script }: Place): Omit<Completing, 'script'> {
  const home = join(rig.aside, 'zsh')
  const [offered, asked] = ['offered', 'asked'].map(name => join(rig.aside, name)) as [string, string]
  const interactive = () => {
    writeFileSync(home, `${asking}source '${script}'\n`)
    const screen = ptyOf(t, { rig, columns: 120, rows: 40, program: ['zsh'] }, ['-f', '-i'])
    screen.type(` source '${home}'\r`)
    return screen
  }
  let asker: Pty | null = null
  return {
    interactive,
    async offers(line) {
      asker ??= interactive()
      await asker.shows(/^ready>/m)
      rmSync(asked, { force: true })
      asker.type(`\u0015${line}\u0014`)
      await until(`what zsh offers for ${line}`, () => existsSync(asked))
      return sorted(readFileSync(offered, 'utf8'))
    },
  }
}
