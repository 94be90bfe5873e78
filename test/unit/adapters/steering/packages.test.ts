/** Installed packages: which were touched since a moment, and which have another content. */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { packageSums, packagesTouched } from '../../../../src/adapters/steering/packages.ts'
import { packageOf } from '../../../../src/core/trust/tools.ts'
import { tempDir } from '../../../rig/given.ts'

const files = {
  'node_modules/a/index.js': 'a\n',
  'node_modules/a/lib/more.js': 'more\n',
  'node_modules/@s/b/index.js': 'b\n',
  'node_modules/a/node_modules/c/index.js': 'c\n',
  'node_modules/.cache/x': 'x\n',
}

function installed(t: TestContext): string {
  const tree = tempDir(t)
  for (const [path, text] of Object.entries(files)) put(tree, path, text)
  return tree
}

function put(tree: string, path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
}

const sums = (tree: string) => packageSums('node_modules', { tree, packageOf })

/** A change to the packages, the packages touched by it, and those with another content afterwards. */
const deeds: [what: string, deed: (tree: string) => void, touched: string[], changed: string[]][] = [
  [
    'all are installed again',
    tree => {
      cpSync(join(tree, 'node_modules'), join(tree, 'aside'), { recursive: true })
      rmSync(join(tree, 'node_modules'), { recursive: true })
      cpSync(join(tree, 'aside'), join(tree, 'node_modules'), { recursive: true })
    },
    ['node_modules/@s/b', 'node_modules/a', 'node_modules/a/node_modules/c'],
    [],
  ],
  [
    'one is patched, and is as long as before',
    tree => put(tree, 'node_modules/a/index.js', 'b\n'),
    ['node_modules/a'],
    ['node_modules/a'],
  ],
  [
    'a file of one is removed',
    tree => rmSync(join(tree, 'node_modules/a/lib/more.js')),
    ['node_modules/a'],
    ['node_modules/a'],
  ],
  [
    'one that another one brought is patched',
    tree => put(tree, 'node_modules/a/node_modules/c/index.js', 'd\n'),
    ['node_modules/a/node_modules/c'],
    ['node_modules/a/node_modules/c'],
  ],
  ['a runner writes its cache', tree => put(tree, 'node_modules/.cache/x', 'y\n'), [], []],
]

for (const [what, deed, touched, changed] of deeds) {
  test(`${what}: which packages are touched, and which are changed`, async t => {
    const tree = installed(t)
    const before = await sums(tree)
    assert.deepEqual(Object.keys(before).sort(), [
      'node_modules/@s/b',
      'node_modules/a',
      'node_modules/a/node_modules/c',
    ])
    // The clock of a file system is coarser than ours: a moment is over once a new file gets a later time.
    const sinceMs = lastTime(tree)
    await laterThan(tree, sinceMs)
    deed(tree)
    assert.deepEqual(packagesTouched('node_modules', { tree, sinceMs, packageOf }), touched)
    const now = await sums(tree)
    assert.deepEqual(
      Object.keys(before).filter(name => now[name] !== before[name]),
      changed,
    )
  })
}

function lastTime(tree: string): number {
  put(tree, 'probe', '')
  return statSync(join(tree, 'probe')).ctimeMs
}

async function laterThan(tree: string, ms: number): Promise<void> {
  while (lastTime(tree) <= ms) await new Promise(resolve => setImmediate(resolve))
}
