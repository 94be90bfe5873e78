/** Recipes of a justfile that need no argument. */
import { firstOf, type Offers, type ProjectListing } from './listing.ts'
import { namedCommands } from './named-commands.ts'

export function just(listing: ProjectListing): Offers | null {
  const file = firstOf(listing, ['justfile', 'Justfile', '.justfile'])
  if (file === null) return null
  const recipes = new Set(
    Array.from(
      listing.text(file).matchAll(/^@?([A-Za-z_][\w-]*)([^:\n]*):(?!=)/gm),
      ([, name, parameters = '']) => (needsNone(parameters) ? name : undefined),
    ),
  )
  return { found: namedCommands('just', `${file} recipe`, name => recipes.has(name)) }
}

/** Tells whether each parameter has a default (`target="all"`) or is optional (`*args`). */
function needsNone(parameters: string): boolean {
  return parameters
    .trim()
    .split(/\s+/)
    .every(parameter => parameter === '' || parameter.startsWith('*') || parameter.includes('='))
}
