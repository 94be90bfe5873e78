/** The full screens are loaded by `loop watch` and `loop status -w` alone: no other bundle holds a file of src/tui. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../rig/rig.ts'

/** An import of a value brings the code into the bundle; a type leaves nothing there. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const whole = /^import (?!type )[^;]*?from '([^']+)'/gms
  return Array.from(text.matchAll(whole), ([, path = '']) => path)
}

function sources(dir: string): string[] {
  return readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(root, dir, name))
}

test('only src/tui itself imports a value of src/tui; commands load it when they need it', () => {
  const outside = sources('src').filter(file => !file.includes('/src/tui/'))
  const importers = outside.filter(file => importsOf(file).some(path => path.includes('tui/')))
  assert.deepEqual(importers, [])
  const loaders = outside.filter(file => /import\('[^']*\/tui\//.test(readFileSync(file, 'utf8')))
  assert.deepEqual(loaders.map(file => file.slice(root.length)).sort(), [
    'src/cli/commands/watch.ts',
    'src/cli/show/whole-status.ts',
  ])
})

test('the bundles of other commands hold nothing of src/tui', () => {
  const bundles = readdirSync(join(root, 'dist')).filter(name => name.endsWith('.cjs'))
  assert.ok(bundles.includes('status.cjs') && bundles.includes('watch-screen.cjs'))
  const holding = bundles.filter(name => readFileSync(join(root, 'dist', name), 'utf8').includes('src/tui/'))
  assert.deepEqual(holding.sort(), ['status-screen.cjs', 'watch-screen.cjs'])
})
