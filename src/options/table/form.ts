/**
 * A start as a form: the options that a program or a page can set, each with its section and valid values, and the
 * equivalent command line.
 */
import { shellWord } from '../../core/text/plain-text.ts'
import { requestOptions } from '../request.ts'
import { type Flag, keyOf } from './flag.ts'
import { groupFlags, planFlags } from './group.ts'
import { agentFlags } from './start.ts'

export const formSections = [
  'promise',
  'agent',
  'limits',
  'breakers',
  'attempts',
  'plan',
  'tree',
  'end',
] as const

type FormSection = (typeof formSections)[number]

/** `list`: one text or several. */
type FormKind = 'switch' | 'words' | 'list' | 'text'

type FormOption = {
  key: string
  flag: string
  section: FormSection
  kind: FormKind
  /** The placeholder of the value in the help; null for a switch. */
  takes: string | null
  /** For `words`: the allowed values. */
  words: string[]
  default: string | null
  help: string
}

export function formOptions(flags: readonly Flag[] = requestOptions): FormOption[] {
  return flags.map(flag => {
    const words =
      flag.takes !== undefined && /^[a-z-]+(\|[a-z-]+)+$/.test(flag.takes) ? flag.takes.split('|') : []
    return {
      key: keyOf(flag),
      flag: `--${flag.name}`,
      section: sectionFor(flag),
      kind: flag.takes === undefined ? 'switch' : flag.repeat ? 'list' : words.length > 0 ? 'words' : 'text',
      takes: flag.takes ?? null,
      words,
      default: flag.default ?? null,
      help: flag.help,
    }
  })
}

const byName: Record<string, FormSection> = {
  promise: 'promise',
  confirm: 'promise',
  'must-not': 'promise',
  protect: 'promise',
  holdout: 'promise',
  'fail-fast': 'promise',
  'no-baseline': 'promise',
  'verify-timeout': 'promise',
  checkpoint: 'tree',
  'checkpoint-ignored': 'tree',
  cwd: 'tree',
  state: 'tree',
  'on-complete': 'end',
  'on-failure': 'end',
  'hook-timeout': 'end',
}

function sectionFor({ name }: Flag): FormSection {
  const isAmong = (flags: readonly Flag[]) => flags.some(flag => flag.name === name)
  if (byName[name]) return byName[name]
  if (isAmong(agentFlags)) return 'agent'
  if (isAmong(groupFlags)) return 'attempts'
  if (isAmong(planFlags)) return 'plan'
  return name.endsWith('-limit') ? 'breakers' : 'limits'
}

/** The shell command for a request: `loop start 'mend it' -b --promise 'npm test'`. */
export function startCommand(body: { prompt: string } & Record<string, unknown>): string {
  const words = requestOptions.flatMap(flag => {
    const value = body[keyOf(flag)]
    if (value === undefined || value === false) return []
    if (flag.takes === undefined) return [`--${flag.name}`]
    return [value].flat().flatMap(one => [`--${flag.name}`, shellWord(String(one))])
  })
  return ['loop start', shellWord(body.prompt), '-b', ...words].join(' ')
}
