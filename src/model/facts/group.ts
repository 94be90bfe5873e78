/** Facts about failures: groups of loops, their nodes and results. Their sentences: views/words/failure/group. */
import type { Nothing } from './all.ts'

export type GroupFailures = {
  'unfit-environment': Nothing
  'prompt-value-missing': Nothing
  'group-for-loop': { id: string; members: string[] }
  'not-a-group': { id: string; is: string }
  'group-for-people': { id: string }
  'group-not-rolled-back': { id: string; why: string }
  'group-command': { id: string; asked: string; members: string[] }
  'nothing-to-pick': { id: string }
  'nobody-chosen': { id: string }
  'nothing-to-compare': { id: string }
  'not-an-attempt': { id: string }
  'group-not-cancelled': { id: string; why: string }
  'group-never-rolled-back': { id: string }
  'group-checkpoint-missing': { id: string }
  'group-not-rolled-back-to': { id: string; to: string; why: string }
  'pick-conflict': { id: string; node: string; conflicts: string[]; isPart: boolean }
  'pick-unmarkable': { id: string; conflicts: string[] }
  'one-conflict-way': { given: string[] }
  'pick-failed': { node: string; why: string }
  'member-of-active': { id: string; group: string; status: string }
  'nobody-chosen-yet': { id: string }
  'group-changed-nothing': { id: string; known: string[] }
  'unknown-group-tree': { name: string; id: string; known: string[] }
  'result-gone': { node: string }
  'no-group-checkpoint': { name: string }
}
