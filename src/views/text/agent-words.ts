/** An agent's words and actions as text for people: its text, and one line per tool call and warning. */

import type { Item } from '../../model/agent.ts'
import { limitNames } from '../words/limit.ts'

/** Remembers whether a line is open, since an agent's text comes in pieces. */
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
      case 'answer':
        return line(`= ${item.json}`)
      case 'end':
        return item.ok ? (isOpen ? line('') : '') : line(`! ${item.why}`)
      case 'edit':
      case 'session':
      case 'usage':
      case 'context':
        return ''
      default:
        return item satisfies never
    }
  }
}
