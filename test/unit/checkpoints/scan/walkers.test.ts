/** The second thread of a scan: it neither keeps a program from ending, nor lets it end too soon. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type ListedDirectory, listDirectory } from '../../../../src/checkpoints/scan/listing.ts'
import { openWalkers, startThread } from '../../../../src/checkpoints/scan/walkers.ts'
import { tempDir } from '../../../rig/given.ts'

test('a program ends by itself though the thread that walks large trees was never waited for', t => {
  const said = saidBy(
    t,
    `openWalkers().walk(process.cwd(), Array.from({ length: 3_000 }, (_, n) => 'none-' + n)).end()
    console.log('done')`,
  )
  assert.equal(said, 'done\n')
})

test('a program does not end while one of two scans still waits for the thread', t => {
  const tree = tempDir(t)
  for (const name of ['small', 'large']) mkdirSync(join(tree, name))
  for (let n = 0; n < 1_000; n += 1) writeFileSync(join(tree, `large/${n}`), '')
  const said = saidBy(
    t,
    `const walkers = openWalkers()
    startThread()
    const tree = ${JSON.stringify(tree)}
    // Only the large tree gives the thread much to do.
    const lists = ['small', 'large'].map(name => Array.from({ length: 300 }, (_, n) => name + '/.'.repeat(n)))
    function ask() {
      const walks = lists.map(directories => walkers.walk(tree, directories))
      for (const end = Date.now() + 40; Date.now() < end; );
      const waits = walks.map((walk, n) => walk.list(lists[n].at(-1)))
      for (const walk of walks) if (!waits.every(one => one instanceof Promise)) walk.end()
      return { walks, waits }
    }
    let asked = ask()
    while (!asked.waits.every(one => one instanceof Promise)) asked = ask()
    Promise.all(asked.waits).then(() => {
      for (const walk of asked.walks) walk.end()
      console.log('done')
    })`,
  )
  assert.equal(said, 'done\n')
})

test('the thread lists the same files as a scan in the main thread', async t => {
  const tree = tempDir(t)
  const names = ['plain', '.hidden', 'with space', 'two\nlines', 'caf\xe9', '-n', 'a\\b']
  const directories = Array.from({ length: 400 }, (_, n) => `d${n}`)
  for (const [n, directory] of directories.entries()) {
    mkdirSync(join(tree, directory))
    for (const name of names.slice(0, n % (names.length + 1)))
      writeFileSync(Buffer.from(`${tree}/${directory}/${name}`, 'latin1'), 'x'.repeat(n))
  }
  rmSync(join(tree, 'd398'), { recursive: true })
  const walkers = openWalkers()
  startThread()
  let byThread = 0
  while (byThread === 0) {
    const walk = walkers.walk(tree, directories)
    for (const end = Date.now() + 40; Date.now() < end; );
    for (const directory of directories.toReversed()) {
      const listing = attempt(() => walk.list(directory, undefined))
      byThread += listing instanceof Promise ? 1 : 0
      const listed = await Promise.resolve(listing).catch((error: unknown) => code(error))
      const own = attempt(() => listDirectory(tree, directory))
      assert.deepEqual(bare(listed), bare(own), directory)
    }
    walk.end()
  }
})

test('a scan works alone if no thread can be started', t => {
  const tree = tempDir(t)
  writeFileSync(join(tree, 'file'), '')
  const said = saidBy(
    t,
    `const { list } = openWalkers().walk(${JSON.stringify(tree)}, Array(3_000).fill(''))
    console.log(list('').map(({ name }) => name).join())`,
    ['--permission', '--allow-fs-read=*'],
  )
  assert.equal(said, 'file\n')
})

function attempt<T>(look: () => T): T | string {
  try {
    return look()
  } catch (error) {
    return code(error)
  }
}

function code(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code)
}

/** The fields of a stat that every scan has. */
function bare(listing: ListedDirectory[] | string) {
  if (typeof listing === 'string') return listing
  return listing.map(({ name, stat: { mode, size, mtimeMs, ctimeMs, ino } }) => {
    return { name, mode, size, mtimeMs, ctimeMs, ino }
  })
}

function saidBy(t: TestContext, text: string, options: string[] = []): string {
  const scan = join(import.meta.dirname, '../../../../src/checkpoints/scan')
  const program = join(tempDir(t), 'program.ts')
  const imports = [
    `import { openWalkers } from ${JSON.stringify(join(scan, 'walkers.ts'))}`,
    `import { startThread } from ${JSON.stringify(join(scan, 'walkers.ts'))}`,
  ]
  writeFileSync(program, [...imports, text].join('\n'))
  const ended = spawnSync(process.execPath, [...options, program], { encoding: 'utf8', timeout: 120_000 })
  assert.equal(ended.status, 0, ended.stderr)
  return ended.stdout
}
