/**
 * What of the environment reaches an agent and a promise. Ordinary variables do. One whose name or value is that of a
 * secret does only where it is on a list: of what projects and their package managers need, of the agent that uses
 * it, of the user, or because a command of the user's uses it. Doors to secrets that are elsewhere (an SSH agent, a
 * file) are open with or without their variable: the environment closes none.
 */
import type { Spec } from '../../model/loop/spec.ts'
import { namesSecret, oneOf } from './names.ts'
import { redactText } from './redact.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Names of variables, `*` for any characters. */
type Names = readonly string[]

export type Reach = {
  /** What the user lets through; `!NAME` leaves out what would pass. */
  pass: Names
  /** Of the agents that use them. */
  own: Names
  /** Commands that the user gave: a variable that one of them uses, as `$NAME`, is wanted. */
  commands: readonly string[]
}

type Asked = Pick<Spec, 'agent' | 'agentCmd' | 'fallbacks' | 'criteria' | 'mustNot' | 'passEnv'>

/** Of a loop: what its user lets through, has typed or trusted; `keys` are those of an agent. */
export function reachOf(spec: Asked, keys: (agent: Spec['agent']) => Names): Reach {
  const { agent, agentCmd, fallbacks = [], criteria, mustNot = [], passEnv: pass = [] } = spec
  const chain = [{ agent, agentCmd }, ...fallbacks]
  const shells = chain.filter(one => one.agent === 'custom' || one.agent === 'acp')
  const judges = [...criteria, ...mustNot].flatMap(({ command }) => command ?? [])
  const own = chain.flatMap(one => keys(one.agent))
  return { pass, own, commands: [...shells.map(one => one.agentCmd), ...judges] }
}

/** Without these hardly a program runs; nothing leaves them out. */
const needed = 'PATH HOME USER LOGNAME SHELL PWD LANG LANGUAGE LC_* TZ TERM TMPDIR LOOP_* LOOPD_*'.split(' ')

/** Secrets that a project is tested with: its own services, its framework, the registry its packages come from. */
const ofProjects = [
  'DATABASE_* *_DATABASE_URL DB_* *_DB_* PG* POSTGRES* MYSQL_* MARIADB_* MSSQL_* SA_PASSWORD SQLALCHEMY_* JDBC_*',
  'REDIS* *_REDIS_* MONGO* RABBITMQ_* AMQP_* CLOUDAMQP_URL CELERY_* KAFKA_* ELASTIC* OPENSEARCH_* NEO4J_*',
  'CLICKHOUSE_* CASSANDRA_* MEMCACHE* MINIO_* LOCALSTACK_* TEST_* *_TEST *_TEST_*',
  'SECRET_KEY SECRET_KEY_BASE APP_KEY APP_SECRET JWT_SECRET SESSION_SECRET COOKIE_SECRET AUTH_SECRET ENCRYPTION_KEY',
  'DJANGO_* FLASK_* RAILS_* SPRING_* NEXTAUTH_*',
  // A settings file of the project that names a variable which is not there stops yarn, and other tools, at once.
  'NPM_TOKEN NPM_AUTH_TOKEN NODE_AUTH_TOKEN NPM_CONFIG_* YARN_* PNPM_* BUN_* PIP_* UV_* POETRY_* PDM_* BUNDLE_*',
  'CARGO_REGISTRIES_* COMPOSER_AUTH NUGET_* GOPROXY GOAUTH MAVEN_* GRADLE_* ORG_GRADLE_PROJECT_* CONAN_*',
  // One of them without the others stops git.
  'GIT_CONFIG_*',
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY NO_PROXY',
].flatMap(line => line.split(' '))

const isNeeded = oneOf(needed)
const isOfProjects = oneOf(ofProjects)

/** More than what is looked for in texts: a variable that is left out is said, and costs one word to let through. */
const alsoSecret = /ACCESS_KEY|SECRET|WEBHOOK|_(?:AUTH|DSN|PIN|COOKIE)$/i

/** Whatever the name says: empty, a switch, a small number, a path. */
const harmless = /^(?:|true|false|yes|no|on|off|none|\d{1,4}|[~.]{0,2}\/.*)$/is

type Reached = { env: Record<string, string>; leftOut: string[] }

/** What passes, and the names of what does not. */
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
