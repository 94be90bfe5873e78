/**
 * The documents that `--json` prints for scripts: the only definition of their fields. Fields are added, never removed.
 * docs/reference/json.md and json.schema.json are generated from it. test/unit/views/json holds it against the table of
 * commands, test/e2e/command/json-output.test.ts every form against real output.
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

/**
 * `commands`: where it is printed, without `loop` in front and `--json` behind; a|b is either word, <…> any one, … any
 * number of them. `perLine`: where such documents are printed one a line.
 */
export type JsonDocument = { commands: string[]; perLine?: string[]; schema: z.ZodType }

const documents = {
  list: { commands: ['status', 'list'], perLine: ['status -w'], schema: z.array(listRow) },
  loop: {
    commands: [
      'status <id>',
      'start …',
      'start … --session',
      'start … --template <name>',
      'plan <spec>',
      'resume <id>',
      'resume --session',
      'pause <id>',
      'cancel <id>',
      'cancel --session',
      'answer <group> <text>',
      'pick <group> <attempt>',
      'apply <group>',
      'init <name> -p <command>',
      'workflow run <file>',
      'workflow status <id>',
      'template run <name>',
      'demo …',
    ],
    perLine: ['status <id> -w'],
    schema: loopDocument,
  },
  started: {
    commands: [
      'start … -b',
      'plan <spec> … -b',
      'resume <id> -b',
      'workflow run <file> … -b',
      'template run <name> … -b',
    ],
    schema: started,
  },
  loopPlanned: { commands: ['start … --dry-run'], schema: spec },
  groupPlanned: {
    commands: ['start … --best-of <N> … --dry-run', 'plan <spec> … --dry-run'],
    schema: plannedGroup,
  },
  sessionRun: {
    commands: ['init <name>', 'resume --session', 'cancel --session'],
    schema: sessionRun,
  },
  history: { commands: ['history <id>'], schema: historyOfLoop },
  groupHistory: { commands: ['history <group>'], schema: groupHistoryDocument },
  report: { commands: ['report'], schema: reportDocument },
  event: { commands: [], perLine: ['watch <id>'], schema: journalEvent },
  logItem: { commands: [], perLine: ['logs <id>'], schema: logItem },
  logPromise: { commands: [], perLine: ['logs <id> --promise'], schema: promiseOutputLine },
  logHook: { commands: [], perLine: ['logs <id> --hook'], schema: hookOutputLine },
  logLine: { commands: [], perLine: ['logs <id> --line <N>'], schema: numberedLine },
  announcements: { commands: ['logs <id> --announcements'], schema: announcementLines },
  diff: { commands: ['diff <id>', 'diff <id> <A..B>', 'history <id> --diff <N>'], schema: patchOfLoop },
  checkpoint: { commands: ['checkpoint <id>', 'checkpoint <id> <name>'], schema: savedCheckpoint },
  rolledBack: { commands: ['rollback <id> <checkpoint>', 'rollback <id> --undo'], schema: rolledBack },
  loopRolledBack: {
    commands: ['rollback <group> <checkpoint>', 'rollback <group> --undo', 'cancel <id> --rollback'],
    schema: loopRolledBack,
  },
  rollbackPreview: { commands: ['rollback <id> <checkpoint> --dry-run'], schema: rollbackPreview },
  exported: { commands: ['export <id>'], schema: exportedLoop },
  question: { commands: ['answer <id>'], schema: askedQuestion },
  answered: { commands: ['answer <id> <text>'], schema: answeredQuestion },
  injected: { commands: ['inject <id> <text>'], schema: injectedText },
  compare: { commands: ['compare <group>'], schema: comparisonOfGroup },
  review: { commands: ['review <plan>'], schema: reviewsOfPlan },
  resolved: { commands: ['review <plan> <finding> approve|task|discuss|skip'], schema: resolvedFinding },
  score: { commands: ['score <spec>'], schema: scoredText },
  check: { commands: ['check <what> …'], schema: judgedStep },
  settings: { commands: ['config', 'config list'], schema: settingList },
  setting: { commands: ['config get <key>'], schema: settingValue },
  settingChanged: { commands: ['config set <key> <value>', 'config unset <key>'], schema: settingChanged },
  configFiles: { commands: ['config path'], schema: configFiles },
  trusted: { commands: ['config trust', 'config untrust'], schema: trustedFile },
  doctor: { commands: ['doctor'], schema: health },
  restored: { commands: ['doctor --restore'], schema: restoredStore },
  tasks: { commands: ['task list'], schema: taskList },
  taskChanged: { commands: ['task add <subject>', 'task update <id> <status>'], schema: taskChanged },
  learnings: { commands: ['learn'], schema: learningList },
  learningChanged: {
    commands: ['learn add <text>', 'learn accept <id>', 'learn drop <id>', 'learn --trust'],
    schema: learningChanged,
  },
  recalled: { commands: ['recall <text>'], schema: recalled },
  templates: { commands: ['template list'], schema: templateList },
  template: { commands: ['template show <name>'], schema: shownTemplate },
  templateCreated: {
    commands: ['template create <name>', 'template create <name> … --dry-run'],
    schema: createdTemplate,
  },
  workflow: {
    commands: ['workflow run <file> … --dry-run', 'template run <name> … --dry-run'],
    schema: plannedWorkflow,
  },
  workflowValidated: { commands: ['workflow validate <file>'], schema: validated },
  workflowGraph: { commands: ['workflow graph <file>'], schema: graphOfWorkflow },
  garbage: { commands: ['gc', 'gc … --dry-run'], schema: collectedGarbage },
  plugin: { commands: ['plugin install|uninstall <host>'], schema: pluginOfHost },
  page: { commands: ['ui'], schema: pageAddress },
  daemon: { commands: ['loopd status'], schema: daemonStatus },
  daemonStarted: { commands: ['loopd start'], schema: daemonStarted },
  daemonEnded: { commands: ['loopd stop'], schema: daemonEnded },
  service: { commands: ['loopd service install|uninstall|print'], schema: serviceOfDaemon },
} satisfies Record<string, JsonDocument>

type DocumentName = keyof typeof documents

export const jsonDocuments: Record<DocumentName, JsonDocument> = documents

/** On stderr, whatever the command. */
export const stderrDocuments = { error: failureDocument, notice: noticeDocument }

/** Commands that print no document of loop's own with `--json`, and why. */
export const withoutDocument: Record<string, string> = {
  hook: 'speaks the protocol of the session that calls it: JSON in, JSON out, with or without --json',
  mcp: 'speaks the Model Context Protocol: its tools have schemas of their own',
  completion: 'prints a script for a shell',
  'workflow schema': 'prints the JSON schema of workflow files, as workflow.schema.json has it',
  'loopd start --foreground': 'prints nothing on stdout; its log is on stderr and in its file',
  'loopd config': 'prints what loop config prints',
}
