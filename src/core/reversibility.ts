/**
 * How hard a change would be to undo, from the words of the request: 2A within a minute (configuration, renames), 2B
 * within minutes (the usual: code, dependencies, refactoring), 1 hours or more (schemas, public interfaces,
 * migrations). If several match, the hardest counts.
 */
import type { Raised, Reversibility } from '../model/loop/assessment.ts'
import { reversibilities } from '../model/loop/words.ts'
import { isTestFile } from './change.ts'

/** Migrated data stays migrated, and an interface has users. */
const hardPaths: readonly RegExp[] = [
  /(?:^|\/)(?:migrations?|migrate|alembic\/versions)\//i,
  /(?:^|\/)(?:[\w-]*[._-])?schema\.(?:sql|prisma|rb|graphqls?|gql|json|ya?ml|xml|ts|js|py)$/i,
  // A migration is numbered; a query is read again each time, and changes nothing by itself.
  /(?:^|\/)v?\d+[\w.-]*\.sql$/i,
  /\.(?:prisma|proto|graphqls?|gql|avsc|thrift|xsd|wsdl)$/i,
  /(?:^|\/)(?:openapi|swagger|asyncapi)[\w.-]*\.(?:json|ya?ml)$/i,
]

const dependencies =
  /(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.(?:toml|lock)|go\.(?:mod|sum)|pyproject\.toml|(?:uv|poetry)\.lock|Pipfile(?:\.lock)?|[\w-]*requirements[\w-]*\.txt|Gemfile(?:\.lock)?|composer\.(?:json|lock)|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|\w+\.csproj)$/i

/** Configuration and documents. */
const easyPaths: readonly RegExp[] = [
  /\.(?:md|markdown|rst|adoc|txt|ini|cfg|conf|toml|ya?ml|json[c5]?|properties|env)$/i,
  /(?:^|\/)(?:licen[cs]e|readme|changelog|authors|notice)$/i,
  /(?:^|\/)\.[\w.-]+$/,
]

/**
 * How hard a change of a file is to undo, from its path alone: 1 for things that others rely on or that hold data
 * (migrations, schemas, interface definitions), 2A for configuration and documents, 2B for everything else: code and
 * dependencies.
 */
export function pathReversibility(path: string): Reversibility {
  // A test can contain a schema or a migration, but nobody's data.
  if (isTestFile(path)) return '2B'
  if (hardPaths.some(pattern => pattern.test(path))) return '1'
  if (dependencies.test(path)) return '2B'
  return easyPaths.some(pattern => pattern.test(path)) ? '2A' : '2B'
}

/** The first of the files that are hardest to undo, if that is harder than what is known. */
export function raisedBy(paths: readonly string[], known: Reversibility): Raised | null {
  let found: Raised | null = null
  for (const path of paths) {
    const own = pathReversibility(path)
    if (isHarder(own, found?.reversibility ?? known)) found = { reversibility: own, path }
  }
  return found
}

/**
 * Promises to leave something alone: what they name is not changed. Only these forms count: "never lose data" does
 * not.
 */
const leftAlone: readonly RegExp[] = [
  /\b(?:do not|don't|never|must not|may not|should not) (?:touch|change|alter|modify|break|edit)\b[^.;,\n]{0,60}/gi,
  /\bwithout (?:touching|changing|altering|modifying|breaking|editing)\b[^.;,\n]{0,60}/gi,
  /\bno (?:new )?(?:\w+ ){1,3}changes?\b/gi,
  /\bno (?:new )?(?:schemas?|migrations?|databases?)\b/gi,
  /\b(?:keep|leave)s?\b[^.;,\n]{1,40}\b(?:unchanged|as is|as it is|as they are|intact|alone|compatible)\b/gi,
]

/** Phrases that contain a hard word but only talk about it. */
const harmless: readonly RegExp[] = [
  /\b(?:json|yaml|zod|form|validation|color|colour) schemas?\b/gi,
  /\bschema[. ](?:viewer|validation|validator|editor|browser|org)\b/gi,
  /\b(?:comments?|typos?|docs?|documentation) (?:in|of|for|on|to) (?:the )?\S+/gi,
  /\b(?:document|describe|explain)s? (?:the |our |its )?\S+ \S+/gi,
  /\bmigrat(?:e|es|ing) (?:our |the |all )?(?:\w+ )?(?:tests?|specs?|suites?|builds?|ci|docs?|components?|imports?|types?|scripts?|config\w*|styles?)\b/gi,
  /\b(?:when|if|while) an? migration\b/gi,
  /\bmigration (?:guide|docs?)\b/gi,
]
const hardWords: readonly RegExp[] = [
  /\b(?:schemas?|migrations?|migrate|database|public (?:api|interface)s?|breaking changes?|protocol|file format)\b/i,
  /\b(?:drop|delete|remove)s? (?:the |all |a )?(?:\S+ )?(?:tables?|columns?|routes?|endpoints?)\b/i,
  /\b(?:switch|move|convert)\b[^.;\n]{0,40}\b(?:store|storage|tables?)\b/i,
  /\bpublish(?:es|ed)?\b|\breleased? (?:to|as)\b/i,
]
const usualWords =
  /\b(?:dependenc(?:y|ies)|packages?|upgrade|refactor\w*|implement|add|build|create|fix|rewrite)\b/i
/** Small work on texts, whatever its verb. */
const onWords =
  /\b(?:fix|add|write|correct|improve|update)\w* (?:an? |the |some |all )?(?:typos?|comments?|docs?|documentation|readme)\b/gi
const easyWords =
  /\b(?:config(?:uration)?s?|settings?|renam(?:e|es|ing)|typos?|comments?|docs?|documentation|readme|document)\b/i

export function reversibility(prompt: string): Reversibility {
  const changed = [...leftAlone, ...harmless].reduce((text, phrase) => text.replaceAll(phrase, ' '), prompt)
  if (hardWords.some(words => words.test(changed))) return '1'
  if (usualWords.test(prompt.replaceAll(onWords, ' '))) return '2B'
  return easyWords.test(prompt) ? '2A' : '2B'
}

export function isHarder(one: Reversibility, other: Reversibility): boolean {
  return reversibilities.indexOf(one) > reversibilities.indexOf(other)
}
