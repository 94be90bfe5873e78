/**
 * The first checkpoint in a repository takes object ids from the user's index instead of reading the files, if it can.
 * Whatever the state of the repository, the checkpoint must equal the tree that plain git writes when it reads every
 * byte.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { seeded } from '../../rig/seeded.ts'
import { loop, never, readByGit, restore, savedAs, take, value } from './calls.ts'
import { type Box, listing, openBox, sh, sorted } from './work-tree.ts'

const files = `
  mkdir -p a/b/c a-b d
  for name in a/1 a/b/2 a/b/c/3 a/b/c/4 a-b/5 a.c d/6 d/7 z; do echo "content of $name" > $name; done
  ln -s a/1 link; echo run > tool; chmod +x tool`
const swap = `git config filter.swap.clean 'tr a-m n-z'; git config filter.swap.smudge 'tr n-z a-m'`
const packed = `git init -q; ${files}; commit all; git gc -q`

/** After each script the index is newer than every file, so its entries can be trusted. */
const states: Record<string, string> = {
  'nothing changed': packed,
  'a file changed, one gone, one new': `${packed}; echo more >> a/b/2; rm d/6; echo n > d/new`,
  'a new directory, and one that is gone': `${packed}; rm -r a/b; mkdir e; echo e > e/e`,
  'a file became a link, one a directory': `${packed}; ln -sf z a.c; rm z; mkdir z; echo in > z/in`,
  'permissions that git is told to pass over': `${packed}; git config core.filemode false; chmod +x a/1; touch -d 2020-01-01 a/1; git update-index --refresh`,
  'staged, in no pack': `${packed}; echo staged > a/b/2; echo s > a/b/s; git add -A`,
  'added by intent only': `${packed}; echo s > a/b/s; git add -N a/b/s`,
  'assumed to be unchanged, though it is not': `${packed}; git update-index --assume-unchanged d/7; echo other > d/7`,
  'skipped in the work tree': `${packed}; git update-index --skip-worktree d/7; echo other > d/7`,
  'a conflict': `${packed}; git checkout -qb x; echo x > z; commit x; git checkout -q -; echo y > z; commit y; git merge -q x || true`,
  'index of version 4': `${packed}; git update-index --index-version 4; echo more >> a/b/c/3`,
  'an index without trees': `${packed}; rm .git/index; git read-tree --empty; git add -A`,
  'split index': `${packed}; git update-index --split-index; echo more >> d/7; git add d/7`,
  'line ends converted': `git init -q; git config core.autocrlf true; ${files}; printf 'a\\r\\nb\\r\\n' > d/6; commit all; git gc -q`,
  'converted when it was added, and no longer': `git init -q; git config core.autocrlf true; ${files}; printf 'a\\r\\nb\\r\\n' > d/6; commit all; git gc -q; git config --unset core.autocrlf`,
  'a filter that keeps the size': `git init -q; ${files}; ${swap}; echo 'd/* filter=swap' > .gitattributes; commit all; git gc -q`,
  'a filter that keeps the size, named in a file of attributes that an included configuration names': `git init -q; ${files}; ${swap}
    echo 'd/* filter=swap' > .git/attributes; git config include.path ./more
    git config -f .git/more core.attributesFile "$PWD/.git/attributes"; commit all; git gc -q`,
  'a file that git replaces by another of its size': `${packed}; git replace HEAD:d/6 $(echo 'CONTENT of d/6' | git hash-object -w --stdin); rm d/6; git checkout -q d/6`,
  'a file that git replaces, as a ref says that is in no file of its own': `${packed}; git replace HEAD:d/6 $(echo 'CONTENT of d/6' | git hash-object -w --stdin); rm d/6; git checkout -q d/6; rm -r .git/refs/replace; mkdir .git/reftable`,
  'a directory that git replaces, as a packed ref says': `${packed}; echo 'CONTENT of d/6' > d/6; commit other; git replace HEAD^:d HEAD:d; git reset -q --hard HEAD^; git gc -q`,
  'a repository in it': `${packed}; git init -q d/inner; cd d/inner; echo i > i; commit i; cd ../..; git add d; git commit -qm inner; git gc -q; rm -rf d/inner/.git`,
  'a tree that is missing in the repository': `${packed}; old=$(ls .git/objects/pack/*.pack)
    git rev-list --objects HEAD | cut -c1-40 | grep -v $(git rev-parse HEAD:a/b) > .git/some
    git pack-objects -q .git/objects/pack/pack < .git/some; rm -f \${old%.pack}.*`,
  'a tree of the repository that has an empty one in it': `${packed}; empty=$(git mktree < /dev/null)
    top=$( (git ls-tree HEAD; printf '040000 tree %s\\tempty\\n' $empty) | git mktree); git reset -q --hard $(git commit-tree -m e $top); git gc -q`,
  'attributes that name a filter, gone since': `git init -q; ${files}; ${swap}; echo 'd/* filter=swap' > .gitattributes; commit all; git gc -q; rm .gitattributes`,
  'attributes that name a filter, left out of the work tree': `git init -q; ${files}; ${swap}; echo 'd/* filter=swap' > .gitattributes; commit all; git gc -q; git sparse-checkout set --no-cone /d/`,
  'attributes that named a filter, and are edited': `git init -q; ${files}; ${swap}; echo 'd/* filter=swap' > .gitattributes; commit all; git gc -q; echo > .gitattributes`,
  'a pack that ends too soon': `${packed}; chmod u+w .git/objects/pack/*.pack; truncate -s 400 .git/objects/pack/*.pack`,
  'an empty pack': `${packed}; chmod u+w .git/objects/pack/*.pack; truncate -s 0 .git/objects/pack/*.pack`,
  'the index of a pack that ends too soon': `${packed}; chmod u+w .git/objects/pack/*.idx; truncate -s 1200 .git/objects/pack/*.idx`,
  'the index of a pack whose counts are damaged': `${packed}; chmod u+w .git/objects/pack/*.idx
    printf '\\377' | dd of=$(ls .git/objects/pack/*.idx) bs=1 seek=9 conv=notrunc status=none`,
  'an index that ends too soon': `${packed}; head -c 300 .git/index > .git/cut; mv .git/cut .git/index`,
  'an index whose trees are damaged': `${packed}; ${process.execPath} -e "
    const data = fs.readFileSync('.git/index')
    data.fill('9', data.indexOf('TREE') + 9, data.indexOf('TREE') + 39)
    fs.writeFileSync('.git/index', data)"`,
  'an index in which one name became another': `${packed}; mkdir b c; echo b > b/1; echo c > c/1; commit b; git gc -q; echo more >> z; ${process.execPath} -e "
    const data = fs.readFileSync('.git/index')
    data[data.indexOf('c\\0' + '1 0', data.indexOf('TREE'))] ^= 1
    fs.writeFileSync('.git/index', data)"`,
  'ignored, though tracked, in a split index that needs no other file': `${packed}; echo 'd/' > .gitignore; ${process.execPath} -e "
    const data = fs.readFileSync('.git/index')
    const link = Buffer.from('link\\0\\0\\0\\x14' + '\\0'.repeat(20), 'latin1')
    const bytes = Buffer.concat([data.subarray(0, -20), link])
    fs.writeFileSync('.git/index', Buffer.concat([bytes, crypto.createHash('sha1').update(bytes).digest()]))"; git ls-files d | grep -q 6`,
  'ignored, though tracked, in a split index': `${packed}; echo 'd/' > .gitignore; git add .gitignore; git update-index --split-index; echo more >> z; git add z; ls .git/sharedindex*`,
  'ignored, though tracked, with ids of sha256': `git init -q --object-format=sha256; ${files}; commit all; git gc -q; echo 'd/' > .gitignore`,
  'ignored, though tracked, in a split index with ids of sha256': `git init -q --object-format=sha256; ${files}; commit all; echo 'd/' > .gitignore; git update-index --split-index`,
  'the other half of a split index is a pipe': `${packed}; git update-index --split-index; cd .git; half=$(ls sharedindex.*); rm $half; mkfifo $half; cd ..`,
  'an index that is a pipe': `${packed}; rm .git/index; mkfifo .git/index`,
  'attributes that are a link to a pipe': `${packed}; mkfifo ../pipe; ln -s ../pipe .gitattributes`,
}

