/** Failures: groups of loops, their nodes and results. */
import { safeText } from '../core/text/plain-text.ts'

export const groupFailures = {
  'unfit-environment': () => 'a value of its environment is missing or does not fit',
  'prompt-value-missing': () => 'a value of its prompt is missing',
  'group-for-loop': (d: { id: string; members: string[] }) =>
    `${d.id} is a group, and this is for one loop. Name one of its members: ${d.members.length === 0 ? 'it has none yet' : d.members.join(', ')}. See: loop status ${d.id}`,
  'not-a-group': (d: { id: string; is: string }) => `${d.id} is not a group but of the kind ${d.is}.`,
  'group-for-people': (d: { id: string }) =>
    `Group ${d.id} is asked by people: an agent can ask something of its own loop.`,
  'group-not-rolled-back': (d: { id: string; why: string }) =>
    `Group ${d.id} is not rolled back: ${safeText(d.why)}`,
  'group-command': (d: { id: string; asked: string; members: string[] }) =>
    `${d.id} is a group, and ${d.asked} is for one loop. Its loops: ${d.members.join(', ') || 'it has none yet'}.`,
  'nothing-to-pick': (d: { id: string }) => `Loop ${d.id} is no group: there is nothing to pick.`,
  'nobody-chosen': (d: { id: string }) =>
    `Group ${d.id} has chosen no attempt. See loop compare ${d.id}, then: loop pick ${d.id} <attempt>`,
  'nothing-to-compare': (d: { id: string }) =>
    `Loop ${d.id} is no group: there is nothing to compare. See: loop history ${d.id}`,
  'not-an-attempt': (d: { id: string }) => `Loop ${d.id} is no group: its work is in its own tree.`,
  'group-not-cancelled': (d: { id: string; why: string }) =>
    `Group ${d.id} is not cancelled yet: ${d.why}. See it with: loop status ${d.id}`,
  'group-never-rolled-back': (d: { id: string }) => `Group ${d.id} was never rolled back.`,
  'group-checkpoint-missing': (d: { id: string }) =>
    `Name a checkpoint of the group: initial, or one that loop history ${d.id} shows.`,
  'group-not-rolled-back-to': (d: { id: string; to: string; why: string }) =>
    `Group ${d.id} is not rolled back to ${d.to}: ${d.why}`,
  'pick-conflict': (d: { id: string; node: string; conflicts: string[]; isPart: boolean }) =>
    `${d.node} and the work tree have changed the same places: ${d.conflicts.join(', ')}. The tree is as it was. ${
      d.isPart
        ? 'To take the version of the result (yours is saved first), add: --theirs'
        : `Merge with conflict markers: loop apply ${d.id} --merge; ${wholeFiles(d.id)}`
    }`,
  'pick-unmarkable': (d: { id: string; conflicts: string[] }) =>
    `Conflict markers cannot be written into ${d.conflicts.join(', ')}: only a text file that both sides have can hold them, not a binary file, a file that one side deleted, a link or a directory. The tree is as it was. ${wholeFiles(d.id)}`,
  'one-conflict-way': (d: { given: string[] }) =>
    `Give only one of ${d.given.map(way => `--${way}`).join(', ')}.`,
  'pick-failed': (d: { node: string; why: string }) =>
    `${d.node} is not in the work tree: ${d.why}. The tree is as it was.`,
  'member-of-active': (d: { id: string; group: string; status: string }) =>
    `Loop ${d.id} is a member of group ${d.group}, which is ${d.status}. Pause that first: loop pause ${d.group}`,
  'nobody-chosen-yet': (d: { id: string }) =>
    `Group ${d.id} has chosen no attempt: pick one of its attempts.`,
  'group-changed-nothing': (d: { id: string; known: string[] }) =>
    `Group ${d.id} has changed nothing in its work tree yet. It has: ${d.known.join(', ') || 'none yet'}.`,
  'unknown-group-tree': (d: { name: string; id: string; known: string[] }) =>
    `${d.name || 'Nothing'} is no result or checkpoint of group ${d.id}. It has: ${d.known.join(', ') || 'none yet'}.`,
  'result-gone': (d: { node: string }) => `the result of ${d.node} is not there any more`,
  'no-group-checkpoint': (d: { name: string }) => `there is no checkpoint ${d.name}`,
}

function wholeFiles(id: string): string {
  return `keep your version of these files: loop apply ${id} --mine; take that of the result (yours is saved first): loop apply ${id} --theirs`
}
