/**
 * What is on disk and where. The one place that builds a path below the data directory.
 *
 *   <data>/loop.db                    journal, summaries, inbox, leases
 *   <data>/backups/<time>.db         copies of it, the newest few (store/sqlite/backup)
 *   <data>/damaged/<time>/            what a restore has moved aside, never deleted (store/sqlite/backup)
 *   <data>/hosts/<host>.lock          held by the process of that name while it lives
 *   <data>/loops/<id>/runs/<n>/       one agent run: claim pid exit out err prompt usage (adapters/process)
 *   <data>/loops/<id>/verify/<n>-<k>/ one run of criterion k in iteration n
 *   <data>/trees/<name>-<sum>/        checkpoints of one work tree
 *   <data>/trust/<sum>                whether the user trusts the configuration of one work tree
 *   <data>/hosted-model               the user agreed that opencode uses the model that its makers host
 *   <data>/loops/<id>/discarded       what was thrown away of it, and when (engine/garbage/discarded)
 *   <data>/seal.key                  opens what is sealed in journals: the text of hold-outs (store/files/sealed)
 *   <data>/disclosed/<sum>            whether the state files of one work tree are removed at the end
 *   <data>/loops/<id>/env             the environment a loop of the background was started with
 *   <data>/loopd.lock                 held by loopd while it lives
 *   <data>/loopd.json                 where the loopd that holds it serves, for people and programs
 *   <data>/loopd.token                what a program shows to be let in
 *   <data>/loopd.signed-out           the ends of the keys of browsers that were signed out
 *   <data>/loopd.log                  what loopd did; loopd.log.1 … are older
 *   <data>/sessions/<name>.loop       a loop inside a session, for its hook; .count: how often it was sent back
 *   <data>/tasks/<sum>/<n>.json      the verify command of a task (store/files/task-checks)
 *   <data>/task-lists/<name>/         the tasks of a list that is kept for one session only
 *   <data>/learnings/<sum>/           of one work tree: known texts, pending learnings, showings (learning-notes)
 *   <data>/config.lock                held while a configuration file is changed
 *   <data>/collected                  its time is when a loop of the foreground last looked for what to throw away
 *   <cache>/copies/<loop>-<name>/     a working copy
 *   <cache>/templates/<key>/          a frozen dependency directory that copies share (adapters/workcopies/templates)
 */
import { basename, join } from 'node:path'
import { sumOf } from './checksum.ts'

export type Paths = {
  data: string
  database: string
  backups: string
  damaged: string
  hosts: string
  loops: string
  trees: string
  cache: string
  copies: string
  templates: string
  collected: string
  trust: string
  hostedModel: string
  configLock: string
  sealKey: string
  daemon: { lock: string; record: string; token: string; signedOut: string; log: string; stderr: string }
  /** The user's own configuration; the one of a project is projectConfig. */
  config: string
  /** The user's own templates of workflows; `templates` are frozen directories. */
  userTemplates: string
}

/** The user's own maxims: beside the configuration. */
export function userMaxims({ config }: Pick<Paths, 'config'>): string {
  return join(config, '..', 'maxims')
}

export function pathsFrom(env: NodeJS.ProcessEnv): Paths {
  // Every command asks for its paths, hardly any without HOME: node:os is loaded only then.
  const home = xdg(env['HOME']) ?? process.getBuiltinModule('node:os').userInfo().homedir
  const data = join(xdg(env['XDG_DATA_HOME']) ?? join(home, '.local', 'share'), 'daedalos', 'loop')
  const own = join(xdg(env['XDG_CONFIG_HOME']) ?? join(home, '.config'), 'daedalos', 'loop')
  const cache = join(xdg(env['XDG_CACHE_HOME']) ?? join(home, '.cache'), 'daedalos', 'loop')
  // Not by `join`, which looks at every character: a command asks for its paths several times.
  return {
    data,
    database: `${data}/loop.db`,
    backups: `${data}/backups`,
    damaged: `${data}/damaged`,
    hosts: `${data}/hosts`,
    loops: `${data}/loops`,
    trees: `${data}/trees`,
    cache,
    copies: `${cache}/copies`,
    templates: `${cache}/templates`,
    collected: `${data}/collected`,
    trust: `${data}/trust`,
    hostedModel: `${data}/hosted-model`,
    configLock: `${data}/config.lock`,
    sealKey: `${data}/seal.key`,
    daemon: {
      lock: `${data}/loopd.lock`,
      record: `${data}/loopd.json`,
      token: `${data}/loopd.token`,
      signedOut: `${data}/loopd.signed-out`,
      log: `${data}/loopd.log`,
      stderr: `${data}/loopd.stderr`,
    },
    config: `${own}/config.yaml`,
    userTemplates: `${own}/templates`,
  }
}

export function projectTemplates(tree: string): string {
  return join(tree, '.loop', 'templates')
}

export function projectConfig(tree: string): string {
  return join(tree, '.loop', 'config.yaml')
}

export function disclosureFile({ data }: Pick<Paths, 'data'>, tree: string): string {
  return join(data, 'disclosed', sumOf(tree))
}

export function loopDir(paths: Paths, loop: string): string {
  return join(paths.loops, loop)
}

export function envFile(paths: Paths, loop: string): string {
  return join(loopDir(paths, loop), 'env')
}

export function discardNotes(paths: Paths, loop: string): string {
  return join(loopDir(paths, loop), 'discarded')
}

/** The record of what steered the promise when the loop began: see engine/perform/loop/steering. */
export function steeringFile(paths: Paths, loop: string): string {
  return join(loopDir(paths, loop), 'steering.json')
}

/** Relative to the loop's directory, as events hold it. */
export function runDir(run: number): string {
  return join('runs', String(run))
}

export function hookDir(hook: number): string {
  return join('hooks', String(hook))
}

export function verifyDir(iteration: number, criterion: number): string {
  return join('verify', `${iteration}-${criterion}`)
}

export function holdoutDir(iteration: number): string {
  return join('holdout', String(iteration))
}

function treeDir(paths: Paths, tree: string): string {
  return join(
    paths.trees,
    `${basename(tree)
      .replaceAll(/[^\w.-]/g, '_')
      .slice(0, 40)}-${sumOf(tree)}`,
  )
}

/** The checkpoint store of a loop; that of a working copy is the store of its tree. */
export function checkpointStore(
  paths: Paths,
  { cwd, copy }: { cwd: string; copy?: { tree: string } | undefined },
): string {
  return join(treeDir(paths, copy?.tree ?? cwd), 'git')
}

/** Only an absolute path: XDG says to ignore any other. */
function xdg(value: string | undefined): string | null {
  return value?.startsWith('/') ? value : null
}
