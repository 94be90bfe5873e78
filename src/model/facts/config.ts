/** Facts about failures: configuration files and their keys. Their sentences: views/words/failure/config. */
import type { Facts } from './all.ts'

export type ConfigFailures = {
  'config-unlockable': { path: string; why: string }
  'key-not-yet': { key: string }
  'unknown-key': { key: string; near: string | null }
  'key-twice': { path: string; line: number; key: string; first: number }
  'bad-key': { at: string; because: Facts }
  'not-of-project-at': { at: string; key: string }
  'unfit-key': { at: string; key: string; expected: string; near?: string | null; text: string }
  'trust-unrecorded': { path: string; because: Facts }
  'config-unwritable': { path: string; why: string }
  'config-form': { form: string }
  'project-flag': { action: string }
  'not-of-project': { key: string }
  'config-not-yaml': { at: string; said: string }
  'config-not-keys': { at: string }
  'config-nul': { at: string }
  'config-not-text': { at: string }
  'config-not-a-key': { at: string }
  'config-not-plain': { at: string; key: string; has: 'nothing' | 'alias' | 'keys' | 'list' }
  'config-unusable': { path: string; why: 'link' | 'directory' | 'not-a-file' | 'dangling' }
  'config-unreadable': { path: string; why: string }
  'config-too-large': { path: string; bytes: number; most: number }
}
