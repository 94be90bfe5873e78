/** The commands that save the files and bring them back: each is one value; its code is loaded when it is used. */
import type { CommandDefinition } from '../command-table.ts'

export const undoCommands: CommandDefinition[] = [
  {
    name: 'checkpoint',
    usage: 'checkpoint <id> [name]',
    summary: 'save the work tree as it is now, under a name of your own',
    words: 'save the files now',
    flags: [],
    json: {
      'checkpoint <id>': 'checkpoint',
      'checkpoint <id> <name>': 'checkpoint',
    },
    examples: ['loop checkpoint a1b2c3', 'loop checkpoint @last before-the-rewrite'],
    load: () => import('../commands/checkpoint.ts'),
  },
  {
    name: 'rollback',
    usage: 'rollback <id> <checkpoint>',
    summary: 'bring the work tree back to a checkpoint; what is there now is saved first',
    words: 'bring them back',
    flags: [
      { name: 'after', help: 'bring back what the iteration left, not what it started from' },
      { name: 'dry-run', help: 'list the files that would be written or deleted, and touch none' },
      { name: 'undo', help: 'bring back what was there before the last rollback' },
    ],
    forPeople: input => !input.given('dry-run'),
    json: {
      'rollback <id> <checkpoint>': 'rolledBack',
      'rollback <id> --undo': 'rolledBack',
      'rollback <group> <checkpoint>': 'loopRolledBack',
      'rollback <group> --undo': 'loopRolledBack',
      'rollback <id> <checkpoint> --dry-run': 'rollbackPreview',
    },
    examples: [
      'loop rollback a1b2c3 3',
      'loop rollback a1b2c3 initial --dry-run',
      'loop rollback a1b2c3 --undo',
    ],
    load: () => import('../commands/rollback.ts'),
  },
]
