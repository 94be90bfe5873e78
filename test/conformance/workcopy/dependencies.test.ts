/**
 * Dependency directories, which copies share. A run sees them whole at the path of the tree, and no change to them
 * reaches the tree, another copy, or the frozen template.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { containment } from '../../../src/adapters/process/contain.ts'
import type { WorkCopy } from '../../../src/adapters/workcopies/contract.ts'
import { sweepTemplates } from '../../../src/adapters/workcopies/templates.ts'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { without } from '../../rig/needs.ts'
import { never, restore, take, value } from '../checkpoint/calls.ts'
import { type Box, openBox, repositoryListing, sh, sorted } from '../checkpoint/work-tree.ts'
import { build, copiesOf, make, maker } from './copy-box.ts'
import { filesIn, seenIn, within } from './hands.ts'

const mayMount = containment(process.env) !== 'group'

function templatesOf(at: Box): string {
  return join(at.root, 'cache/templates')
}

/** Names and bytes of all files that an agent must not reach. */
function outside(at: Box): string[] {
  const templates = existsSync(templatesOf(at)) ? filesIn(templatesOf(at)) : []
  return [...filesIn(at.tree), ...templates.filter(line => !line.includes('/uses/'))]
}

/** Permissions and times of all files. */
function statsIn(directory: string): string {
  return execFileSync('find', [directory, '-printf', '%p %m %U %T@\\n'], { encoding: 'utf8' })
}

/** Every kind of change to a file, one kind for each file in turn; then to directories. */
const attack = `find node_modules packages/p/node_modules -type f | sort > list; i=0
  while read -r f; do i=$((i+1)); case $((i%8)) in
    0) echo x >> "$f";; 1) rm "$f";; 2) chmod 777 "$f";; 3) mv "$f" "$f.moved";;
    4) ln "$f" "$f.link"; echo y >> "$f.link"; chmod 600 "$f.link";; 5) : > "$f"; touch -d 2001-01-01 "$f";;
    6) ln -sf /nowhere "$f";; 7) printf z | dd of="$f" conv=notrunc status=none;;
  esac; done < list
  mv node_modules/m3 node_modules/m3.moved; rm -rf node_modules/m4; chmod 700 node_modules/m5 node_modules
  ln node_modules/m6/lib/f2.js hard || true; echo h >> hard; rm -rf packages/p/node_modules; mkdir packages/p/node_modules
  echo own > packages/p/node_modules/own; mv packages/p packages/q; rm -rf .env src/__pycache__`

