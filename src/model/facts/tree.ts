/**
 * Facts about failures of the work tree: checkpoints, rollbacks and working copies. Their sentences:
 * views/words/failure/tree.
 */
import type { Nothing } from './all.ts'

export type TreeFailures = {
  'unknown-checkpoint': { id: string; typed: string; has: string[] }
  'nothing-saved': { id: string }
  'checkpoint-discarded': { id: string; name: string; at: number | null; left: string[] }
  'copy-gone': { node: string }
  'setup-value-missing': { command: string }
  'setup-failed': { why: string; command: string }
  'no-mounts': Nothing
  'copying-failed': { why: string }
  'layer-gone': { path: string }
  'changed-while-copied': { path: string }
  'cannot-be-copied': { path: string }
  'copy-stopped': { tree: string }
  'copy-failed': { tree: string; why: string }
  'cannot-be-removed': { path: string; why: string }
  'not-on-disk': { path: string; why: string }
  'checkpoint-failed': { id: string; name: string; why: string }
  'checkpoint-waits': { id: string }
  'not-rolled-back-to': { id: string; to: string; why: string }
  'object-gone': { id: string; tree: string }
  'git-ended': { tree: string }
  'bad-checkpoint-name': { name: string }
  'restore-deletes-unsaved': { tree: string; path: string }
  'restore-over-unreadable': { tree: string; path: string }
  'restore-into-mount': { tree: string; path: string; why: string }
  'restored-half': { tree: string; why: string }
  'not-a-checkpoint': { id: string; is: string }
  'changed-while-restored': { tree: string; paths: string[] }
  'tree-gone': { tree: string }
  'btrfs-failed': { command: string; how: string; said: string }
  'patch-too-large': { mostMb: number }
  'checkpoint-stopped': { what: string; tree: string }
  'checkpoint-refused': { what: string; tree: string; why: string }
  'still-cleaned': { dir: string }
  'git-file-spoilt': { path: string }
  'saving-stopped': { tree: string }
  'git-unstartable': { command: string; tree: string; said: string }
  'git-failed': { command: string; tree: string; how: string; said: string }
  'not-an-id': { id: string }
  'nothing-to-compare-with': Nothing
  'nothing-to-restore': Nothing
  'no-file-in-checkpoint': { path: string; checkpoint: string }
  'nothing-to-bring-back': { name: string }
  'group-tree-discarded': { id: string; name: string; at: number | null }
}
