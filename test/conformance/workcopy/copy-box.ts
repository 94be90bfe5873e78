/** A tree with copies of it. */
import { join } from 'node:path'
import type { MakeRequest, WorkCopies, WorkCopy } from '../../../src/adapters/workcopies/contract.ts'
import { localCopies } from '../../../src/adapters/workcopies/local.ts'
import { loop, never, value } from '../checkpoint/calls.ts'
import type { Box } from '../checkpoint/work-tree.ts'

/** The program that makes one copy in a process of its own. */
export const maker = join(import.meta.dirname, 'make-copy.ts')

/** Some 300 files below node_modules, as many below a directory of a package; small ignored files; a venv. */
export const build = `git init -q; printf 'node_modules/\\n.env\\n.venv/\\n__pycache__/\\n' > .gitignore; echo one > a; mkdir -p packages/p src
  echo p > packages/p/index.js; echo s > src/s.py; commit first
  for d in node_modules packages/p/node_modules; do for i in $(seq 30); do mkdir -p $d/m$i/lib
    for j in $(seq 10); do echo "$i $j" > $d/m$i/lib/f$j.js; done; chmod 755 $d/m$i/lib/f1.js; ln -s ../lib/f1.js $d/m$i/lib/l; done; done
  mkdir -p .venv/bin src/__pycache__; echo k > .env; chmod 600 .env; echo c > src/__pycache__/s.pyc; echo u > untracked`

export function copiesOf(at: Box, env: NodeJS.ProcessEnv = process.env): WorkCopies {
  const [copies, templates] = [join(at.root, 'cache/copies'), join(at.root, 'cache/templates')]
  return localCopies({ tree: at.tree, store: at.store, copies, templates, env })
}

export async function make(
  at: Box,
  request: Partial<MakeRequest> = {},
): Promise<{ all: WorkCopies; copy: WorkCopy }> {
  const all = copiesOf(at)
  const asked = { loop, name: 'one', base: null, signal: never, ...request }
  return { all, copy: value(await all.make(asked)) }
}
