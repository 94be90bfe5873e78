/**
 * How hard a change of a file is to undo, from its path alone: 1 for things that others rely on or that hold data
 * (migrations, schemas, interface definitions), 2A for configuration and documents, 2B for everything else: code and
 * dependencies.
 */
import type { Raised, Reversibility } from '../../model/loop/assessment.ts'
import { isTestFile } from '../change/test-file.ts'
import { isHarder } from './reversibility.ts'

/** Migrated data stays migrated, and an interface has users. */
const hardPaths: readonly RegExp[] = [
  /(?:^|\/)(?:migrations?|migrate|alembic\/versions)\//i,
  /(?:^|\/)(?:[\w-]*[._-])?schema\.(?:sql|prisma|rb|graphqls?|gql|json|ya?ml|xml|ts|js|py)$/i,
  /\.(?:sql|prisma|proto|graphqls?|gql|avsc|thrift|xsd|wsdl)$/i,
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
    const reversibility = pathReversibility(path)
    if (isHarder(reversibility, found?.reversibility ?? known)) found = { reversibility, path }
  }
  return found
}