describe('the first checkpoint holds what is there', () => {
  for (const [name, script] of Object.entries(states)) {
    it(name, async () => {
      const at = openBox()
      sh(at, `${script}\nsleep 0.03; touch .git/index`)
      await take(gitCheckpoints(at), 'iter-001')
      assert.equal(savedAs(at), readByGit(at, at.tree))
    })
  }

  it('a directory in a repository', async () => {
    const at = openBox()
    sh(at, `${packed}; echo more >> a/b/2; sleep 0.03; touch .git/index`)
    await take(gitCheckpoints({ ...at, tree: join(at.tree, 'a') }), 'iter-001')
    assert.equal(savedAs(at), readByGit(at, join(at.tree, 'a')))
  })

  it('with attributes that name a filter, and are ignored', async () => {
    const at = openBox()
    const attributes = `echo '* filter=swap' > d/.gitattributes; echo .gitattributes > .gitignore`
    sh(
      at,
      `git init -q; ${files}; ${swap}; ${attributes}; commit all; git gc -q; sleep 0.03; touch .git/index`,
    )
    await take(gitCheckpoints(at), 'iter-001')
    sh(at, 'rm d/.gitattributes')
    assert.equal(savedAs(at), readByGit(at, at.tree))
  })

  it('a frozen copy with attributes that name a filter, which the tree has no longer', async () => {
    const at = openBox()
    const attributes = `echo '* filter=swap' > d/.gitattributes`
    sh(
      at,
      `git init -q; ${files}; ${swap}; ${attributes}; commit all; git gc -q; sleep 0.03; touch .git/index
      mkdir ../frozen; mv a a-b a.c d link tool z ../frozen`,
    )
    const from = join(at.root, 'frozen')
    value(await gitCheckpoints(at).take({ loop, name: 'iter-001', since: null, signal: never, from }))
    assert.equal(savedAs(at), readByGit(at, from))
  })

  it('with attributes of the user that name a filter', async t => {
    const at = openBox()
    const before = process.env['XDG_CONFIG_HOME'] ?? ''
    t.after(() => Object.assign(process.env, { XDG_CONFIG_HOME: before }))
    process.env['XDG_CONFIG_HOME'] = join(at.root, 'xdg')
    sh(at, `mkdir -p ../xdg/git; echo 'd/* filter=swap' > ../xdg/git/attributes`)
    const commit = `export XDG_CONFIG_HOME=$PWD/../xdg; commit all; git gc -q; sleep 0.03; touch .git/index`
    sh(at, `git init -q; ${files}; ${swap}; ${commit}`)
    await take(gitCheckpoints(at), 'iter-001')
    assert.equal(savedAs(at), readByGit(at, at.tree))
  })

  it('a directory in a repository whose attributes name a filter', async () => {
    const at = openBox()
    const attributes = `echo '* filter=swap' > .gitattributes`
    sh(
      at,
      `git init -q; ${files}; ${swap}; ${attributes}; commit all; git gc -q; sleep 0.03; touch .git/index`,
    )
    await take(gitCheckpoints({ ...at, tree: join(at.tree, 'a') }), 'iter-001')
    assert.equal(savedAs(at), readByGit(at, join(at.tree, 'a')))
  })

  it('with names of all kinds, some of them gone', async () => {
    const at = openBox()
    const fraction = seeded(7)
    const random = (below: number) => Math.floor(fraction() * below)
    const name = () => Array.from({ length: 1 + random(4) }, () => 'ab.-_Z~\u00e9'[random(8)]).join('')
    sh(at, 'git init -q')
    const names = [...new Set(Array.from({ length: 300 }, name))].filter(one => !/^\.\.?$/.test(one))
    for (const one of names) writeFileSync(join(at.tree, one), `${one}\n`)
    sh(at, 'commit all; git gc -q; sleep 0.03; touch .git/index')
    for (const one of names.filter(() => random(5) === 0)) writeFileSync(join(at.tree, `${one}+`), 'new')
    for (const one of names.filter(() => random(5) === 0)) execFileSync('rm', ['--', join(at.tree, one)])
    await take(gitCheckpoints(at), 'iter-001')
    assert.equal(savedAs(at), readByGit(at, at.tree))
    // All new files have the same bytes, so there is one blob.
    assert.deepEqual(ownObjects(at), ['blob', 'commit', 'tree'])
  })
})

