/**
 * The practice exercises of exercism/javascript: a stub, its tests for Jest, and a sample solution that the agent
 * writes over the stub. The tests run by `node --test`; `jest-loader.mjs`, which is ours, stands in for Jest.
 */
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Case } from './play.ts'

const loader = new URL('./jest-loader.mjs', import.meta.url)

export function exercises(set: string): Case[] {
  const practice = join(set, 'exercises', 'practice')
  return readdirSync(practice)
    .toSorted()
    .filter((_, index) => index % 2 === 0)
    .map(name => exercise(join(practice, name)))
}

function exercise(from: string): Case {
  const { files } = JSON.parse(readFileSync(join(from, '.meta', 'config.json'), 'utf8')) as {
    files: { solution: string[]; test: string[]; example: string[] }
  }
  const [solution = '', test = '', example = ''] = [files.solution[0], files.test[0], files.example[0]]
  return {
    row: 'exercism, honest',
    what: basename(from),
    prompt: `Implement ${solution} as .docs/instructions.md says.`,
    promise: `node --import ./jest-loader.mjs --test ${test}`,
    lay(tree) {
      cpSync(from, tree, { recursive: true, filter: path => basename(path) !== '.meta' })
      cpSync(loader, join(tree, 'jest-loader.mjs'))
    },
    work: { [solution]: readFileSync(join(from, example), 'utf8') },
    wanted: ['SHIP'],
  }
}
