/**
 * Targets of a Makefile. A target that has the name of an existing file or directory and is not phony is never run:
 * `make test` beside a directory `test` does nothing and exits 0, so it is rejected.
 */
import { firstOf, type Offers, type ProjectListing } from './listing.ts'
import { namedCommands } from './named-commands.ts'

export function make(listing: ProjectListing): Offers | null {
  const file = firstOf(listing, ['GNUmakefile', 'makefile', 'Makefile'])
  if (file === null) return null
  const text = listing.text(file).replaceAll(/\\\r?\n/g, ' ')
  const rules = Array.from(text.matchAll(/^([^\s:#=][^:#=\n]{0,500}?)[ \t]{0,50}:(?!:*=)(.*)$/gm))
  const named = (left: string) => left.split(/\s+/)
  const phony = rules.flatMap(([, left = '', right = '']) => (left === '.PHONY' ? named(right.trim()) : []))
  const targets = new Set(rules.flatMap(([, left = '']) => named(left)))
  const passedOver: string[] = []
  const isMade = (target: string) => {
    if (!targets.has(target)) return false
    const inTheWay = [`${target}/`, target].find(name => listing.names.has(name))
    if (inTheWay === undefined || phony.includes(target)) return true
    passedOver.push(
      `${file} target "${target}" is not phony, and ${inTheWay} is there: make would do nothing.`,
    )
    return false
  }
  return { found: namedCommands('make', `${file} target`, isMade), passedOver }
}