it('an unchanged tree is neither read nor written again: only the commit is new', async () => {
  const at = openBox()
  sh(at, `${packed}; sleep 0.03; touch .git/index`)
  await take(gitCheckpoints(at), 'iter-001')
  assert.deepEqual(ownObjects(at), ['commit'])
})

it('for a changed file, its directory and those above it are written', async () => {
  const at = openBox()
  sh(at, `${packed}; echo more >> a/b/2; sleep 0.03; touch .git/index`)
  await take(gitCheckpoints(at), 'iter-001')
  assert.deepEqual(ownObjects(at), ['blob', 'commit', 'tree', 'tree', 'tree'])
})

it('trees written by programs less strict than git are restored, and equal those it writes itself', async () => {
  const at = openBox()
  sh(at, packed)
  const idOf = (path: string) => sh(at, `git rev-parse HEAD:${path}`).trim()
  const write = (rows: [mode: string, name: string, id: string][]) => {
    const text = rows.map(([mode, name, id]) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
    )
    const args = ['-C', at.tree, 'hash-object', '-t', 'tree', '--literally', '-w', '--stdin']
    return execFileSync('git', args, { input: Buffer.concat(text), encoding: 'utf8' }).trim()
  }
  const below = write([
    ['100664', '1', idOf('a/1')],
    ['100775', 'tool', idOf('tool')],
  ])
  const top = write([
    ['040000', 'd', below],
    ['100644', 'z', idOf('z')],
  ])
  sh(at, `git reset -q --hard $(git commit-tree -m odd ${top}); git gc -q; sleep 0.03; touch .git/index`)
  const checkpoints = gitCheckpoints(at)
  const saved = sorted(listing(at.tree))
  const { tree } = await take(checkpoints, 'iter-001')
  sh(at, 'echo more >> d/1; echo n > n')
  const after = await take(checkpoints, 'iter-001-after', tree)
  assert.deepEqual(after.changed, ['d/1', 'n'])
  sh(at, 'rm -r d')
  const { written, deleted } = await restore(checkpoints, tree, 'undo')
  assert.deepEqual(sorted(listing(at.tree)), saved)
  assert.deepEqual({ written, deleted }, { written: 2, deleted: 1 })
})

/** The objects in the packs of the store, without those of the user. */
function ownObjects(at: Box): string[] {
  const directory = join(at.store, 'objects/pack')
  const packs = readdirSync(directory).filter(name => name.endsWith('.pack'))
  const own = packs.filter(name => statSync(join(directory, name)).nlink === 1)
  const lines = own.flatMap(name =>
    execFileSync('git', ['verify-pack', '-v', join(directory, name)], { encoding: 'utf8' }).split('\n'),
  )
  return lines.flatMap(line => /^[0-9a-f]{40} (\w+)/.exec(line)?.[1] ?? []).sort()
}
