/** What holds for a user as a whole: keys of their own configuration, which no flag of `start` and no project sets. */
import type { Flag } from './flag.ts'

/** Of what is left of a loop that has ended. */
export const defaultRetention = { checkpoint: '24h', output: '30d' }

export const userFlags: Flag[] = [
  {
    name: 'max-concurrent-loops',
    takes: 'count',
    default: '4',
    help: 'background loops that run at once; more are queued',
  },
  {
    name: 'checkpoint-retention',
    takes: 'time',
    default: defaultRetention.checkpoint,
    help: 'how long the checkpoints of a loop that has ended are kept',
  },
  {
    name: 'output-retention',
    takes: 'time',
    default: defaultRetention.output,
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
