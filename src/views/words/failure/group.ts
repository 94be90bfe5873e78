/** Sentences about groups of loops, their nodes and results. */

import type { GroupFailures } from '../../../model/facts/group.ts'
import { safeText } from '../../text/plain-text.ts'
import type { Sentences } from './words.ts'

export const groupSentences: Sentences<GroupFailures> = {
  'unfit-environment': () => 'a value of its environment is missing or does not fit',
  'prompt-value-missing': () => 'a value of its prompt is missing',
  'group-for-loop': ({ id, members }) =>
    `${id} is a group, and this is for one loop. Name one of its members: ${members.length === 0 ? 'it has none yet' : members.join(', ')}. See: loop status ${id}`,
  'not-a-group': ({ id, is }) => `${id} is not a group but of the kind ${is}.`,
  'group-for-people': ({ id }) =>
    `Group ${id} is asked by people: an agent can ask something of its own loop.`,
  'group-not-rolled-back': ({ id, why }) => `Group ${id} is not rolled back: ${safeText(why)}`,
  'group-command': ({ id, asked, members }) =>
    `${id} is a group, and ${asked} is for one loop. Its loops: ${members.join(', ') || 'it has none yet'}.`,
  'nothing-to-pick': ({ id }) => `Loop ${id} is no group: there is nothing to pick.`,
  'nobody-chosen': ({ id }) =>
    `Group ${id} has chosen no attempt. See loop compare ${id}, then: loop pick ${id} <attempt>`,
  'nothing-to-compare': ({ id }) =>
    `Loop ${id} is no group: there is nothing to compare. See: loop history ${id}`,
  'not-an-attempt': ({ id }) => `Loop ${id} is no group: its work is in its own tree.`,
  'group-not-cancelled': ({ id, why }) =>
    `Group ${id} is not cancelled yet: ${why}. See it with: loop status ${id}`,
  'group-never-rolled-back': ({ id }) => `Group ${id} was never rolled back.`,
  'group-checkpoint-missing': ({ id }) =>
    `Name a checkpoint of the group: initial, or one that loop history ${id} shows.`,
  'group-not-rolled-back-to': ({ id, to, why }) => `Group ${id} is not rolled back to ${to}: ${why}`,
  'pick-conflict': ({ id, node, conflicts, isPart }) =>
    `${node} and the work tree have changed the same places: ${conflicts.join(', ')}. The tree is as it was. ${
      isPart
        ? 'To take the version of the result (yours is saved first), add: --theirs'
        : `Merge with conflict markers: loop apply ${id} --merge; ${wholeFiles(id)}`
    }`,
  'pick-unmarkable': ({ id, conflicts }) =>
    `Conflict markers cannot be written into ${conflicts.join(', ')}: only a text file that both sides have can hold them, not a binary file, a file that one side deleted, a link or a directory. The tree is as it was. ${wholeFiles(id)}`,
  'one-conflict-way': ({ given }) => `Give only one of ${given.map(way => `--${way}`).join(', ')}.`,
  'pick-failed': ({ node, why }) => `${node} is not in the work tree: ${why}. The tree is as it was.`,
  'member-of-active': ({ id, group, status }) =>
    `Loop ${id} is a member of group ${group}, which is ${status}. Pause that first: loop pause ${group}`,
  'nobody-chosen-yet': ({ id }) => `Group ${id} has chosen no attempt: pick one of its attempts.`,
  'group-changed-nothing': ({ id, known }) =>
    `Group ${id} has changed nothing in its work tree yet. It has: ${known.join(', ') || 'none yet'}.`,
  'unknown-group-tree': ({ name, id, known }) =>
    `${name || 'Nothing'} is no result or checkpoint of group ${id}. It has: ${known.join(', ') || 'none yet'}.`,
  'result-gone': ({ node }) => `the result of ${node} is not there any more`,
  'no-group-checkpoint': ({ name }) => `there is no checkpoint ${name}`,
}

function wholeFiles(id: string): string {
  return `keep your version of these files: loop apply ${id} --mine; take that of the result (yours is saved first): loop apply ${id} --theirs`
}
