/**
 * The documents that `--json` prints for scripts: the only definition of their fields. Fields are added, never removed.
 * Which command prints which is in its definition (cli/table). docs/reference/json.md and json.schema.json are
 * generated from both; test/e2e/command/json-output.test.ts holds every form against real output.
 */
import * as z from 'zod'
import { spec } from '../../model/loop/spec.ts'
import { reportDocument } from '../../model/report.ts'
import { comparisonOfGroup, groupHistoryDocument, resolvedFinding, reviewsOfPlan } from './group-documents.ts'
import {
  failureDocument,
  historyOfLoop,
  listRow,
  loopDocument,
  noticeDocument,
  plannedGroup,
  sessionRun,
  started,
} from './loop-documents.ts'
import {
  collectedGarbage,
  configFiles,
  daemonEnded,
  daemonStarted,
  daemonStatus,
  health,
  pageAddress,
  pluginOfHost,
  restoredStore,
  serviceOfDaemon,
  settingChanged,
  settingList,
  settingValue,
  trustedFile,
} from './machine-documents.ts'
import {
  judgedStep,
  learningChanged,
  learningList,
  recalled,
  scoredText,
  taskChanged,
  taskList,
} from './plan-documents.ts'
import {
  announcementLines,
  answeredQuestion,
  askedQuestion,
  hookOutputLine,
  injectedText,
  journalEvent,
  logItem,
  numberedLine,
  promiseOutputLine,
} from './talk-documents.ts'
import {
  exportedLoop,
  loopRolledBack,
  patchOfLoop,
  rollbackPreview,
  rolledBack,
  savedCheckpoint,
} from './tree-documents.ts'
import {
  createdTemplate,
  graphOfWorkflow,
  plannedWorkflow,
  shownTemplate,
  templateList,
  validated,
} from './workflow-documents.ts'

const documents = {
  list: z.array(listRow),
  loop: loopDocument,
  started: started,
  loopPlanned: spec,
  groupPlanned: plannedGroup,
  sessionRun: sessionRun,
  history: historyOfLoop,
  groupHistory: groupHistoryDocument,
  report: reportDocument,
  event: journalEvent,
  logItem: logItem,
  logPromise: promiseOutputLine,
  logHook: hookOutputLine,
  logLine: numberedLine,
  announcements: announcementLines,
  diff: patchOfLoop,
  checkpoint: savedCheckpoint,
  rolledBack: rolledBack,
  loopRolledBack: loopRolledBack,
  rollbackPreview: rollbackPreview,
  exported: exportedLoop,
  question: askedQuestion,
  answered: answeredQuestion,
  injected: injectedText,
  compare: comparisonOfGroup,
  review: reviewsOfPlan,
  resolved: resolvedFinding,
  score: scoredText,
  check: judgedStep,
  settings: settingList,
  setting: settingValue,
  settingChanged: settingChanged,
  configFiles: configFiles,
  trusted: trustedFile,
  doctor: health,
  restored: restoredStore,
  tasks: taskList,
  taskChanged: taskChanged,
  learnings: learningList,
  learningChanged: learningChanged,
  recalled: recalled,
  templates: templateList,
  template: shownTemplate,
  templateCreated: createdTemplate,
  workflow: plannedWorkflow,
  workflowValidated: validated,
  workflowGraph: graphOfWorkflow,
  garbage: collectedGarbage,
  plugin: pluginOfHost,
  page: pageAddress,
  daemon: daemonStatus,
  daemonStarted: daemonStarted,
  daemonEnded: daemonEnded,
  service: serviceOfDaemon,
} satisfies Record<string, z.ZodType>

export type DocumentName = keyof typeof documents

export const jsonDocuments: Record<DocumentName, z.ZodType> = documents

/** On stderr, whatever the command. */
export const stderrDocuments = { error: failureDocument, notice: noticeDocument }
