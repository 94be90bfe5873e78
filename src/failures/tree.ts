/** Failures: the work tree: checkpoints, rollbacks and working copies. */
import { newestNames } from '../core/loop/parts/tree.ts'
import { safeLine, spelledOut } from '../core/text/plain-text.ts'
import { goneWords, groupGoneWords } from './discarded.ts'
import { nameWords } from './refusal.ts'

export const treeFailures = {
  'unknown-checkpoint': (d: { id: string; typed: string; has: string[] }) =>
    `Loop ${d.id} has no checkpoint ${d.typed}. It has: ${nameWords(newestNames(d.has))}.`,
  'nothing-saved': (d: { id: string }) =>
    `Loop ${d.id} was started with --checkpoint none: nothing was saved.`,
  'checkpoint-discarded': (d: { id: string; name: string; at: number | null; left: string[] }) =>
    goneWords(d.id, { name: d.name, at: d.at }, d.left),
  'copy-gone': (d: { node: string }) => `the copy of ${d.node} is not there any more`,
  'setup-value-missing': (d: { command: string }) => `copy_setup: a value of "${d.command}" is missing`,
  'setup-failed': (d: { why: string; command: string }) => `copy_setup failed (${d.why}): ${d.command}`,
  'no-mounts': () =>
    `the working copy has to be mounted, but mount namespaces are no longer permitted here; permit them (loop doctor), or start again with copy_setup`,
  'copying-failed': (d: { why: string }) => `Copying failed: ${d.why}. Is the disk full?`,
  'layer-gone': (d: { path: string }) => `${d.path}, which a copy uses, is gone. Start again.`,
  'changed-while-copied': (d: { path: string }) =>
    `${d.path} changed each time while it was copied. Stop what writes to it, then start again.`,
  'changed-during-look': (d: { path: string }) =>
    `${d.path} changed while the promise ran in a clean copy that uses it`,
  'cannot-be-copied': (d: { path: string }) => `${d.path} cannot be copied.`,
  'copy-stopped': (d: { tree: string }) => `The copy of ${d.tree} was stopped; nothing of it is left.`,
  'copy-failed': (d: { tree: string; why: string }) =>
    `The copy of ${d.tree} failed: ${d.why}. Solve this, then start again.`,
  'cannot-be-removed': (d: { path: string; why: string }) =>
    `${d.path} cannot be removed: ${d.why}. Remove it by hand, with the rights that it needs.`,
  'not-on-disk': (d: { path: string; why: string }) => `Writing ${d.path} to disk failed: ${d.why}.`,
  'checkpoint-failed': (d: { id: string; name: string; why: string }) =>
    `Loop ${d.id} has no checkpoint ${d.name}: ${safeLine(d.why)}`,
  'checkpoint-waits': (d: { id: string }) =>
    `Loop ${d.id} will take the checkpoint when the promise has run. See it with: loop history ${d.id}`,
  'not-rolled-back-to': (d: { id: string; to: string; why: string }) =>
    `Loop ${d.id} is not rolled back to ${d.to}: ${safeLine(d.why)}`,
  'object-gone': (d: { id: string; tree: string }) =>
    `The checkpoint is gone: ${d.id} is not in the store of ${d.tree}. See loop history.`,
  'git-ended': (d: { tree: string }) => `git cat-file ended early for ${d.tree}. Is git installed?`,
  'bad-checkpoint-name': (d: { name: string }) =>
    `${JSON.stringify(d.name)} cannot be the name of a checkpoint.`,
  'restore-deletes-unsaved': (d: { tree: string; path: string }) =>
    `Restoring ${d.tree} would delete ${d.path}, which cannot be saved. Nothing was changed; move it away and restore again.`,
  'restore-over-unreadable': (d: { tree: string; path: string }) =>
    `Restoring ${d.tree} would write over ${d.path}, which cannot be read. Nothing was changed; make it readable or move it away, and restore again.`,
  'restore-into-mount': (d: { tree: string; path: string; why: string }) =>
    `Restoring ${d.tree} would change ${d.path}, ${d.why}. Nothing was changed; unmount it and restore again.`,
  'restored-half': (d: { tree: string; why: string }) =>
    `${d.tree} is only half restored: ${d.why}. Every file as it was before is saved. Solve that (on a full disk, free some space), then do the same again: it restores the rest exactly.`,
  'not-a-checkpoint': (d: { id: string; is: string }) =>
    `${d.id} is no checkpoint, but a ${d.is}. See loop history.`,
  'changed-while-restored': (d: { tree: string; paths: string[] }) => changedWhileRestored(d.tree, d.paths),
  'tree-gone': (d: { tree: string }) => `The directory ${d.tree} is gone.`,
  'btrfs-failed': (d: { command: string; how: string; said: string }) =>
    `btrfs ${d.command} failed (${d.how}): ${d.said}. No checkpoint was taken; use --checkpoint git where snapshots are not permitted.`,
  'patch-too-large': (d: { mostMb: number }) =>
    `The patch is larger than ${d.mostMb} MB. loop diff prints it, without --json.`,
  'checkpoint-stopped': (d: { what: string; tree: string }) =>
    `${d.what} of ${d.tree} was stopped; it does not count as done.`,
  'checkpoint-refused': (d: { what: string; tree: string; why: string }) =>
    `${d.what} of ${d.tree} failed: ${d.why}. It does not count as done; solve this and resume.`,
  'still-cleaned': (d: { dir: string }) => `loop gc still cleans ${d.dir}. End it, then resume.`,
  'git-file-spoilt': (d: { path: string }) => `${d.path} is not a plain file. Remove it, then try again.`,
  'saving-stopped': (d: { tree: string }) => `Saving ${d.tree} was stopped; it does not count as done.`,
  'git-unstartable': (d: { command: string; tree: string; said: string }) =>
    `${d.command} could not be started for ${d.tree} (${d.said}). Install git, or use --checkpoint none.`,
  'git-failed': (d: { command: string; tree: string; how: string; said: string }) =>
    `${d.command} failed for ${d.tree} (${d.how}): ${d.said}. It does not count as done; solve this and resume.`,
  'not-an-id': (d: { id: string }) =>
    `${JSON.stringify(d.id)} is not the id of a checkpoint. See loop history.`,
  'nothing-to-compare-with': () =>
    'This loop was started with --checkpoint none: there is nothing to compare.',
  'nothing-to-restore': () => 'This loop was started with --checkpoint none: there is nothing to restore.',
  'no-file-in-checkpoint': (d: { path: string; checkpoint: string }) =>
    `There is no file ${spelledOut(d.path)} in ${d.checkpoint}.`,
  'nothing-to-bring-back': (d: { name: string }) =>
    `There is no checkpoint ${d.name} that can be brought back.`,
  'group-tree-discarded': (d: { id: string; name: string; at: number | null }) =>
    groupGoneWords(d.id, { name: d.name, at: d.at }),
}

function changedWhileRestored(tree: string, paths: readonly string[]): string {
  const words = `${tree} was being restored, but differs from the checkpoint again in ${paths.join(', ')}.`
  return `${words} Something is writing to it: stop that, then restore again.`
}