describe('dependency directories', () => {
  it('are seen whole in a run, with permissions and times, at the path of the tree', async () => {
    const at = openBox()
    sh(at, build)
    const { copy } = await make(at)
    assert.deepEqual(
      seenIn(copy).filter(line => !line.endsWith(' dir')),
      filesIn(at.tree).filter(line => !line.endsWith(' dir')),
    )
    if (!mayMount) return
    assert.equal(within(copy, 'pwd').trim(), at.tree)
    assert.equal(readdirSync(templatesOf(at)).length, copy.mounts?.[0]?.lower.length)
  })

  it('are each copy’s own: nothing done in one reaches the tree, the template or another copy', async () => {
    const at = openBox()
    sh(at, build)
    const { copy } = await make(at)
    const other = (await make(at, { name: 'two' })).copy
    const [before, seen] = [outside(at), seenIn(other)]
    within(copy, attack)
    within(copy, 'rm -rf node_modules; mkdir node_modules; echo new > node_modules/new')
    assert.deepEqual(outside(at), before)
    assert.deepEqual(seenIn(other), seen)
    assert.equal(within(copy, 'cat node_modules/new; ls node_modules').trim(), 'new\nnew')
  })

  it('leave no trace in checkpoints: what was deleted of them is neither skipped nor in the way of a rollback', async () => {
    const at = openBox()
    sh(at, build)
    const { all, copy } = await make(at)
    const checkpoints = gitCheckpoints({
      tree: copy.path,
      store: at.store,
      cache: 'snapshot-abc123-one',
      rulesOf: at.tree,
    })
    within(copy, 'rm -rf node_modules packages; echo two > a')
    const taken = await take(checkpoints, 'iter-001-after', copy.base)
    assert.deepEqual(taken.skipped, [])
    assert.deepEqual(taken.changed?.toSorted(), ['a', 'packages/p/index.js'])
    await restore(checkpoints, copy.base, 'before')
    assert.equal(
      within(copy, 'cat a packages/p/index.js; ls packages/p/node_modules | wc -l'),
      // With an overlay the directory shows the layer again; copied dependencies are gone.
      `one\np\n${copy.how === 'overlay' ? 30 : 0}\n`,
    )
    value(await all.remove(copy))
    assert.ok(!existsSync(join(copy.path, '..')))
    assert.deepEqual(
      readdirSync(at.store).filter(name => name.includes('abc123-one')),
      [],
    )
  })

  it('are frozen: another copy of the same base has what the first had', async () => {
    const at = openBox()
    sh(at, build)
    const { copy } = await make(at)
    sh(
      at,
      'rm -rf node_modules/m1; echo changed > node_modules/m2/lib/f1.js; mkdir late; rm -r packages/p/node_modules',
    )
    const second = (await make(at, { name: 'two', base: copy.base })).copy
    if (copy.how === 'overlay') assert.deepEqual(second.mounts?.[0]?.lower, copy.mounts?.[0]?.lower)
    const third = (await make(at, { loop: 'other1', name: 'one', base: copy.base })).copy
    assert.equal(within(third, 'ls node_modules | wc -l; cat node_modules/m2/lib/f1.js'), '29\nchanged\n')
  })

  it('are left out if a set-up command will make them; small files are not', async () => {
    const at = openBox()
    sh(at, build)
    const { copy } = await make(at, { dependencies: 'skip' })
    assert.equal(
      within(copy, 'ls -d node_modules packages/p/node_modules 2>/dev/null || true; cat .env'),
      'k\n',
    )
  })

  it('of unused templates are swept after the retention, with leftovers of killed processes', async () => {
    const at = openBox()
    sh(at, build)
    const { all, copy } = await make(at)
    if (copy.how !== 'overlay') return
    const [templates, seen] = [templatesOf(at), seenIn(copy)]
    mkdirSync(join(templates, 'half.new-1/files'), { recursive: true })
    // The state after a sweep was killed while a copy began to use the template.
    const [key = ''] = readdirSync(templates).filter(name => !name.includes('.'))
    renameSync(join(templates, key), join(templates, `${key}.gone-1`))
    const sweep = (inMs: number, isDry = false) =>
      sweepTemplates({ templates, now: Date.now() + inMs, retentionMs: 600_000, isDry })
    assert.deepEqual(
      (await sweep(900_000)).map(({ path }) => path),
      [join(templates, 'half.new-1')],
    )
    assert.equal(seenIn(copy).length, seen.length)
    value(await all.remove(copy))
    assert.deepEqual(await sweep(0), [])
    assert.equal((await sweep(900_000, true)).length, 2)
    const swept = await sweep(900_000)
    assert.ok(swept.every(({ bytes }) => bytes > 0))
    assert.deepEqual(readdirSync(templates), [])
  })
})

describe('dependency directories of a copy for one command', () => {
  it('are borrowed for one command: nothing is copied, nothing done there reaches the tree, a change is told', async () => {
    const at = openBox()
    sh(at, build)
    sh(at, 'git rm -q --cached src/s.py; rm src/s.py')
    const { all, copy } = await make(at, { dependencies: 'borrow' })
    const before = outside(at)
    assert.deepEqual(
      seenIn(copy).filter(line => !line.endsWith(' dir')),
      filesIn(at.tree).filter(line => !line.endsWith(' dir')),
    )
    within(copy, attack.replace(/rm -rf packages.*packages\/q; /s, ''))
    within(copy, 'rm -rf node_modules/*; echo new > node_modules/new')
    assert.deepEqual(outside(at), before)
    assert.equal(await all.changed(copy, never), null)
    if (mayMount) {
      assert.equal(existsSync(templatesOf(at)), false)
      assert.equal(within(copy, 'cat node_modules/new; ls node_modules').trim(), 'new\nnew')
      assert.deepEqual(copy.borrowed.map(({ path }) => path).toSorted(), [
        'node_modules',
        'packages/p/node_modules',
      ])
      sh(at, 'echo changed > packages/p/node_modules/m2/lib/f1.js')
      assert.equal(await all.changed(copy, never), 'packages/p/node_modules')
    }
    const tree = filesIn(at.tree)
    value(await all.remove(copy))
    assert.ok(!existsSync(join(copy.path, '..')))
    assert.deepEqual(filesIn(at.tree), tree)
  })
})

