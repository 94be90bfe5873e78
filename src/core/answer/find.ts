/** Finds the JSON in an agent's last message: the whole message, its last JSON block, or the last object in it. */

/** Null if there is none. */
export function jsonIn(message: string): string | null {
  const whole = message.trim()
  if (isJson(whole)) return whole
  return lastFence(message) ?? lastObject(message)
}

function isJson(text: string): boolean {
  if (!text.startsWith('{')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Also a block that is not JSON: the judge of the answer reports its mistakes. */
function lastFence(message: string): string | null {
  const fences = [
    ...message.matchAll(/^[ \t]*(`{3,}|~{3,})[ \t]*(?:json[c5]?)?[ \t]*\n([\s\S]*?)\n[ \t]*\1[ \t]*$/gim),
  ]
  const last = fences.map(([, , inside = '']) => inside.trim()).findLast(inside => inside.startsWith('{'))
  return last ?? null
}

const mostStarts = 200

/** Between the last `}` and each `{` at the start of a line or after a space: the longest text that parses. */
function lastObject(message: string): string | null {
  const end = message.lastIndexOf('}')
  if (end === -1) return null
  const starts = [...message.slice(0, end).matchAll(/(?<=^|\s)\{/g)].map(({ index }) => index)
  for (const start of starts.slice(-mostStarts)) {
    const text = message.slice(start, end + 1)
    if (isJson(text)) return text
  }
  return null
}
