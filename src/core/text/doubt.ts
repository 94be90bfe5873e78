/**
 * Finds signs that a failed command can never work: a missing script, target or directory is often a typing
 * mistake. The agent may have to create it, so the result is a doubt and not a verdict.
 */
import type { CommandDoubt } from '../../failures/reading.ts'
import { printedLines } from './printed.ts'

const forms: readonly { form: RegExp; facts(name: string): CommandDoubt }[] = [
  // npm 7 and newer, npm 6, pnpm
  { form: /^npm (?:error|ERR!) [Mm]issing script: "?([^"]+?)"?$/, facts: script('npm') },
  {
    form: /^npm (?:error|ERR!) enoent (Could not read package\.json)/,
    facts: () => ({ kind: 'package-file-missing' }),
  },
  { form: /^.{0,3}ERR_PNPM_NO_SCRIPT.{0,3}\s+Missing script: (\S+)/, facts: script('pnpm') },
  { form: /^error Command "([^"]+)" not found\.$/, facts: script('yarn') },
  { form: /^error: Script not found "([^"]+)"$/, facts: script('bun') },
  {
    form: /^g?make(?:\[\d+\])?: \*\*\* No rule to make target [`'‘]([^'’]+)['’](?:, needed by .*)?\.\s+Stop\.$/,
    facts: target => ({ kind: 'make-rule-missing', target }),
  },
  {
    form: /^g?make(?:\[\d+\])?: \*\*\* (No targets specified and no makefile found)\.\s+Stop\.$/,
    facts: () => ({ kind: 'makefile-missing' }),
  },
  { form: /^g?make(?:\[\d+\])?: \*\*\* (.+): No such file or directory\.\s+Stop\.$/, facts: directory },
  // dash, bash
  { form: /^(?:\/bin\/)?sh: \d+: cd: can't cd to (.+)$/, facts: directory },
  { form: /^(?:\/bin\/)?(?:ba)?sh: (?:line \d+: )?cd: (.+): No such file or directory$/, facts: directory },
]

function script(program: string) {
  return (name: string): CommandDoubt => ({ kind: 'script-unknown', program, script: name })
}

function directory(path: string): CommandDoubt {
  return { kind: 'directory-missing', path }
}

const mostShown = 250

/** The first doubt; null if the output shows no such sign. */
export function doubtOf(output: string): CommandDoubt | null {
  for (const line of printedLines(output)) {
    for (const { form, facts } of forms) {
      const [, name] = form.exec(line) ?? []
      if (name !== undefined) return facts(name.slice(0, mostShown))
    }
  }
  return null
}
