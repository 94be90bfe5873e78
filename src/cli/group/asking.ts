/**
 * Asks the questions of a group at the terminal, one at a time, until each is answered here or elsewhere. Several gates
 * can be open at once (the questions about an unclear spec): the next one is asked once the answer to the current one
 * is recorded.
 */
import type { GroupKinds } from '../../core/group/machine.ts'
import { openGate } from '../../core/group/state.ts'
import { questionOf } from '../../core/group/values.ts'
import { type Driven, submit } from '../../engine/drive.ts'
import type { Told } from '../../engine/feed.ts'
import { answerForm, isDefaultYes } from '../../views/words/gate.ts'
import type { Input } from '../command-table.ts'
import { askLine, isAttended, whoAnswers } from '../foreground/question.ts'
import { err } from '../terminal.ts'

/** Returns a function that stops asking. */
export function asking(group: Driven<GroupKinds>, input: Input): () => void {
  if (!isAttended(input)) return () => {}
  let asked: string | null = null
  let current = new AbortController()

  const put = async (signal: AbortSignal): Promise<void> => {
    const gate = openGate(group.state)
    if (!gate) return
    const words = `${questionOf(group.state)} ${answerForm(gate.node)} `
    const line = await askLine(words, signal)
    if (signal.aborted) return
    if (line === null) return err(`No more can be typed here. Answer with: loop answer ${group.state.id}`)
    const text = line.trim() === '' && isDefaultYes(gate.node) ? 'yes' : line.trim()
    if (text === '') return put(signal)
    submit(group, { kind: 'answer', by: whoAnswers(input), text })
  }

  /** `again`: the same question, because its answer was refused. */
  const look = (again: boolean) => {
    const gate = openGate(group.state)
    const name = gate && `${gate.node.id} ${gate.attempt}`
    if (name === asked && !again) return
    current.abort()
    current = new AbortController()
    asked = name
    put(current.signal).catch((error: Error) =>
      err(`This cannot be asked here (${error.message}). Answer with: loop answer ${group.state.id}`),
    )
  }

  const forget = group.world.feed.subscribe(group.state.id, told => {
    const { event } = told as unknown as Told<GroupKinds>
    look(event.kind === 'command.refused')
  })
  look(false)
  return () => {
    forget()
    current.abort()
  }
}
