/**
 * The shape of the tree, checked: which folder may import which, how many files a folder holds, that every file
 * says what it is, that names mean something, that only cli/terminal prints, only store/sqlite knows SQLite, only
 * engine/feed looks whether the store has changed and only engine/ask and engine/drive append, that no exported name
 * stands for two things or for nobody, and that zod is imported in the way that can be tree-shaken. DESIGN of it:
 * ARCHITECTURE.md.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** From a room to those it may import; a longer path is a part of a room. `type` imports count too. */
const allowed: Record<string, string[]> = {
  model: [],
  core: ['model'],
  // The sentence about a mistake in a file quotes it, and that file may be a stranger's.
  // The rules of a workflow file are those that the group then goes by.
  options: ['model', 'core/shell', 'core/text', 'core/workflow', 'store/files', 'views/text/plain-text'],
  views: ['model', 'core'],
  store: ['model', 'core'],
  checkpoints: ['model', 'adapters/process'],
  adapters: ['model', 'checkpoints'],
  // Not store/sqlite: what it knows of the store is the contract.
  engine: 'model core options views store/contract store/failures store/files adapters checkpoints'.split(
    ' ',
  ),
  wiring: ['model', 'core', 'options', 'views', 'store', 'adapters', 'checkpoints', 'engine', 'cli/terminal'],
  server: ['model', 'core', 'options', 'views', 'store', 'adapters', 'checkpoints', 'engine'],
  hooks: ['model', 'core', 'views', 'store', 'adapters', 'engine', 'wiring', 'cli/terminal'],
  mcp: ['model', 'core', 'options', 'views', 'store', 'adapters', 'engine', 'server', 'hooks'],
  cli: 'model core options views store adapters checkpoints engine wiring server hooks mcp'.split(' '),
}
/** Who may append to a journal: what is asked comes through the one, what steps come to through the other. */
const mayCommit = ['src/engine/ask.ts', 'src/engine/drive.ts']
/** No file of these may import anything of Node: they run in the browser too. */
const pure = ['model', 'core', 'views']
/** Everybody else knows the contract of the store, not SQLite. */
const sqlite = 'src/store/sqlite/'
const bannedNames = /^(utils?|helpers?|manager|service|handler|base|common|types|index)\.ts$/
/** Text reaches a terminal through the filter of cli/terminal only. The others print no text of anybody else's. */
const mayPrint = [
  'src/cli/terminal.ts',
  // In a Node that is too old to load anything else.
  'src/cli/front.ts',
  'src/cli/loopd/front.ts',
  // The protocol of another program, by its own library.
  'src/mcp/serve.ts',
]
/** Programs of their own, whose output goes into a file of the run. */
const ownPrograms = 'src/adapters/agents/'
const printing =
  /\bconsole\.|process\.std(?:out|err)(?!\.isTTY)|\bwriteSync\([12]\b|\/dev\/(?:tty|std(?:out|err))/
const mostFiles = 14
const manyFiles = ['src/adapters/agents', 'src/cli/commands']

const problems: string[] = []
const files = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(entry => join(entry.parentPath, entry.name))

for (const file of files.filter(name => name.endsWith('.ts'))) checkFile(file)
for (const folder of new Set(files.map(file => dirname(file)))) checkFolder(folder)
checkExports()
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
  if (printing.test(text) && !mayPrint.includes(file) && !file.startsWith(ownPrograms))
    problems.push(`${file}: prints by itself; use out, err or write of cli/terminal, which filter`)
  if (text.includes('node:sqlite') && !file.startsWith(sqlite))
    problems.push(`${file}: names node:sqlite; only ${sqlite} does, behind store/contract`)
  if (/\bby(?:Others|Any)\(/.test(text) && !/^src\/(?:store|engine\/feed)\//.test(file))
    problems.push(`${file}: looks by itself whether the store has changed; wait on engine/feed`)
  if (/import \{[^}]*\} from 'zod'/.test(text))
    problems.push(
      `${file}: import * as z from 'zod', else every command carries its messages in every language`,
    )
  if (
    /import (?:type )?\{[^}]*\bcommit\b[^}]*\} from '[^']*\/drive\.ts'/.test(text) &&
    !mayCommit.includes(file)
  )
    problems.push(`${file}: imports commit of engine/drive; ask (engine/ask) records what is wished for`)
  for (const [, target = ''] of text.matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
    if (target.startsWith('node:') && pure.includes(folder))
      problems.push(`${file}: ${folder} imports ${target}`)
    // The rules of options ask the machine; only the files of the configuration are read there.
    if (
      /^node:(?!path$|crypto$)/.test(target) &&
      folder === 'options' &&
      !file.startsWith('src/options/config/')
    )
      problems.push(`${file}: imports ${target}; ask options/system`)
    if (!target.startsWith('.')) continue
    const to = relative('src', resolve(dirname(file), target)).replace(/\.ts$/, '')
    const mayImport = [folder, ...(allowed[folder] ?? [])].some(room => `${to}/`.startsWith(`${room}/`))
    if (!mayImport) problems.push(`${file}: ${folder} may not import ${to}`)
  }
}

function checkFolder(folder: string): void {
  const count = files.filter(file => dirname(file) === folder).length
  if (count > mostFiles && !manyFiles.includes(folder))
    problems.push(`${folder}: ${count} files; is it two ideas?`)
}

/** No name for two things, and none that nobody asks for. */
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
  for (const file of files.filter(name => name.endsWith('.ts'))) {
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

function exportsOf(text: string): string[] {
  const declared = /^export (?:async )?(?:function\*?|const|let|class|type|interface) (\w+)/gm
  return Array.from(text.matchAll(declared), ([, name = '']) => name)
}

function allFiles(): string[] {
  return ['src', 'test', 'bench', 'scripts'].flatMap(root =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
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
