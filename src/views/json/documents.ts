/**
 * The documents that `--json` prints for scripts: the only definition of their fields. Fields are added, never removed.
 * docs/reference/json.md and json.schema.json are generated from it.
 */
import * as z from 'zod'
import { comparisonOfGroup, groupHistoryDocument, resolvedFinding, reviewsOfPlan } from './group-documents.ts'
import { failureDocument, historyOfLoop, listRow, loopDocument, started } from './loop-documents.ts'
import {
  collectedGarbage,
  configFiles,
  daemonEnded,
  daemonStarted,
  daemonStatus,
  health,
  restoredStore,
  settingChanged,
  settingList,
  settingValue,
  trustedFile,
} from './machine-documents.ts'
import { learningChanged, learningList, recalled, taskChanged, taskList } from './plan-documents.ts'
import {
  createdTemplate,
  graphOfWorkflow,
  plannedWorkflow,
  shownTemplate,
  templateList,
  validated,
} from './workflow-documents.ts'

/** `commands`: where it is printed, without `loop` in front. */
export const jsonDocuments = {
  list: { commands: ['status --json', 'list --json'], schema: z.array(listRow) },
  loop: {
    commands: [
      'status <id> --json',
      'start … --json',
      'resume … --json',
      'workflow run <file> --json',
      'workflow status <id> --json',
      'template run <name> --json',
    ],
    schema: loopDocument,
  },
  history: { commands: ['history <id> --json'], schema: historyOfLoop },
  groupHistory: { commands: ['history <group> --json'], schema: groupHistoryDocument },
  compare: { commands: ['compare <group> --json'], schema: comparisonOfGroup },
  review: { commands: ['review <plan> --json'], schema: reviewsOfPlan },
  resolved: { commands: ['review <plan> <finding> … --json'], schema: resolvedFinding },
  started: { commands: ['start … -b --json'], schema: started },
  settings: { commands: ['config --json', 'config list --json'], schema: settingList },
  setting: { commands: ['config get <key> --json'], schema: settingValue },
  settingChanged: {
    commands: ['config set <key> <value> --json', 'config unset <key> --json'],
    schema: settingChanged,
  },
  configFiles: { commands: ['config path --json'], schema: configFiles },
  trusted: { commands: ['config trust --json', 'config untrust --json'], schema: trustedFile },
  doctor: { commands: ['doctor --json'], schema: health },
  restored: { commands: ['doctor --restore --json'], schema: restoredStore },
  tasks: { commands: ['task list --json'], schema: taskList },
  taskChanged: { commands: ['task add … --json', 'task update <id> … --json'], schema: taskChanged },
  learnings: { commands: ['learn --json'], schema: learningList },
  learningChanged: {
    commands: ['learn add|accept|drop … --json', 'learn --trust --json'],
    schema: learningChanged,
  },
  recalled: { commands: ['recall <text> --json'], schema: recalled },
  templates: { commands: ['template list --json'], schema: templateList },
  template: { commands: ['template show <name> --json'], schema: shownTemplate },
  templateCreated: { commands: ['template create <name> --json'], schema: createdTemplate },
  workflow: {
    commands: ['workflow run <file> --dry-run --json', 'template run <name> --dry-run --json'],
    schema: plannedWorkflow,
  },
  workflowValidated: { commands: ['workflow validate <file> --json'], schema: validated },
  workflowGraph: { commands: ['workflow graph <file> --json'], schema: graphOfWorkflow },
  garbage: { commands: ['gc --json'], schema: collectedGarbage },
  daemon: { commands: ['loopd status --json'], schema: daemonStatus },
  daemonStarted: { commands: ['loopd start --json'], schema: daemonStarted },
  daemonEnded: { commands: ['loopd stop --json'], schema: daemonEnded },
  error: { commands: ['… --json, on stderr'], schema: failureDocument },
}
