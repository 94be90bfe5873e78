/**
 * The shape of the tree, checked: which folder may import which, that layers import only downwards, that a small file
 * stands alone for a reason, that `src` stays below its ceiling, that every file says what it is, that names mean
 * something, that only cli/terminal prints, only store/sqlite knows SQLite, only platform names what one operating
 * system alone has, only engine/feed looks whether the store has changed and only engine/ask and engine/drive append,
 * that no exported name stands for two things or for nobody, and that zod is imported in the way that can be
 * tree-shaken. DESIGN of it: ARCHITECTURE.md.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { printedLiterals, sourceFiles } from './source-tree.ts'

/** From a room to the rooms that it may import; a longer path is a part of a room. Type imports count too. */
const allowed: Record<string, string[]> = {
  model: [],
  platform: [],
  core: ['model'],
  // A row is a kind, its data and its sentence. All rooms may import its types; only those that print, its sentences.
  failures: ['model', 'core'],
  // What is a secret, and its removal from text.
  secrets: ['model'],
  // A message about a mistake in a file quotes it safely, because the file can be a stranger's; and the rules of a
  // workflow file are those of its group.
  options: [
    'model',
    'core/shell',
    'core/text',
    'core/trust',
    'core/workflow',
    'store/files',
    'failures',
    'secrets',
  ],
  views: ['model', 'core', 'failures', 'secrets'],
  // A document for programs: its schema and what makes it.
  documents: ['model', 'core', 'failures', 'views'],
  store: ['model', 'core'],
  'store/sqlite': ['store', 'model', 'core', 'platform'],
  checkpoints: ['model', 'platform'],
  adapters: ['model', 'platform', 'checkpoints'],
  // Not store/sqlite: the engine knows only the contract of the store.
  engine:
    'model core failures secrets options views documents store/contract store/failures store/files adapters checkpoints platform'.split(
      ' ',
    ),
  wiring: [
    'model',
    'core',
    'failures',
    'secrets',
    'options',
    'views',
    'documents',
    'store',
    'adapters',
    'checkpoints',
    'platform',
    'engine',
    'cli/terminal',
  ],
  server:
    'model core failures secrets options views documents store adapters checkpoints platform engine'.split(
      ' ',
    ),
  hooks:
    'model core failures secrets views documents store platform adapters engine wiring cli/terminal'.split(
      ' ',
    ),
  mcp: 'model core failures secrets options views documents store adapters engine server hooks'.split(' '),
  // A full screen; only `loop watch` and `loop status -w` load it.
  tui: 'model core failures secrets views documents store engine cli/terminal cli/foreground/keys'.split(' '),
  cli: 'model core failures secrets options views documents store adapters checkpoints platform engine wiring server hooks mcp tui'.split(
    ' ',
  ),
}
/** Rooms with layers, lowest first: a part may import itself and those before it. Files without a row are above all. */
const layers: Record<string, string[]> = {
  checkpoints: ['contract', 'errors', 'format', 'objects', 'scan', 'seed', 'git'],
}
/** Separate programs that say something to people. */
const alsoAllowed: Record<string, string[]> = {
  'src/adapters/network/network-guard.ts': ['views/words/sandbox'],
  'src/adapters/agents/scripted-player.ts': ['failures/words'],
}
/** The files that may append to a journal: commands come through the first, results of steps through the second. */
const mayCommit = ['src/engine/ask.ts', 'src/engine/drive.ts']
/** Words that belong to one operating system: they are behind platform/contract, and nowhere else. */
const ofOneSystem = [
  /\/proc\b/,
  /\/sys\/(?:fs|kernel)/,
  /\b(?:unshare|flock|setsid|setpriv|nsenter|xdg-open|systemctl)\b/,
  /\bstatfs/,
  /\b(?:mountinfo|boot_id|userxattr|upperdir)\b/,
  /--reflink|--no-target-directory/,
  /process\.platform\b|\bos\.platform\b/,
  // Magic numbers of file systems: ext, btrfs, xfs, tmpfs, f2fs, overlay.
  /0xef53|0x9123683e|0x58465342|0x0?1021994|0xf2f52010|0x794c7630/i,
]
const mayNameSystems = [
  'src/platform/',
  // Judges the user's commands, which can name any program of any system.
  'src/core/shell.ts',
  // Checks a path of the environment, in a Node that may be too old to load anything else.
  'src/cli/front.ts',
  'src/cli/loopd/front.ts',
]
/** Passes on the sentence of another program of loop, perhaps of another version, together with its facts. */
const mayPassOn = ['src/server/api/client.ts', 'src/server/api/own-program.ts']
/** Rooms that may import nothing of Node, because they also run in the browser. */
const pure = ['model', 'core', 'failures', 'secrets', 'views', 'documents']
/** The only folder that knows SQLite; all others know the contract of the store. */
const sqlite = 'src/store/sqlite/'
const bannedNames = /^(utils?|helpers?|manager|service|handler|base|common|types|index)\.ts$/
/** Text reaches a terminal only through the filter of cli/terminal. The other files here print no foreign text. */
const mayPrint = [
  'src/cli/terminal.ts',
  // Runs in a Node that is too old to load anything else.
  'src/cli/front.ts',
  'src/cli/loopd/front.ts',
  // The protocol of another program, through its own library.
  'src/mcp/serve.ts',
]
/** Separate programs, whose output goes into a file of the run. */
const ownPrograms = ['src/adapters/agents/', 'src/adapters/network/network-']
const printing =
  /\bconsole\.|process\.std(?:out|err)(?!\.isTTY)|\bwriteSync\([12]\b|\/dev\/(?:tty|std(?:out|err))/
/** Below this, a file with one importer needs a reason; the files that have none yet are in the list, which only shrinks. */
const floorLines = 30
const small = readFileSync('scripts/small-files.txt', 'utf8').trimEnd().split('\n')
/** Code lines of `src` (`npm run house`). A commit that raises it says in its message why. */
const ceiling = 71_000
/** By room: the printed literals that are left outside of the homes of words (`npm run house -- --list`); only lowered. */
const mostPrinted: Record<string, number> = {}

const problems: string[] = []
const files = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(entry => join(entry.parentPath, entry.name))

const page = allFiles().filter(file => file.startsWith('web/'))

for (const file of files.filter(name => name.endsWith('.ts'))) checkFile(file)
for (const file of page) checkPageFile(file)
checkSizes()
checkExports()
checkFacts()
checkVersion()

if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}

