/**
 * npm run house: the size of the house in figures. What is counted, by pattern:
 * - one importer: no `import()` target, no entry of the build, nothing that the page uses, no row of a registry (`isApart`
 *   of source-tree);
 * - branches on loop-or-group: a line that compares a kind of journal with 'group' or 'loop', or asks `isGroup`, outside
 *   of `mayBranch`; nodes of a group have a kind `loop` too and do not count where they are called node;
 * - printed literals: `printedLiterals` of source-tree. `--list` names them, the branches and the single files.
 */
import { dirname } from 'node:path'
import { codeIn, printedLiterals, type SourceFile, sourceFiles } from './source-tree.ts'

/** The rules and hands of groups, and the tables with one row for each kind of journal. */
const mayBranch = ['src/core/group/', 'src/engine/perform/group/', 'src/views/faces/']
const onKind =
  /\bisGroup\(|\(isGroup\)|(?<!\bnode\??\.)\bkind(?:\([^)]*\))? [!=]== '(?:group|loop)'|\bjournalKind\([^)]*\) [!=]== '/

const files = sourceFiles()
const single = files.filter(({ importers, isApart }) => importers.length === 1 && !isApart)
const branches = files
  .filter(({ path }) => !mayBranch.some(place => path.startsWith(place)))
  .flatMap(({ path, text }) =>
    codeIn(text)
      .filter(({ line }) => onKind.test(line) && !/\bfunction isGroup\b|\bnodes?\b|\bNode\b/.test(line))
      .map(({ number, line }) => `${path}:${number}: ${line.trim()}`),
  )
const literals = printedLiterals(files)

console.log(
  [
    '| | |',
    '|---|--:|',
    row('code lines of `src` without blanks and comments', sum(files)),
    row(
      'files / folders of `src`',
      `${files.length} / ${new Set(files.map(({ path }) => dirname(path))).size}`,
    ),
    row(
      'median file; files < 25 lines',
      `${median(files)}; ${files.filter(({ lines }) => lines < 25).length}`,
    ),
    row('files with one importer, without `import()` targets, entries and rows of registries', single.length),
    row('places to touch (by hand: add one of each on a scratch branch, `git diff --stat`)', '–'),
    row('branches on loop-or-group outside `core/group`, `perform/group` and the faces', branches.length),
    row('printed literals outside failures, views, definitions, MCP and the prompt', literals.length),
  ].join('\n'),
)
if (process.argv.includes('--list'))
  console.log(['', ...single.map(({ path }) => `one importer: ${path}`), ...branches, ...literals].join('\n'))

function row(what: string, value: string | number): string {
  return `| ${what} | ${typeof value === 'number' ? value.toLocaleString('en') : value} |`
}

function sum(all: SourceFile[]): number {
  return all.reduce((total, { code }) => total + code, 0)
}

function median(all: SourceFile[]): number {
  return all.map(({ lines }) => lines).toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
}
