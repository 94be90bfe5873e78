/** Sentences about the work tree: checkpoints, rollbacks and working copies. */

import { newestNames } from '../../../core/loop/parts/tree.ts'
import type { TreeFailures } from '../../../model/facts/tree.ts'
import { safeLine, spelledOut } from '../../text/plain-text.ts'
import { goneWords, groupGoneWords } from '../discarded.ts'
import { nameWords } from '../recorded/refusal.ts'
import type { Sentences } from './words.ts'

export const treeSentences: Sentences<TreeFailures> = {
  'unknown-checkpoint': ({ id, typed, has }) =>
    `Loop ${id} has no checkpoint ${typed}. It has: ${nameWords(newestNames(has))}.`,
  'nothing-saved': ({ id }) => `Loop ${id} was started with --checkpoint none: nothing was saved.`,
  'checkpoint-discarded': ({ id, name, at, left }) => goneWords(id, { name, at }, left),
  'copy-gone': ({ node }) => `the copy of ${node} is not there any more`,
  'setup-value-missing': ({ command }) => `copy_setup: a value of "${command}" is missing`,
  'setup-failed': ({ why, command }) => `copy_setup failed (${why}): ${command}`,
  'no-mounts': () =>
    `the working copy has to be mounted, but mount namespaces are no longer permitted here; permit them (loop doctor), or start again with copy_setup`,
  'copying-failed': ({ why }) => `Copying failed: ${why}. Is the disk full?`,
  'layer-gone': ({ path }) => `${path}, which a copy uses, is gone. Start again.`,
  'changed-while-copied': ({ path }) =>
    `${path} changed each time while it was copied. Stop what writes to it, then start again.`,
  'cannot-be-copied': ({ path }) => `${path} cannot be copied.`,
  'copy-stopped': ({ tree }) => `The copy of ${tree} was stopped; nothing of it is left.`,
  'copy-failed': ({ tree, why }) => `The copy of ${tree} failed: ${why}. Solve this, then start again.`,
  'cannot-be-removed': ({ path, why }) =>
    `${path} cannot be removed: ${why}. Remove it by hand, with the rights that it needs.`,
  'not-on-disk': ({ path, why }) => `Writing ${path} to disk failed: ${why}.`,
  'checkpoint-failed': ({ id, name, why }) => `Loop ${id} has no checkpoint ${name}: ${safeLine(why)}`,
  'checkpoint-waits': ({ id }) =>
    `Loop ${id} will take the checkpoint when the promise has run. See it with: loop history ${id}`,
  'not-rolled-back-to': ({ id, to, why }) => `Loop ${id} is not rolled back to ${to}: ${safeLine(why)}`,
  'object-gone': ({ id, tree }) =>
    `The checkpoint is gone: ${id} is not in the store of ${tree}. See loop history.`,
  'git-ended': ({ tree }) => `git cat-file ended early for ${tree}. Is git installed?`,
  'bad-checkpoint-name': ({ name }) => `${JSON.stringify(name)} cannot be the name of a checkpoint.`,
  'restore-deletes-unsaved': ({ tree, path }) =>
    `Restoring ${tree} would delete ${path}, which cannot be saved. Nothing was changed; move it away and restore again.`,
  'restore-over-unreadable': ({ tree, path }) =>
    `Restoring ${tree} would write over ${path}, which cannot be read. Nothing was changed; make it readable or move it away, and restore again.`,
  'restore-into-mount': ({ tree, path, why }) =>
    `Restoring ${tree} would change ${path}, ${why}. Nothing was changed; unmount it and restore again.`,
  'restored-half': ({ tree, why }) =>
    `${tree} is only half restored: ${why}. Every file as it was before is saved. Solve that (on a full disk, free some space), then do the same again: it restores the rest exactly.`,
  'not-a-checkpoint': ({ id, is }) => `${id} is no checkpoint, but a ${is}. See loop history.`,
  'changed-while-restored': ({ tree, paths }) => changedWhileRestored(tree, paths),
  'tree-gone': ({ tree }) => `The directory ${tree} is gone.`,
  'btrfs-failed': ({ command, how, said }) =>
    `btrfs ${command} failed (${how}): ${said}. No checkpoint was taken; use --checkpoint git where snapshots are not permitted.`,
  'patch-too-large': ({ mostMb }) =>
    `The patch is larger than ${mostMb} MB. loop diff prints it, without --json.`,
  'checkpoint-stopped': ({ what, tree }) => `${what} of ${tree} was stopped; it does not count as done.`,
  'checkpoint-refused': ({ what, tree, why }) =>
    `${what} of ${tree} failed: ${why}. It does not count as done; solve this and resume.`,
  'still-cleaned': ({ dir }) => `loop gc still cleans ${dir}. End it, then resume.`,
  'git-file-spoilt': ({ path }) => `${path} is not a plain file. Remove it, then try again.`,
  'saving-stopped': ({ tree }) => `Saving ${tree} was stopped; it does not count as done.`,
  'git-unstartable': ({ command, tree, said }) =>
    `${command} could not be started for ${tree} (${said}). Install git, or use --checkpoint none.`,
  'git-failed': ({ command, tree, how, said }) =>
    `${command} failed for ${tree} (${how}): ${said}. It does not count as done; solve this and resume.`,
  'not-an-id': ({ id }) => `${JSON.stringify(id)} is not the id of a checkpoint. See loop history.`,
  'nothing-to-compare-with': () =>
    'This loop was started with --checkpoint none: there is nothing to compare.',
  'nothing-to-restore': () => 'This loop was started with --checkpoint none: there is nothing to restore.',
  'no-file-in-checkpoint': ({ path, checkpoint }) => `There is no file ${spelledOut(path)} in ${checkpoint}.`,
  'nothing-to-bring-back': ({ name }) => `There is no checkpoint ${name} that can be brought back.`,
  'group-tree-discarded': ({ id, name, at }) => groupGoneWords(id, { name, at }),
}

function changedWhileRestored(tree: string, paths: readonly string[]): string {
  const words = `${tree} was being restored, but differs from the checkpoint again in ${paths.join(', ')}.`
  return `${words} Something is writing to it: stop that, then restore again.`
}
