/** Settings of a user as a whole: keys of the user's configuration that no flag of `start` and no project can set. */
import type { Flag } from './flag.ts'
import { shapeRuleFlag } from './group.ts'

/** The retention of the remains of ended loops. */
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
    help: 'how long the output of the agents is kept after a loop has ended',
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
  {
    name: 'web-ui-hosts',
    takes: 'hosts',
    help: 'further names of the page, behind a tunnel or reverse proxy of yours: loop.example.org, box:8443',
  },
  {
    name: 'secret-names',
    takes: 'names',
    env: 'LOOP_SECRET_NAMES',
    help: 'further variables that hold a secret, such as ACME_PIN, INTERNAL_*: their values are taken out of what is shown and kept, and do not reach agent and promise',
  },
  shapeRuleFlag,
]
