/** Facts about failures: workflow files and templates. Their sentences: views/words/failure/workflow. */
import type { Problem } from '../problem.ts'

export type WorkflowFailures = {
  'bad-set': { typed: string }
  'bad-set-name': { name: string; rule: string }
  'set-twice': { name: string }
  'bad-set-value': { name: string; why: string }
  'step-not-begun': { step: string }
  'no-loop-for-template': { name: string }
  'no-template-of': { id: string }
  'template-impossible': { id: string; name: string; group: string | null; json: boolean }
  'unknown-template': { name: string; near: string | null; known: string[] }
  'bad-template-name': { name: string; rule: string }
  'template-there': { path: string }
  'template-command-missing': { name: string; detect: string | null; variable: string }
  'flag-with-template': { flag: string }
  'template-without-prompt': { name: string }
  'template-values-missing': { name: string; missing: { name: string; description: string | null }[] }
  'workflow-untrusted': { path: string; changed: boolean }
  'workflow-broken': { path: string }
  'workflow-changed': { path: string; id: string; differences: string[] }
  'workflow-unreadable': { path: string; why: 'not-a-file' | 'not-there' | 'closed' | 'not-text' }
  'workflow-too-large': { path: string; bytes: number; most: number }
  'workflow-problems': { problems: Problem[] }
}
