/**
 * Globs for paths of the work tree: `*` and `?` within a name, `**` across directories, `{a,b}`, `[abc]`. A
 * glob without a slash matches at any depth, as in a .gitignore. Unlike in a shell, `*` matches a leading dot,
 * and a pattern that matches a directory matches everything below it: a renamed file must not escape
 * protection.
 */

export function matchesGlob(path: string, glob: string): boolean {
  const below = glob.replace(/\/+$/, '')
  const anchored = below.includes('/') ? below.replace(/^\.?\//, '') : `**/${below}`
  return expression(anchored).test(path)
}

function expression(glob: string): RegExp {
  let source = ''
  let depth = 0
  for (const [token] of glob.matchAll(/\*\*\/|\*\*|\[[^\]/]+\]|[\s\S]/g)) {
    if (token === '{') depth += 1
    if (token === '}') depth -= 1
    source += part(token, depth)
  }
  // An unclosed brace is a literal character.
  return depth === 0
    ? new RegExp(`^(?:${source})(?:/.*)?$`, 's')
    : new RegExp(`^(?:.*/)?${literal(glob.replace(/^\*\*\//, ''))}(?:/.*)?$`, 's')
}

function part(token: string, depth: number): string {
  switch (token) {
    case '**/':
      return '(?:.*/)?'
    case '**':
      return '.*'
    case '*':
      return '[^/]*'
    case '?':
      return '[^/]'
    case '{':
      return '(?:'
    case '}':
      return ')'
    case ',':
      return depth > 0 ? '|' : ','
    default:
      return token.length > 1 ? token.replace(/^\[!/, '[^').replaceAll('\\', '\\\\') : literal(token)
  }
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
