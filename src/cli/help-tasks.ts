/**
 * The commands grouped by task, each in a few words: `loop --help` on one screen. Also the sections of the flags of
 * `start`, which has too many for one list. A command or flag that is not named here goes into the last section.
 */

/** At most 24 characters each, so that two fit side by side in eighty columns. */
export const tasks: [task: string, commands: [name: string, words: string][]][] = [
  [
    'run',
    [
      ['start', 'until the promise holds'],
      ['demo', 'see it: no key, no net'],
      ['workflow', 'loops that need others'],
      ['template', 'work that comes again'],
      ['resume', 'go on with a loop'],
    ],
  ],
  [
    'look',
    [
      ['watch', 'live, with keys'],
      ['status', 'all loops; -w live'],
      ['logs', 'what the agent said'],
      ['history', 'the iterations'],
      ['diff', 'what was changed'],
      ['compare', 'attempts side by side'],
      ['report', 'the morning report'],
      ['list', 'every loop there was'],
      ['ui', 'the web page'],
    ],
  ],
  [
    'steer',
    [
      ['pause', 'after this iteration'],
      ['cancel', 'end it now'],
      ['inject', 'tell the agent something'],
      ['answer', 'what a loop asks you'],
      ['pick', 'take an attempt'],
      ['apply', 'take a result'],
    ],
  ],
  [
    'undo',
    [
      ['checkpoint', 'save the files now'],
      ['rollback', 'bring them back'],
    ],
  ],
  [
    'plan',
    [
      ['plan', 'from a spec to tasks'],
      ['score', 'how clear a task is'],
      ['task', 'the tasks of a plan'],
      ['review', 'findings of reviewers'],
      ['learn', 'what was learnt'],
      ['recall', 'look it up'],
    ],
  ],
  [
    'set up',
    [
      ['doctor', 'what is wrong here'],
      ['config', 'the defaults'],
      ['completion', 'for your shell'],
      ['plugin', 'for Claude and opencode'],
      ['export', 'a loop as an archive'],
      ['gc', 'delete what is old'],
    ],
  ],
]

/** Used by sessions, agents and promises rather than by people. */
export const forPrograms = ['init', 'mcp', 'hook', 'check']

export const startSections: [title: string, flags: string[]][] = [
  [
    'What is done',
    [
      'template',
      'set',
      'inject',
      'context-mode',
      'task-list',
      'answers',
      'ask-later',
      'force',
      'fresh',
      'shape-rule',
      'cwd',
      'session',
    ],
  ],
  [
    'When it is done',
    [
      'promise',
      'confirm',
      'must-not',
      'holdout',
      'verify-timeout',
      'fail-fast',
      'no-baseline',
      'counsel',
      'reviewers',
      'review-light',
    ],
  ],
  ['Agent', ['agent', 'agent-cmd', 'model', 'fallback-agent', 'price', 'max-wait', 'limit-backoff']],
  [
    'Limits',
    [
      'max-iterations',
      'budget',
      'timeout',
      'idle-timeout',
      'max-output',
      'stuck-limit',
      'no-change-limit',
      'same-error-limit',
      'same-file-limit',
      'agent-error-limit',
      'promise-error-limit',
    ],
  ],
  [
    'Safety',
    [
      'checkpoint',
      'checkpoint-ignored',
      'protect',
      'allow',
      'sandbox',
      'sandbox-write',
      'sandbox-network',
      'pass-env',
      'trust',
      'state',
    ],
  ],
  [
    'Groups',
    [
      'best-of',
      'best-of-metric',
      'best-of-manual',
      'best-of-waves',
      'best-of-judge',
      'first-wins',
      'serial-promise',
      'copy-setup',
      'isolated',
    ],
  ],
  [
    'Output, and where it runs',
    [
      'background',
      'priority',
      'fleet',
      'notify',
      'on-complete',
      'on-failure',
      'hook-timeout',
      'plain',
      'dry-run',
      'yes',
      'no-input',
      'json',
      'help',
    ],
  ],
]
