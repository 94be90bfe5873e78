/** A rig with the places that templates can be in, and a small template of a user. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { makeRig, type Rig } from '../rig.ts'

export const ownTemplate = (name: string, promise = 'test -e done') => `name: ${name}
description: made for a test
vars:
  what: {description: what to make}
loops:
  - id: only
    prompt: Make {{what}}
    promise: ${promise}
`

export function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

type Places = Rig & { user: string; named: string; project: string; agent: string[] }

export function templateRig(t: TestContext): Places {
  const rig = makeRig(t)
  const named = join(rig.aside, 'templates')
  rig.env['LOOP_TEMPLATES_DIR'] = named
  return {
    ...rig,
    named,
    user: join(rig.env['HOME'] ?? '', '.config/daedalos/loop/templates'),
    project: join(rig.tree, '.loop/templates'),
    agent: ['--agent', 'custom', '--agent-cmd', 'touch done'],
  }
}
