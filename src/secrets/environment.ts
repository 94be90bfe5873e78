/**
 * Which environment variables reach an agent and a promise. Ordinary variables do. A variable with the name or the
 * value of a secret does only if a list names it: the list of what projects and package managers need, that of the
 * agent, that of the user, or the variables in the user's own commands. Removing a variable does not protect the secret
 * behind it (an SSH agent, a file): the agent can reach that without the variable.
 */
import type { Spec } from '../model/loop/spec.ts'
import { namesSecret, oneOf } from './names.ts'
import { redactText } from './redact.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Names of variables; `*` stands for any characters. */
type Names = readonly string[]

export type Reach = {
  /** Variables that the user passes on; `!NAME` removes one that would pass. */
  pass: Names
  /** Variables that the agents themselves use. */
  own: Names
  /** The user's own commands: a variable that occurs in one of them as `$NAME` passes. */
  commands: readonly string[]
}

type EnvironmentSpec = Pick<Spec, 'agent' | 'agentCmd' | 'fallbacks' | 'criteria' | 'mustNot' | 'passEnv'>

/** The reach of a loop, from its spec. `keys` names the variables of an agent. */
export function reachOf(spec: EnvironmentSpec, keys: (agent: Spec['agent']) => Names): Reach {
  const { agent, agentCmd, fallbacks = [], criteria, mustNot = [], passEnv: pass = [] } = spec
  const chain = [{ agent, agentCmd }, ...fallbacks]
  const shells = chain.filter(one => one.agent === 'custom' || one.agent === 'acp')
  const judges = [...criteria, ...mustNot].flatMap(({ command }) => command ?? [])
  const own = chain.flatMap(one => keys(one.agent))
  return { pass, own, commands: [...shells.map(one => one.agentCmd), ...judges] }
}

/** Hardly any program runs without these: they always pass, even against `!NAME`. */
const needed = 'PATH HOME USER LOGNAME SHELL PWD LANG LANGUAGE LC_* TZ TERM TMPDIR LOOP_* LOOPD_*'.split(' ')

/** Secrets that a project is tested with: its own services, its framework, its package registry. */
const ofProjects = [
  'DATABASE_* *_DATABASE_URL DB_* *_DB_* PG* POSTGRES* MYSQL_* MARIADB_* MSSQL_* SA_PASSWORD SQLALCHEMY_* JDBC_*',
  'REDIS* *_REDIS_* MONGO* RABBITMQ_* AMQP_* CLOUDAMQP_URL CELERY_* KAFKA_* ELASTIC* OPENSEARCH_* NEO4J_*',
  'CLICKHOUSE_* CASSANDRA_* MEMCACHE* MINIO_* LOCALSTACK_* TEST_* *_TEST *_TEST_*',
  'SECRET_KEY SECRET_KEY_BASE APP_KEY APP_SECRET JWT_SECRET SESSION_SECRET COOKIE_SECRET AUTH_SECRET ENCRYPTION_KEY',
  'DJANGO_* FLASK_* RAILS_* SPRING_* NEXTAUTH_*',
  // yarn and other tools stop at once if a project's settings file names a variable that is not set.
  'NPM_TOKEN NPM_AUTH_TOKEN NODE_AUTH_TOKEN NPM_CONFIG_* YARN_* PNPM_* BUN_* PIP_* UV_* POETRY_* PDM_* BUNDLE_*',
  'CARGO_REGISTRIES_* COMPOSER_AUTH NUGET_* GOPROXY GOAUTH MAVEN_* GRADLE_* ORG_GRADLE_PROJECT_* CONAN_*',
  // git stops if only some of these are set.
  'GIT_CONFIG_*',
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY NO_PROXY',
].flatMap(line => line.split(' '))

const isNeeded = oneOf(needed)
const isOfProjects = oneOf(ofProjects)

/**
 * Broader than the names that are redacted in texts: a wrongly removed variable is reported, and one word passes it on.
 */
const alsoSecret = /ACCESS_KEY|SECRET|WEBHOOK|_(?:AUTH|DSN|PIN|COOKIE)$/i

/** Values that are no secret, whatever the name: empty, a switch, a small number, a path. */
const harmless = /^(?:|true|false|yes|no|on|off|none|\d{1,4}|[~.]{0,2}\/.*)$/is

type Reached = { env: Record<string, string>; leftOut: string[] }

/** The environment that passes, and the names of the removed variables. */
export function reached(env: Environment, { pass, own, commands }: Reach): Reached {
  const isWanted = oneOf(pass.filter(name => !name.startsWith('!')))
  const isUnwanted = oneOf(pass.flatMap(name => (name.startsWith('!') ? [name.slice(1)] : [])))
  const isOwn = oneOf(own)
  const isNamed = namesSecret(env)
  const used = commands.flatMap(command => [...command.matchAll(/\$\{?(\w+)/g)].map(([, name]) => name))
  const passes = (name: string, value: string): boolean => {
    if (isNeeded(name) || isWanted(name)) return true
    if (isUnwanted(name)) return false
    return (
      used.includes(name) ||
      isOwn(name) ||
      isOfProjects(name) ||
      !isSecret(value, isNamed(name) || alsoSecret.test(name))
    )
  }
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const { kept = [], out = [] } = Object.groupBy(set, ([name, value]) =>
    passes(name, value) ? 'kept' : 'out',
  )
  return { env: Object.fromEntries(kept), leftOut: out.map(([name]) => name).toSorted() }
}

function isSecret(value: string, isNamed: boolean): boolean {
  return !harmless.test(value) && (isNamed || redactText(value, []) !== value)
}