describe('the objects of a repository', () => {
  it('are not reached from a copy, nor does gc of the user take any from it', async () => {
    const at = openBox()
    sh(at, `${build}; for i in $(seq 120); do echo $i > src/f$i; git add -A; git commit -qm $i; done`)
    const repository = join(at.tree, '.git')
    const { copy } = await make(at)
    const [before, modes] = [sorted(repositoryListing(repository)), statsIn(repository)]
    const layers = copy.mounts?.[0]?.lower.filter(layer => existsSync(join(layer, '.git/objects'))) ?? []
    assert.equal(layers.length, copy.how === 'overlay' ? 1 : 0)
    within(
      copy,
      `git fsck; git log --oneline | wc -l; chmod -R 700 .git; for f in $(find .git/objects -type f | head -40); do echo bad > $f; done
      find .git/objects -type f | tail -40 | xargs rm; touch .git/objects/*/*`,
    )
    assert.deepEqual(sorted(repositoryListing(repository)), before)
    assert.deepEqual(statsIn(repository), modes)
    const other = (await make(at, { name: 'two' })).copy
    sh(at, 'git reset -q --hard HEAD~100; git reflog expire --expire=now --all; git gc -q --prune=now')
    assert.equal(within(other, 'git fsck 2>&1; git log --oneline | wc -l').trim(), '121')
    within(
      other,
      'git -c user.email=e -c user.name=n commit -qm mine --allow-empty; git gc -q --prune=now; git fsck',
    )
  })
})

describe('dependency directories, by others than root or without mounts,', () => {
  it('of a plain user are the same', { skip: plainUser() }, async () => {
    const at = openBox()
    sh(at, build)
    const nobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups']
    execFileSync('chown', ['-R', '65534:65534', at.root])
    const [program = '', ...args] = [...nobody, process.execPath, maker, at.root, 'one']
    const env = { ...process.env, HOME: join(at.root, 'home') }
    const { made } = JSON.parse(execFileSync(program, args, { encoding: 'utf8', env }))
    const copy = value<WorkCopy>(made)
    const before = outside(at)
    const script = `import { within, seenIn } from '${import.meta.dirname}/hands.ts'
      const copy = JSON.parse(process.argv[1]); const seen = seenIn(copy)
      within(copy, process.argv[2]); process.stdout.write(JSON.stringify(seen))`
    const inside = [...nobody, process.execPath, '--input-type=module-typescript', '-e', script]
    const [first = '', ...rest] = [...inside, JSON.stringify(copy), attack]
    const seen = JSON.parse(execFileSync(first, rest, { encoding: 'utf8', env, cwd: at.root }))
    assert.ok(seen.some((line: string) => line.startsWith('node_modules/m7/lib/f7.js')))
    assert.deepEqual(outside(at), before)
    value(await copiesOf(at).remove(copy))
    assert.ok(!existsSync(copy.path))
  })

  it('are copied where no mounts are permitted, with progress, and what names the tree is reported', () => {
    const at = openBox()
    const venv = `printf '#!%s/.venv/bin/python3\\n' "$PWD" > .venv/bin/pytest; printf 'home = /usr/bin\\ncommand = python -m venv %s/.venv\\n' "$PWD" > .venv/pyvenv.cfg
      printf '#!/bin/sh\\n' > .venv/bin/other; for i in $(seq 300); do echo $i > .venv/bin/f$i; done; ln -s "$PWD/src" .venv/src`
    sh(at, `${build}; ${venv}`)
    const env = { ...process.env, LOOP_CONTAIN: 'group' }
    const { made, seen } = JSON.parse(
      execFileSync(process.execPath, [maker, at.root, 'one'], { encoding: 'utf8', env }),
    )
    const copy = value<WorkCopy>(made)
    assert.deepEqual([copy.how, copy.mounts], ['copy', null])
    assert.deepEqual(copy.references, ['.venv/bin/pytest', '.venv/pyvenv.cfg', '.venv/src'])
    assert.ok(seen.includes('node_modules 1/1'), String(seen))
    assert.deepEqual(
      filesIn(copy.path).filter(line => !line.endsWith(' dir')),
      filesIn(at.tree).filter(line => !line.endsWith(' dir')),
    )
  })

  it('that cannot be read are reported, and the rest is there', { skip: plainUser() }, () => {
    const at = openBox()
    sh(at, `${build}; mkdir -p data; echo 'data/' >> .gitignore; echo x > data/x; chmod 700 data`)
    execFileSync('chown', ['-R', '65534:65534', at.root])
    chownSync(join(at.tree, 'data'), 0, 0)
    const nobody = [
      '--reuid',
      '65534',
      '--regid',
      '65534',
      '--clear-groups',
      process.execPath,
      maker,
      at.root,
      'one',
    ]
    const env = { ...process.env, HOME: join(at.root, 'home') }
    const { made } = JSON.parse(execFileSync('setpriv', nobody, { encoding: 'utf8', env }))
    assert.deepEqual(value<WorkCopy>(made).skipped, ['data'])
  })
})

/** The reason why there is no plain user to run as; false if there is one. */
function plainUser(): string | false {
  const missing = without('root')
  if (missing !== false) return missing
  const tried = spawnSync('setpriv', ['--reuid', '65534', '--clear-groups', process.execPath, '-e', ''])
  const reads = spawnSync('setpriv', ['--reuid', '65534', '--clear-groups', 'cat', maker])
  return tried.status === 0 && reads.status === 0 ? false : 'nobody cannot run this'
}
