/**
 * The git commands by which other programs save and restore a work tree: opencode, cline, gemini-cli, and
 * `git stash -u`. Reproduced from their sources; the time their own code takes around git is left out.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Peer = { save(): Promise<string>; restore(id: string): Promise<void> }

export type Place = { tree: string; store: string; env: NodeJS.ProcessEnv }

type Call = { args: string[]; cwd: string; env?: Record<string, string>; input?: string }

async function git(place: Place, call: Call): Promise<string> {
  const env = { ...place.env, ...call.env }
  const child = spawn('git', call.args, { cwd: call.cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  let said = ''
  child.stdout.on('data', chunk => chunks.push(chunk))
  child.stderr.setEncoding('utf8').on('data', text => {
    said += text
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(call.input)
  const code = await new Promise(resolve => child.once('close', resolve))
  // check-ignore exits with 1 if no path is ignored.
  if (code !== 0 && !call.args.includes('check-ignore'))
    throw new Error(`git ${call.args.join(' ')}: ${said}`)
  return Buffer.concat(chunks).toString()
}

const opencodeSettings = [
  'core.autocrlf=false',
  'core.longpaths=true',
  'core.symlinks=true',
  'core.fsmonitor=false',
  'feature.manyFiles=true',
  'index.version=4',
  'index.threads=true',
  'core.untrackedCache=true',
]

export function opencode(place: Place): Peer {
  const { tree, store } = place
  const here = ['--git-dir', store, '--work-tree', tree]
  const plain = ['-c', 'core.autocrlf=false', '-c', 'core.longpaths=true', '-c', 'core.symlinks=true']
  const run = (args: string[], input?: string) =>
    git(place, { args: [...plain, ...args], cwd: tree, ...(input ? { input } : {}) })

  async function init(): Promise<void> {
    mkdirSync(store, { recursive: true })
    await git(place, { args: ['init', '-q'], cwd: tree, env: { GIT_DIR: store, GIT_WORK_TREE: tree } })
    for (const [name = '', value = ''] of opencodeSettings.map(one => one.split('='))) {
      await git(place, { args: ['--git-dir', store, 'config', name, value], cwd: tree })
    }
    await git(place, { args: ['rev-parse', '--path-format=absolute', '--git-common-dir'], cwd: tree })
    writeFileSync(join(store, 'objects/info/alternates'), `${join(tree, '.git/objects')}\n`)
    copyFileSync(join(tree, '.git/index'), join(store, 'index'))
  }

  return {
    async save() {
      if (!existsSync(store)) await init()
      await git(place, {
        args: ['rev-parse', '--path-format=absolute', '--git-path', 'info/exclude'],
        cwd: tree,
      })
      const [changed, others] = await Promise.all([
        run([...here, 'diff-files', '--name-only', '-z', '--', '.']),
        run([...here, 'ls-files', '--full-name', '--others', '--exclude-standard', '-z', '--', '.']),
      ])
      const paths = [...new Set([...changed.split('\0'), ...others.split('\0')])].filter(path => path !== '')
      if (paths.length > 0) {
        const own = ['--git-dir', join(tree, '.git'), '--work-tree', tree]
        await run(
          [...own, 'check-ignore', '--no-index', '--stdin', '-z'],
          paths.map(path => `${path}\0`).join(''),
        )
        for (const path of paths) statSync(join(tree, path), { throwIfNoEntry: false })
        const specs = paths.map(path => `:(top,literal)${path}\0`).join('')
        await run(
          [...here, 'add', '--all', '--sparse', '--pathspec-from-file=-', '--pathspec-file-nul'],
          specs,
        )
      }
      return (await run([...here, 'write-tree'])).trim()
    },
    async restore(id) {
      await run([...here, 'diff', '--name-only', '-z', id, '--', '.'])
      await run([...here, 'read-tree', id])
      await run([...here, 'checkout-index', '-a', '-f'])
    },
  }
}

export function gemini(place: Place): Peer {
  const { tree, store } = place
  const config = { GIT_CONFIG_GLOBAL: join(store, '.gitconfig'), GIT_CONFIG_SYSTEM: '/dev/null' }
  const shadow = { ...config, GIT_DIR: join(store, '.git'), GIT_WORK_TREE: tree }
  const run = (...args: string[]) => git(place, { args, cwd: tree, env: shadow })
  return {
    async save() {
      if (!existsSync(store)) {
        mkdirSync(store, { recursive: true })
        writeFileSync(
          join(store, '.gitconfig'),
          '[user]\n name = G\n email = g@example.org\n[commit]\n gpgsign = false\n',
        )
        await git(place, { args: ['init', '-q', '--initial-branch', 'main'], cwd: store, env: config })
        await git(place, {
          args: ['commit', '-qm', 'Initial commit', '--allow-empty'],
          cwd: store,
          env: config,
        })
      }
      await run('add', '.')
      const status = await run('status', '--porcelain', '-b', '-u', '--null')
      if (status.split('\0').filter(line => line !== '').length > 1)
        await run('commit', '-m', 'x', '--no-verify')
      return (await run('rev-parse', 'HEAD')).trim()
    },
    async restore(id) {
      await run('restore', '--source', id, '.')
      await run('clean', '-f', '-d')
    },
  }
}

export function cline(place: Place): Peer {
  const { tree, store } = place
  const run = (...args: string[]) => git(place, { args, cwd: store })
  return {
    async save() {
      if (!existsSync(store)) {
        mkdirSync(store, { recursive: true })
        await run('init', '-q')
        const settings = [
          'commit.gpgSign=false',
          'user.name=C',
          'user.email=c@example.org',
          `core.worktree=${tree}`,
        ]
        for (const [name = '', value = ''] of settings.map(one => one.split('=')))
          await run('config', name, value)
        appendFileSync(join(store, '.git/info/exclude'), '.git/\nnode_modules/\n')
        await run('add', '.', '--ignore-errors')
        await run('commit', '-qm', 'initial commit', '--allow-empty')
      }
      await run('add', '.', '--ignore-errors')
      await run('commit', '-qm', 'checkpoint', '--allow-empty', '--no-verify')
      return (await run('rev-parse', 'HEAD')).trim()
    },
    async restore(id) {
      await run('reset', '-q', '--hard', id)
    },
  }
}

/** Works in a copy of the tree, because a stash moves the user's own files. */
export function stash(place: Place): Peer {
  const run = (...args: string[]) => git(place, { args, cwd: place.tree })
  return {
    async save() {
      await run('stash', 'push', '-q', '-u')
      await run('stash', 'apply', '-q')
      return (await run('rev-parse', 'stash@{0}')).trim()
    },
    async restore(id) {
      await run('reset', '-q', '--hard')
      await run('clean', '-qfd')
      await run('stash', 'apply', '-q', id)
    },
  }
}
