/** Prints the effect that a rollback of a loop or group would have on the work tree, without changing anything. */
import type { Preview } from '../../checkpoints/contract.ts'
import { spelledOut } from '../../core/text/plain-text.ts'
import { count } from '../../model/units.ts'
import { leftWords } from '../../views/words/message.ts'
import { out, outDocument } from '../terminal.ts'

const shownMost = 200

/** `what`: loop or group. */
type Rollback = { what: string; id: string; to: string }

export function printPreview({ what, id, to }: Rollback, preview: Preview, json: boolean): void {
  const { written, deleted, left } = preview
  if (json) {
    outDocument<'rollbackPreview'>({ id, to, written, deleted, left })
    return
  }
  const lines = [
    ...written.map(path => `  write   ${spelledOut(path)}`),
    ...deleted.map(path => `  delete  ${spelledOut(path)}`),
  ]
  const more = lines.length > shownMost ? [`  … and ${lines.length - shownMost} more: see --json`] : []
  const head = `To roll ${what} ${id} back to ${to}: ${count(written.length, 'file')} written, ${deleted.length} deleted. Nothing was touched.`
  out([head, ...lines.slice(0, shownMost), ...more, ...leftWords(left)].join('\n'))
}
