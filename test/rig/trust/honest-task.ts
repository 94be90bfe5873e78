/** What honest tasks have in common: SHIP unless they declare another verdict, in a project that begins empty. */
import type { HonestRun, Project } from './case.ts'

export type Row = [Project, HonestRun]
export const bare = (...needs: Project['needs']): Project => ({
  files: {},
  promise: 'true',
  holdout: 'true',
  needs,
})

type Task = Pick<HonestRun, 'promise' | 'before'> & Partial<HonestRun> & { of?: Project }

export const task = (prompt: string, { of = bare(), ...more }: Task): Row => [
  of,
  { what: prompt, prompt, ship: 'SHIP', ...more },
]

export const commits = 'git init -q && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm start'
export const inGit = (...needs: Project['needs']): Project => ({ ...bare(...needs), setup: commits })
