/**
 * What the specification names but this version does not do yet: refused by name with one sentence, never ignored.
 */

/** Flags of the specification that come with a later version, by command. */
export const laterFlags: Record<string, readonly string[]> = {
  start: [
    'best-of',
    'best-of-metric',
    'best-of-manual',
    'first-wins',
    'template',
    'counsel',
    'task-list',
    'force',
    'fresh',
    'answers',
    'sandbox',
    'fleet',
  ],
  cancel: ['force'],
}

/** Commands of the specification that come with a later version. */
export const laterCommands: readonly string[] = [
  'watch',
  'compare',
  'pick',
  'template',
  'workflow',
  'plan',
  'task',
  'review',
  'learn',
  'recall',
  'apply',
]
