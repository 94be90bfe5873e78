/** The command that a person would type for a group that was filled in on a page: `loop plan '…' -b --cwd …`. */
import { shellWord } from '../../core/text/plain-text.ts'

type Given = {
  cwd: string
  set?: Record<string, string>
  switches?: readonly string[]
  options: Record<string, string | number | boolean | readonly string[]>
}

/** `words`: the command and what it is about, such as `['template', 'run', 'tdd']`. */
export function groupCommandLine(
  words: readonly string[],
  { cwd, set = {}, switches = [], options }: Given,
): string {
  const values = Object.entries(options).flatMap(([key, value]) => {
    const flag = `--${key.replaceAll('_', '-')}`
    return [value].flat().flatMap(one => (one === true ? [flag] : one === false ? [] : [flag, String(one)]))
  })
  const given = Object.entries(set).flatMap(([name, value]) => ['--set', `${name}=${value}`])
  const flags = switches.map(name => `--${name}`)
  return ['loop', ...words, '-b', '--cwd', cwd, ...flags, ...given, ...values].map(shellWord).join(' ')
}