function checkFile(file: string): void {
  const text = readFileSync(file, 'utf8')
  const folder = folderOf(file)
  if (!text.startsWith('/**')) problems.push(`${file}: begins without saying what it is`)
  if (bannedNames.test(file.split('/').at(-1) ?? '')) problems.push(`${file}: the name says nothing`)
  if (printing.test(text) && !mayPrint.includes(file) && !ownPrograms.some(place => file.startsWith(place)))
    problems.push(`${file}: prints by itself; use out, err or write of cli/terminal, which filter`)
  if (/\bout\(jsonText\(/.test(text) && file !== 'src/cli/terminal.ts')
    problems.push(`${file}: prints JSON without a document; use outDocument or outFor of cli/terminal`)
  if (folder === 'documents' && /^(?:export )?const \w+ = z\b/m.test(text))
    problems.push(
      `${file}: makes a schema on loading; make it in a function, so that \`status\` carries no zod`,
    )
  if (text.includes('node:sqlite') && !file.startsWith(sqlite))
    problems.push(`${file}: names node:sqlite; only ${sqlite} does, behind store/contract`)
  if (/\bby(?:Others|Any)\(/.test(text) && !/^src\/(?:store|engine\/feed)\//.test(file))
    problems.push(`${file}: looks by itself whether the store has changed; wait on engine/feed`)
  const code = text.replaceAll(/\/\*[^]*?\*\/|(?:^|\s)\/\/.*/g, '')
  const [found] = ofOneSystem.flatMap(form => form.exec(code)?.[0] ?? [])
  if (found !== undefined && !mayNameSystems.some(place => file.startsWith(place)))
    problems.push(`${file}: names ${found}, which one system alone has; ask platform/contract for it`)
  if (/import \{[^}]*\} from 'zod'/.test(text))
    problems.push(
      `${file}: import * as z from 'zod', else every command carries its messages in every language`,
    )
  if (
    /import (?:type )?\{[^}]*\bcommit\b[^}]*\} from '[^']*\/drive\.ts'/.test(text) &&
    !mayCommit.includes(file)
  )
    problems.push(`${file}: imports commit of engine/drive; ask (engine/ask) records what is wished for`)
  // A type of a failure is loaded by nobody, so it may be named everywhere.
  const loaded = text.replaceAll(/^import type [^;]*? from '[^']*\/failures\/[^']*'$/gm, '')
  for (const [, target = ''] of loaded.matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
    if (target.startsWith('node:') && pure.includes(folder))
      problems.push(`${file}: ${folder} imports ${target}`)
    // The rules of options ask `System`; only configuration files are read directly.
    if (
      /^node:(?!path$|crypto$)/.test(target) &&
      folder === 'options' &&
      !file.startsWith('src/options/config/')
    )
      problems.push(`${file}: imports ${target}; ask options/system`)
    if (!target.startsWith('.')) continue
    const to = relative('src', resolve(dirname(file), target)).replace(/\.ts$/, '')
    const mayImport = [folder, ...allowedFor(file), ...(alsoAllowed[file] ?? [])].some(room =>
      `${to}/`.startsWith(`${room}/`),
    )
    if (to.startsWith('platform/linux/') && !/^src\/platform\/(?:linux\/|platform\.ts$)/.test(file))
      problems.push(`${file}: imports ${to}; only platform/platform chooses an implementation`)
    if (!mayImport) problems.push(`${file}: ${folder} may not import ${to}`)
    const [from, below] = [layerOf(relative('src', file)), layerOf(to)]
    if (from !== null && below !== null && below > from)
      problems.push(`${file}: imports ${to}, which is a layer above it`)
  }
}

