/**
 * The files that a prompt mentions and that no test of the promise reads, told before any agent costs money. The tree is
 * walked only if the prompt mentions a file of the work, and only so far.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isTestFile } from '../../../core/change.ts'
import type { State } from '../../../core/loop/state.ts'
import { chainOf } from '../../../core/trust/chain.ts'
import { productKind } from '../../../core/trust/product-kinds.ts'
import { unreached } from '../../../core/trust/test-facts.ts'
import { mentionedIn } from '../../../core/trust/words.ts'
import { readingOf, scriptText } from './promise-text.ts'

const mostFiles = 2_000
const leftOut = /^(?:\.|node_modules$|vendor$|venv$|target$|dist$|build$)/

/** Empty also where the promise only looks at files, or runs nothing that reads the tree. */
export function unreadWork({ spec }: State, env: NodeJS.ProcessEnv): string[] {
  const { cwd, prompt, criteria } = spec
  const isWork = (path: string) => productKind(path) === 'code' && !isTestFile(path)
  const wanted = mentionedIn(prompt).filter(path => isWork(path) && scriptText(join(cwd, path)) !== null)
  if (wanted.length === 0) return []
  const commands = criteria.flatMap(({ command }) => command ?? [])
  const chain = chainOf(commands, readingOf(cwd, env))
  if (!chain.isRunning) return []
  const code = new Map<string, string>()
  const tests = new Map<string, string>(commands.map(text => [`\0${text}`, text]))
  const isJudging = (path: string) => isTestFile(path) || chain.scripts.includes(path)
  for (const path of pathsBelow(cwd)) {
    const text = productKind(path) === 'code' ? scriptText(join(cwd, path)) : null
    if (text !== null) (isJudging(path) ? tests : code).set(path, text)
  }
  // Without a test in sight nothing can be said of what they read.
  return tests.size > commands.length ? unreached(wanted, { tests, code }) : []
}

function pathsBelow(tree: string): string[] {
  const found: string[] = []
  const open = ['']
  for (let at = open.pop(); at !== undefined && found.length < mostFiles; at = open.pop()) {
    for (const entry of namesIn(join(tree, at))) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (leftOut.test(entry.name)) continue
      if (entry.isDirectory()) open.push(path)
      else if (entry.isFile()) found.push(path)
    }
  }
  return found
}

function namesIn(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return [] // gone or closed: the promise cannot read it either
  }
}
