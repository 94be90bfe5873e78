/**
 * Every key of the configuration, and which value of a flag or key holds: that of the first layer that has one.
 * The keys come from two tables, the flags of `start` whose row says `config` and what holds for a user as a
 * whole; help, `loop config list` and docs/reference/config.md are made from them. A layer is a question, so
 * that this knows no files; a template will be one more. What a value may be is options/value.
 */
import { type Flag, startFlags } from './table/flag.ts'

/** A key: the row of a flag (or one like it), and whether the file of a project may set it too. */
export type Setting = Flag & { key: string; project: boolean }

const ofTheUser: Flag[] = [
  {
    name: 'max-concurrent-loops',
    takes: 'count',
    default: '4',
    help: 'background loops that run at once; more are queued',
  },
  {
    name: 'checkpoint-retention',
    takes: 'time',
    default: '24h',
    help: 'how long the checkpoints of a loop that has ended are kept',
  },
  {
    name: 'output-retention',
    takes: 'time',
    default: '30d',
    help: 'how long what the agents of a loop that has ended printed is kept',
  },
  {
    name: 'notification-cmd',
    takes: 'cmd',
    default: 'notify-send',
    help: 'the command that notifies you; title and message are its last arguments; "none" for none',
  },
  {
    name: 'webhook',
    takes: 'url',
    help: 'an address that gets every notification as JSON',
  },
  {
    name: 'min-free-disk',
    takes: 'size',
    default: '200MB',
    help: 'with less than this left, no background loop begins',
  },
  {
    name: 'web-ui-port',
    takes: 'port',
    default: '7777',
    help: 'the port of the web page, on this machine only',
  },
]

export const settings: Setting[] = [
  ...startFlags.filter(flag => flag.config).map(flag => setting(flag, true)),
  ...ofTheUser.map(flag => setting(flag, false)),
]

export function keyOf(flag: Pick<Flag, 'name'>): string {
  return flag.name.replaceAll('-', '_')
}

function setting(flag: Flag, project: boolean): Setting {
  return { ...(flag.takes === undefined && { default: 'false' }), ...flag, key: keyOf(flag), project }
}

/**
 * A value as a person would type it; `from` is where it stands (`--agent`, `$LOOP_AGENT`, `/a/config.yaml:3`,
 * `default`), `subject` begins a sentence about it (`--agent`, `LOOP_AGENT`, `/a/config.yaml:3: agent`).
 */
export type FoundValue = { text: string; from: string; subject: string }

export type Layer = (flag: Flag) => FoundValue | null

const precedence = ['flag', 'env', 'project', 'user', 'template'] as const

export type Layers = Partial<Record<(typeof precedence)[number], Layer>>

export function resolve(flag: Flag, layers: Layers): FoundValue | null {
  for (const name of precedence) {
    const found = layers[name]?.(flag)
    if (found) return found
  }
  if (flag.default === undefined) return null
  return { text: flag.default, from: 'default', subject: `--${flag.name}` }
}

/** A variable that is empty is none. */
export function environment(env: Record<string, string | undefined>): Layer {
  return flag => {
    const text = flag.env && env[flag.env]
    return text ? { text, from: `$${flag.env}`, subject: flag.env ?? '' } : null
  }
}