/** The row with the longest path that contains the file. */
function allowedFor(file: string): string[] {
  const rooms = Object.keys(allowed).filter(room => file.startsWith(`src/${room}/`))
  return allowed[rooms.sort((a, b) => b.length - a.length)[0] ?? ''] ?? []
}

/** The layer of a file in its room; null if the room has no layers, or the file is in another room. */
function layerOf(path: string): number | null {
  const [room = '', part = ''] = path.replace(/\.ts$/, '').split('/')
  const order = layers[room]
  if (!order) return null
  return order.includes(part) ? order.indexOf(part) : order.length
}

/** The page uses model, core and views, reads tables of options, and knows only the types of the contract. */
function checkPageFile(file: string): void {
  const text = readFileSync(file, 'utf8')
  if (!text.startsWith('/**')) problems.push(`${file}: begins without saying what it is`)
  if (/dangerouslySetInnerHTML|\.innerHTML\b|\binsertAdjacentHTML\b|\bdocument\.write\b/.test(text))
    problems.push(`${file}: makes markup of text; what an agent says is text everywhere`)
  for (const [line, target = ''] of text.matchAll(/^(?:import|export) .*?from '([^']+)'/gms)) {
    if (target.startsWith('node:')) problems.push(`${file}: the page imports ${target}`)
    if (!target.startsWith('.')) continue
    const to = relative('.', resolve(dirname(file), target))
    const isFold = /^(?:web|src\/(?:model|core|failures|secrets|views|documents|options\/table))\//.test(to)
    const isContract = to === 'src/server/api/contract.ts' && line.startsWith('import type')
    if (!isFold && !isContract) problems.push(`${file}: the page may not import ${to}`)
  }
}

