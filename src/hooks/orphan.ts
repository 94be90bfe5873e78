/** What loop drove in a work tree until its process was killed. Reads the store; nothing is started or recorded. */
import { shown } from '../engine/shown/orphans.ts'
import { redactText, secretsIn } from '../secrets/redact.ts'
import { pathsFrom } from '../store/files/paths.ts'
import { openStoreToRead } from '../store/sqlite/open.ts'

export function orphanIn(env: NodeJS.ProcessEnv, tree: string): { id: string; prompt: string } | null {
  const store = openStoreToRead(pathsFrom(env))
  if (!store.ok || !store.value) return null
  const opened = store.value
  try {
    const { summaries } = opened.heads.list({ current: 1, near: tree })
    const found = summaries.find(one => one.cwd === tree && shown(opened, one).orphaned)
    return found ? { id: found.id, prompt: redactText(found.prompt, secretsIn(env)) } : null
  } finally {
    opened.close()
  }
}
