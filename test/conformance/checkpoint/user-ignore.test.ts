/**
 * The ignore rules that a user has for every repository (core.excludesFile): found at the places and with the
 * precedence of git, compared with `git ls-files`; and a rollback with files that only these rules ignore.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { array, asyncProperty, boolean, constantFrom, assert as holds, pre, record } from 'fast-check'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { restore, savedPaths, savedTree, take } from './calls.ts'
import { type Box, listing, openBox, sh, sorted } from './work-tree.ts'

const numRuns = process.env['LOOP_LONG'] ? 500 : 50
const { HOME, XDG_CONFIG_HOME, GIT_CONFIG_NOSYSTEM } = process.env

function setEnv(values: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

/** A box whose home directory is also the home of this process. */
function openHome(): Box {
  const at = openBox()
  setEnv({ HOME: join(at.root, 'home') })
  return at
}

beforeEach(() => setEnv({ XDG_CONFIG_HOME: undefined, GIT_CONFIG_NOSYSTEM: '1' }))
afterEach(() => setEnv({ HOME, XDG_CONFIG_HOME, GIT_CONFIG_NOSYSTEM }))

/** Ways to make the file `../rules` the user's, as scripts for the top directory of the repository. */
const ways: Record<string, string> = {
  'the usual place': 'mkdir -p ~/.config/git; cp ../rules ~/.config/git/ignore',
  'the usual place of XDG':
    'mkdir -p ../xdg/git ~/.config/git; cp ../rules ../xdg/git/ignore; echo c > ~/.config/git/ignore',
  'the global configuration': 'git config --global core.excludesFile ../rules',
  'a path from home': 'cp ../rules ~/my-rules; git config --global core.excludesfile "~/my-rules"',
  'an included configuration':
    "git config --file ~/more core.excludesFile $PWD/../rules; git config --global include.path '~/more'",
  'a condition that holds':
    'git config --file ~/more core.excludesFile $PWD/../rules; git config --global includeIf.gitdir:$PWD/.path ~/more',
  'a condition that does not hold':
    'git config --file ~/more core.excludesFile $PWD/../rules; git config --global includeIf.gitdir:/elsewhere/.path ~/more',
  'the configuration of the repository':
    'echo c > ../other; git config --global core.excludesFile $PWD/../other; git config core.excludesFile $PWD/../rules',
  'set to nothing':
    'mkdir -p ~/.config/git; cp ../rules ~/.config/git/ignore; git config --global core.excludesFile ""',
  'a file that is not there':
    'mkdir -p ~/.config/git; cp ../rules ~/.config/git/ignore; git config core.excludesFile /nowhere',
}

const line = constantFrom('a', '!a', '/a', 'c', 'c/', '!c', 'c/a', '*.log', '!*.log', 'sub/a', '*', '# a', '')
const rules = array(line, { maxLength: 3 }).map(lines => `${lines.join('\n')}\n`)
const setups = record({
  way: constantFrom(...Object.keys(ways)),
  user: rules,
  exclude: rules,
  top: rules,
  inner: rules,
  isBelow: boolean(),
})