function checkSizes(): void {
  const sources = sourceFiles()
  const lonely = sources
    .filter(({ lines, importers, isApart }) => lines < floorLines && importers.length === 1 && !isApart)
    .map(({ path, importers }) => [path, importers[0] ?? ''] as const)
  for (const [path, importer] of lonely)
    if (!small.includes(path))
      problems.push(`${path}: under ${floorLines} lines, and only ${importer} imports it; move it in there`)
  for (const path of small)
    if (!lonely.some(([file]) => file === path))
      problems.push(`scripts/small-files.txt: ${path} has a reason now, or is gone; take it off the list`)
  const code = sources.reduce((sum, file) => sum + file.code, 0)
  if (code > ceiling)
    problems.push(`src: ${code} lines of code, ${ceiling} is the ceiling; take something away`)
  const printed = Map.groupBy(printedLiterals(sources), literal => folderOf(literal))
  for (const room of new Set([...printed.keys(), ...Object.keys(mostPrinted)])) {
    const [now, most = 0] = [printed.get(room)?.length ?? 0, mostPrinted[room]]
    if (now > most)
      problems.push(
        `src/${room}: ${now} printed literals, ${most} before; words belong into views or failures`,
      )
    if (now < most) problems.push(`scripts/check-shape: lower mostPrinted of ${room} to ${now}`)
  }
}

/** No exported name is used for two things, and none is unused. */
function checkExports(): void {
  const texts = new Map(allFiles().map(file => [file, readFileSync(file, 'utf8')]))
  const importers = new Map<string, string[]>()
  for (const [file, text] of texts) {
    for (const [, target = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const to = relative('.', resolve(dirname(file), target))
      importers.set(to, [...(importers.get(to) ?? []), text])
    }
  }
  const places = new Map<string, string>()
  for (const file of [...files.filter(name => name.endsWith('.ts')), ...page]) {
    for (const name of new Set(exportsOf(texts.get(file) ?? ''))) {
      const other = places.get(name)
      if (other) problems.push(`${file}: ${other} exports the name ${name} too`)
      places.set(name, file)
      const word = new RegExp(`\\b${name}\\b`)
      if (!importers.get(file)?.some(text => word.test(text)))
        problems.push(`${file}: nobody imports ${name}; drop its export`)
    }
  }
}

/** A failure consists of facts; only another program's sentence is passed on unchanged. One kind has one row. */
function checkFacts(): void {
  const said = /\bkind: 'said'/
  const all = files
    .filter(file => file.endsWith('.ts'))
    .map(file => [file, readFileSync(file, 'utf8')] as const)
  const others = all.filter(([file]) => !file.startsWith('src/failures/'))
  for (const [file, text] of others)
    if (said.test(text) && !mayPassOn.includes(file))
      problems.push(`${file}: passes on a sentence; give the failure a kind in failures`)
  const known = new Map<string, string>()
  for (const [file, text] of all.filter(([name]) => name.startsWith('src/failures/')))
    for (const [, kind = ''] of text.matchAll(/^  '?([\w-]+)'?: (?:\(|\w+,$)/gm)) {
      const elsewhere = known.get(kind)
      if (elsewhere) problems.push(`${file}: ${kind} is in ${elsewhere} too; one kind, one sentence`)
      known.set(kind, file)
      if (kind !== 'said' && !others.some(([, other]) => other.includes(`kind: '${kind}'`)))
        problems.push(`${file}: nobody fails with ${kind}; drop it and its sentence`)
    }
}

function exportsOf(text: string): string[] {
  const declared = /^export (?:async )?(?:function\*?|const|let|class|type|interface) (\w+)/gm
  return Array.from(text.matchAll(declared), ([, name = '']) => name)
}

function allFiles(): string[] {
  return ['src', 'web', 'test', 'bench', 'scripts'].flatMap(root =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map(entry => join(entry.parentPath, entry.name)),
  )
}

function checkVersion(): void {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  if (!readFileSync('src/model/version.ts', 'utf8').includes(`version = '${version}'`)) {
    problems.push(`src/model/version.ts: not the version of package.json, ${version}`)
  }
}

function folderOf(file: string): string {
  return file.split('/')[1] ?? ''
}
