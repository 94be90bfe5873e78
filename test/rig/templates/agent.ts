/**
 * The agent of the tests of templates, a program: in each iteration of a step it makes the tree what the step began
 * with, and then does the next act of its plan. So one run of a template shows that doing nothing and each cheat
 * fail, and that the honest work passes. `$ASIDE/plan.json`: the acts by step.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Files to write; null deletes one. */
export type Act = { says: string; files: Record<string, string | null> }

const aside = process.env['ASIDE'] ?? ''
const step = process.env['LOOP_NODE'] ?? ''
const iteration = Number(process.env['LOOP_ITERATION'] ?? '1')
const kept = join(aside, `begin-${step}`)
const own = new Set(['.git', '.loop', 'node_modules'])

if (existsSync(kept)) {
  for (const name of readdirSync('.')) if (!own.has(name)) rmSync(name, { recursive: true, force: true })
  cpSync(kept, '.', { recursive: true })
} else {
  mkdirSync(kept)
  for (const name of readdirSync('.')) if (!own.has(name)) cpSync(name, join(kept, name), { recursive: true })
}
const plan: Record<string, Act[]> = JSON.parse(readFileSync(join(aside, 'plan.json'), 'utf8'))
for (const [path, text] of Object.entries(plan[step]?.[iteration - 1]?.files ?? {})) {
  if (text === null) rmSync(path)
  else {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}
