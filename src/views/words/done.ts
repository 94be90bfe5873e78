/** What a command says that it has done; of a journal by its kind it is in views/faces/acted. */
import { safeLine, spelledOut } from '../../core/text/plain-text.ts'
import { count, formatBytes, formatDuration } from '../../model/units.ts'

export const nothingRunWords = 'Nothing was run.'

type Saved = { name: string; durationMs: number; skipped: readonly string[] }

export const doneWords = {
  checkpoint(id: string, { name, durationMs, skipped }: Saved) {
    const missing = skipped.length > 0 ? ` Not saved: ${spelledOut(skipped.join(', '))}.` : ''
    return `Loop ${id}: checkpoint ${name} saved (${formatDuration(durationMs)}).${missing} Bring it back with: loop rollback ${id} ${name}`
  },
  injected: (id: string, iteration: number) =>
    `Loop ${id}: the agent will be told in iteration ${iteration}.`,
  inCopy: (id: string, tree: string, group: string) =>
    `Loop ${id} worked in a copy of ${tree}: nothing is rolled back there. To undo what its group applied: loop rollback ${group} initial`,
  exported: (what: string, file: string, { files, bytes }: { files: number; bytes: number }) =>
    `${what} is exported to ${file} (${count(files, 'file')}, ${formatBytes(bytes)}).`,
  /** `changed`: it was not so before. */
  set: (key: string, path: string, { text, changed }: { text: string | null; changed: boolean }) =>
    text === null
      ? `${key} is ${changed ? 'no longer' : 'not'} set in ${path}`
      : `${key} is ${changed ? 'now' : 'already'} ${spelledOut(text)} in ${path}`,
  trusted: (path: string, settings: readonly string[]) =>
    [`${path} is trusted until it changes. It sets:`, ...settings].join('\n'),
  untrusted: (path: string) => `${path} is not trusted any more and will not be used.`,
  templateShown: (path: string, text: string) =>
    `${text}\nNothing was written; it would be ${spelledOut(path)}.`,
  templateWritten: (path: string, name: string, notes: readonly string[]) =>
    [`${spelledOut(path)} is written.`, ...notes, `Look at it, then: loop template run ${name}`].join('\n'),
  templateCopied: (file: string) => `It is a copy of ${spelledOut(file)} as it is now.`,
  decided: (finding: string, plan: string, how: string) => `Finding ${finding} of plan ${plan}: ${how}.`,
  goesOnUnpaused: (id: string) => `Loop ${id} goes on without a pause.`,
  pageOpened: (origin: string) => `loop: opened ${origin} in your browser.`,
  mcp: 'loop: serving the Model Context Protocol on stdin and stdout, for a program. Ctrl-D ends it.',
}

/** Of the task list of a session. */
export const taskWords = {
  changed: (task: string, how: string, list: string) => safeLine(`${task}: ${how} (list ${list})`),
  open: (id: string) => `It is not completed. Mend it, then: loop task update ${id} completed`,
  prepared:
    'Fill in _context.md there, then make the tasks: the session is held until all of them are completed.',
}