describe('rules of the user', () => {
  it('any rules, wherever they are: what is saved is what git shows', async () => {
    const property = asyncProperty(setups, async ({ way, user, exclude, top, inner, isBelow }) => {
      const at = openHome()
      const xdg = way === 'the usual place of XDG' ? join(at.root, 'xdg') : undefined
      setEnv({ XDG_CONFIG_HOME: xdg })
      writeFileSync(join(at.root, 'rules'), user)
      sh(
        at,
        `git init -q; ${ways[way]}; mkdir -p c sub/c; touch a b x.log c/a c/x.log sub/a sub/x.log sub/c/a`,
      )
      writeFileSync(join(at.tree, '.git/info/exclude'), exclude)
      writeFileSync(join(at.tree, '.gitignore'), top)
      writeFileSync(join(at.tree, 'sub/.gitignore'), inner)
      const tree = isBelow ? join(at.tree, 'sub') : at.tree
      const from = `export XDG_CONFIG_HOME=${xdg ?? ''}; cd ${tree}`
      // A tree that is ignored as a whole does not belong to the repository.
      pre(!isBelow || sh(at, `${from}; git check-ignore . || true`) === '')
      const shown = sh(at, `${from}; git ls-files -o --exclude-standard -z`).split('\0').slice(0, -1)
      const taken = await take(gitCheckpoints({ tree, store: at.store }), 'iter-001')
      assert.deepEqual([...savedPaths(at, taken.tree)].sort(), shown.sort())
    })
    await holds(property, { numRuns })
  })

  it('a rollback leaves alone what only they ignore, in a repository and outside of one', async () => {
    for (const build of ['git init -q', 'true']) {
      const at = openHome()
      sh(at, `${build}; mkdir -p ~/.config/git; echo "*.local" > ~/.config/git/ignore; echo a > a`)
      const checkpoints = gitCheckpoints(at)
      const { tree } = await take(checkpoints, 'initial')
      sh(at, 'echo mine > settings.local; echo n > n')
      await take(checkpoints, 'iter-001-after')
      await restore(checkpoints, tree, 'undo')
      assert.deepEqual([...listing(at.tree).keys()].sort(), ['a', 'settings.local'])
    }
  })

  it('rules that came later: what was saved is restored, what was not is left alone', async () => {
    const at = openHome()
    sh(at, 'git init -q; echo a > a; echo old > old.local; mkdir d; echo o > d/o')
    const { tree } = await take(gitCheckpoints(at), 'initial')
    sh(
      at,
      'echo new > new.local; chmod 600 new.local; mkdir d/new; echo n > d/new/n; rm old.local; echo n > n',
    )
    await take(gitCheckpoints(at), 'iter-001-after')
    sh(
      at,
      'mkdir -p ~/.config/git; printf "*.local\\nnew/\\n" > ~/.config/git/ignore; echo more >> new.local',
    )
    const present = sorted(listing(at.tree))
    // As after an upgrade: another process, and a checkpoint that has not recorded the rules.
    await restore(gitCheckpoints(at), tree, 'undo')
    const kept = present.filter(([path]) => path !== 'n')
    const back = sorted(listing(at.tree)).filter(([path]) => path !== 'old.local')
    assert.deepEqual(back, kept)
    assert.equal(readFileSync(join(at.tree, 'old.local'), 'utf8'), 'old\n')
    await restore(gitCheckpoints(at), savedTree(at, 'undo'), 'redo')
    assert.deepEqual(sorted(listing(at.tree)), present)
  })

  it('rules that are gone ignore nothing any more', async () => {
    const at = openHome()
    sh(at, 'git init -q; mkdir -p ~/.config/git; echo "*.local" > ~/.config/git/ignore; echo a > a.local')
    assert.deepEqual(savedPaths(at, (await take(gitCheckpoints(at), 'iter-001')).tree), new Set())
    sh(at, 'rm ~/.config/git/ignore')
    assert.deepEqual(savedPaths(at, (await take(gitCheckpoints(at), 'iter-002')).tree), new Set(['a.local']))
  })

  const odd: Record<string, (at: Box, path: string) => void> = {
    'a pipe': (at, path) => sh(at, `mkfifo ${path}`),
    'a directory': (_, path) => mkdirSync(path),
    'a link to itself': (at, path) => sh(at, `ln -s ${path} ${path}`),
    'of eight gigabytes': (_, path) => {
      writeFileSync(path, '')
      truncateSync(path, 8 * 1024 ** 3)
    },
  }
  for (const [what, make] of Object.entries(odd))
    it(`a file of rules that is ${what}, or named by the configuration, ignores nothing`, async () => {
      for (const configure of ['true', 'git config --global core.excludesFile ~/.config/git/ignore']) {
        const at = openHome()
        sh(at, `git init -q; mkdir -p ~/.config/git; ${configure}; echo a > a`)
        make(at, join(at.root, 'home/.config/git/ignore'))
        const { tree } = await take(gitCheckpoints(at), 'iter-001')
        assert.deepEqual(savedPaths(at, tree), new Set(['a']))
      }
    })

  it('a configuration that is a pipe is not waited for for ever', async () => {
    const at = openHome()
    sh(
      at,
      `git init -q; mkdir -p ~/.config/git; echo '*.local' > ~/.config/git/ignore; echo a > a; echo l > l.local
      git config core.excludesFile ../none; mkfifo ../pipe; git config include.path $PWD/../pipe`,
    )
    const { tree } = await take(gitCheckpoints(at), 'iter-001')
    assert.deepEqual(savedPaths(at, tree), new Set(['a']))
  })
})
