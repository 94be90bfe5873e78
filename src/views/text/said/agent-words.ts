/** What an agent says and does, as text for people: its words, one line for each tool it uses and each warning. */
import type { Item } from '../../../model/agent.ts'
import { limitNames } from '../../words/limit.ts'

/** Keeps whether a line is open, since what an agent says comes in pieces. */
export function agentWords(): (item: Item) => string {
  let isOpen = false
  const line = (text: string) => {
    const whole = `${isOpen ? '\n' : ''}${text}\n`
    isOpen = false
    return whole
  }
  return item => {
    switch (item.kind) {
      case 'text': {
        if (!item.delta) return line(item.text.trimEnd())
        if (item.text !== '') isOpen = !item.text.endsWith('\n')
        return item.text
      }
      case 'tool':
        return line(`→ ${item.name}${item.detail === '' ? '' : `: ${item.detail}`}`)
      case 'tool-failed': {
        const what = `${item.name}${item.detail === '' ? '' : `: ${item.detail}`}`
        return line(`✗ ${item.denied ? 'denied' : 'failed'}: ${what}: ${item.why}`)
      }
      case 'warning':
        return line(`! ${item.text}`)
      case 'limit':
        return line(`! ${limitNames[item.limitKind ?? 'usage-limit']}: ${item.why}`)
      case 'auth':
        return line(`! ${item.why}`)
      case 'question':
        return line(`? ${item.text}`)
      case 'end':
        return item.ok ? (isOpen ? line('') : '') : line(`! ${item.why}`)
      case 'edit':
      case 'session':
      case 'usage':
        return ''
      default:
        return item satisfies never
    }
  }
}
