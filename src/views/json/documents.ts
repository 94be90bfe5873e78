/**
 * The documents that `--json` prints for scripts: the only definition of their fields. Fields are added, never removed.
 * docs/reference/json.md and json.schema.json are generated from it.
 */
import * as z from 'zod'
import { comparisonOfGroup, groupHistoryDocument, resolvedFinding, reviewsOfPlan } from './group-documents.ts'
import { failureDocument, historyOfLoop, listRow, loopDocument, started } from './loop-documents.ts'
import {
  configFiles,
  health,
  restoredStore,
  settingChanged,
  settingList,
  settingValue,
  trustedFile,
} from './machine-documents.ts'

/** `commands`: where it is printed. */
export const jsonDocuments = {
  list: { commands: ['status --json', 'list --json'], schema: z.array(listRow) },
  loop: { commands: ['status <id> --json', 'start … --json', 'resume … --json'], schema: loopDocument },
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
  error: { commands: ['… --json, on stderr'], schema: failureDocument },
}
