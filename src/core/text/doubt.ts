/**
 * Finds signs that a failed command can never work: a missing script, target or directory is often a typing
 * mistake. The agent may have to create it, so the result is a doubt and not a verdict.
 */
import { printedLines } from './failing/lines.ts'

const forms: readonly { form: RegExp; words(name: string): string }[] = [
  // npm 7 and newer, npm 6, pnpm
  { form: /^npm (?:error|ERR!) [Mm]issing script: "?([^"]+?)"?$/, words: script('npm') },
  {
    form: /^npm (?:error|ERR!) enoent (Could not read package\.json)/,
    words: () => 'npm finds no package.json',
  },
  { form: /^.{0,3}ERR_PNPM_NO_SCRIPT.{0,3}\s+Missing script: (\S+)/, words: script('pnpm') },
  { form: /^error Command "([^"]+)" not found\.$/, words: script('yarn') },
  { form: /^error: Script not found "([^"]+)"$/, words: script('bun') },
  {
    form: /^g?make(?:\[\d+\])?: \*\*\* No rule to make target [`'‘]([^'’]+)['’](?:, needed by .*)?\.\s+Stop\.$/,
    words: name => `make has no rule for "${name}"`,
  },
  {
    form: /^g?make(?:\[\d+\])?: \*\*\* (No targets specified and no makefile found)\.\s+Stop\.$/,
    words: () => 'there is no makefile',
  },
  { form: /^g?make(?:\[\d+\])?: \*\*\* (.+): No such file or directory\.\s+Stop\.$/, words: directory },
  // dash, bash
  { form: /^(?:\/bin\/)?sh: \d+: cd: can't cd to (.+)$/, words: directory },
  { form: /^(?:\/bin\/)?(?:ba)?sh: (?:line \d+: )?cd: (.+): No such file or directory$/, words: directory },
]

function script(program: string) {
  return (name: string) => `${program} knows no script "${name}"`
}

function directory(name: string): string {
  return `there is no directory ${name} to go into`
}

/** The doubt in words; null if the output shows no such sign. */
export function doubtOf(output: string): string | null {
  for (const line of printedLines(output)) {
    for (const { form, words } of forms) {
      const [, name] = form.exec(line) ?? []
      if (name !== undefined) return words(name)
    }
  }
  return null
}
