/** The commands that steer a loop or a group, or take its result: each is one value; its code is loaded when it is used. */
import { sessionFlag } from '../../options/table/command.ts'
import type { Flag } from '../../options/table/flag.ts'
import type { CommandDefinition } from '../command-table.ts'

const theirs: Flag = {
  name: 'theirs',
  help: 'where both have changed a file, take that of the result; yours is saved first',
}

export const steerCommands: CommandDefinition[] = [
  {
    name: 'pause',
    usage: 'pause <id>',
    summary: 'pause a loop after this iteration; loop resume continues it',
    words: 'after this iteration',
    flags: [],
    json: {
      'pause <id>': 'loop',
    },
    examples: ['loop pause a1b2c3'],
    load: () => import('../commands/pause.ts'),
  },
  {
    name: 'cancel',
    usage: 'cancel <id>',
    summary: 'stop a loop now and end every process of its agent; the files stay as they are',
    words: 'end it now',
    flags: [
      { name: 'keep', help: 'keep the files as they are (the default)' },
      { name: 'rollback', help: 'then bring back the files as they were when the loop began' },
      sessionFlag,
    ],
    forPeople: true,
    json: {
      'cancel <id>': 'loop',
      'cancel --session': ['loop', 'sessionRun'],
      'cancel <id> --rollback': 'loopRolledBack',
    },
    examples: ['loop cancel a1b2c3', 'loop cancel @last --rollback'],
    load: () => import('../commands/cancel.ts'),
  },
  {
    name: 'inject',
    usage: 'inject <id> <text>',
    summary: 'tell the agent something in its next iteration, once; a text of - is read from stdin',
    words: 'tell the agent something',
    flags: [{ name: 'file', takes: 'path', help: 'the text is in this file' }],
    json: {
      'inject <id> <text>': 'injected',
    },
    examples: [
      'loop inject a1b2c3 "Focus on the UserService class"',
      'loop inject @last --file ./hints.txt',
      'echo "try mocking the database" | loop inject a1b2c3 -',
    ],
    load: () => import('../commands/inject.ts'),
  },
  {
    name: 'answer',
    usage: 'answer <id> [yes|no|text]',
    summary: 'answer the question of a loop or group; without an answer, show the question',
    words: 'what a loop asks you',
    flags: [],
    forPeople: ({ positionals }) => positionals.length > 1,
    json: {
      'answer <group> <text>': 'loop',
      'answer <id>': 'question',
      'answer <id> <text>': 'answered',
    },
    examples: ['loop answer @last', 'loop answer a1b2c3 yes', 'loop answer a1b2c3 "the button is too small"'],
    load: () => import('../commands/answer.ts'),
  },
  {
    name: 'pick',
    usage: 'pick <id> <attempt> [--file path]',
    summary: 'bring an attempt of a group into the work tree, or only some files of it',
    words: 'take an attempt',
    flags: [
      { name: 'file', takes: 'path', repeat: true, help: 'only this file, as it is in that attempt' },
      theirs,
    ],
    forPeople: true,
    json: {
      'pick <group> <attempt>': 'loop',
    },
    examples: ['loop pick a1b2c3 2', 'loop pick a1b2c3 3-root-cause --file src/cart.js'],
    load: () => import('../commands/pick.ts'),
  },
  {
    name: 'apply',
    usage: 'apply <id> [--merge|--mine|--theirs]',
    summary: 'bring the result of a group, or of a loop that worked in a copy, into the work tree',
    words: 'take a result',
    flags: [
      { name: 'merge', help: 'where both have changed a file, write both with conflict markers' },
      { name: 'mine', help: 'where both have changed a file, keep yours' },
      theirs,
    ],
    forPeople: true,
    json: {
      'apply <group>': 'loop',
    },
    examples: ['loop apply a1b2c3', 'loop apply a1b2c3 --theirs'],
    load: () => import('../commands/apply.ts'),
  },
]
