/**
 * The table of the conformance suite: the tree of a user (`build`) and the changes of an agent (`change`). Both are
 * shell scripts run in the work tree. Paths below `kept` are in no checkpoint and must survive a restore as the agent
 * left them; `$RAN` is a file that hooks and filters write if they run, which they never may.
 */
import { finerCases } from './finer-cases.ts'

export type Case = {
  name: string
  build: string
  change: string
  kept?: readonly string[]
  /** Paths that the checkpoint after the change must report as skipped, relative to the tree. */
  skipped?: readonly string[]
  /** The user's repositories, relative to the tree, if not only .git. */
  repositories?: readonly string[]
}

const repository = 'git init -q; echo one > a; mkdir d; echo two > d/b; commit first'

export const cases: readonly Case[] = [
  {
    name: 'files changed, deleted, new',
    build: repository,
    change: 'echo more >> a; rm d/b; echo new > n; mkdir -p x/y; echo deep > x/y/z',
  },
  {
    name: 'an untracked file edited, another deleted',
    build: `${repository}; echo u > u; echo v > v`,
    change: 'echo more >> u; rm v',
  },
  { name: 'nothing changed', build: repository, change: ':' },
  { name: 'an empty tree', build: ':', change: 'echo a > a' },
  { name: 'everything deleted', build: repository, change: 'rm -r a d' },
  {
    name: 'the exec bit',
    build: `${repository}; echo s > s; chmod +x s; echo t > t`,
    change: 'chmod -x s; chmod +x t',
  },
  {
    name: 'same size, same modification time',
    build: `${repository}; touch -d 2020-01-01 a; echo 123 > s; touch -d 2020-01-01 s`,
    change: 'for f in a s; do echo new > ../new; touch -d 2020-01-01 ../new; mv ../new $f; done',
  },
  {
    name: 'symlinks: to another target, link to file, file to link, dangling, to a directory',
    build: `${repository}; ln -s a l; ln -s nowhere g; ln -s d dl; ln -s a m`,
    change: 'ln -sfn d/b l; rm g m a; echo file > g; ln -s g a; rm dl; mkdir dl; echo in > dl/in; ln -s / m',
  },
  {
    name: 'a file becomes a directory and a directory a file',
    build: `${repository}; echo f > f`,
    change: 'rm -r d; echo file > d; rm f; mkdir -p f/g; echo h > f/g/h; mkdir f/empty',
  },
  {
    name: 'a directory becomes a symlink to a directory elsewhere',
    build: `${repository}; mkdir ../else; echo safe > ../else/b`,
    change: 'rm -r d; ln -s ../else d',
  },
  {
    name: 'odd names',
    build: `${repository}; t=$(printf 'tab\\there'); n=$(printf 'new\\nline'); b=$(printf 'byte\\377\\200')
      for f in "$t" "$n" "$b" '*' '[a]' ':(top)x' ':!no' '-dash' ' space ' 'back\\slash' '"q"' "'" '#c' '!bang'
      do echo "$f" > "./$f"; mkdir "dir $f"; echo in > "dir $f/$f"; done`,
    change: `for f in *; do [ -f "./$f" ] && echo more >> "./$f"; done; rm ./-dash; rm "$(printf 'new\\nline')"
      rm -r "$(printf 'dir byte\\377\\200')"; echo x > "$(printf 'fresh\\n\\376')"`,
  },
  {
    name: 'names that differ in case alone, core.ignorecase in the user configuration',
    build: 'git init -q; git config core.ignorecase true; echo a > Name; echo b > name; echo c > NAME',
    change: 'echo more >> name; rm NAME; echo d > nAME',
  },
  {
    name: 'names git knows: .gitmodules, .GITIGNORE, git~1, .git-thing',
    build: `${repository}; echo bad > .gitmodules; echo x > git~1; echo y > .git-thing; echo '*' > .GITIGNORE`,
    change: 'rm .gitmodules; echo z >> git~1; rm .git-thing',
  },
  {
    name: 'autocrlf in the user configuration',
    build: `git init -q; git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' > crlf; printf 'a\\nb\\n' > lf
      printf 'a\\r\\nb\\n' > mixed; git add crlf`,
    change: `printf 'c\\r\\n' >> crlf; printf 'c\\n' >> lf; rm mixed`,
  },
  {
    name: '.gitattributes: eol, ident, text=auto, encoding, export-subst',
    build: `git init -q; printf '%s\\n' '*.t eol=crlf' '*.i ident' '* text=auto' '*.u working-tree-encoding=UTF-16LE' > .gitattributes
      printf 'a\\nb\\n' > x.t; echo '$Id$' > x.i; printf 'a\\0b\\0' > x.u; printf 'r\\r\\n' > x.r`,
    change: `printf 'c\\n' >> x.t; echo '$Id: 12 $' > x.i; printf 'a\\0c\\0' > x.u; rm .gitattributes x.r`,
  },
  {
    name: 'filter drivers, one required, one like git-lfs',
    build: `git init -q; printf '%s\\n' '*.r filter=rot' '*.bin filter=lfs diff=lfs merge=lfs -text' > .gitattributes
      git config filter.rot.clean 'date >> "$RAN"; tr a-z n-za-m'; git config filter.rot.smudge 'date >> "$RAN"; tr a-z n-za-m'
      git config filter.lfs.process 'date >> "$RAN"; exit 1'; git config filter.lfs.required true
      git config diff.lfs.textconv 'date >> "$RAN"'; echo secret > x.r; git add x.r; echo big > x.bin`,
    change: 'echo other > x.r; echo gib > x.bin',
  },
  {
    name: 'hooks, fsmonitor, pager and aliases of the user',
    build: `${repository}; for h in pre-commit post-commit post-checkout post-index-change reference-transaction post-merge
      do printf '#!/bin/sh\\ndate >> "${'$'}RAN"\\n' > .git/hooks/$h; chmod +x .git/hooks/$h; done
      printf '#!/bin/sh\\ndate >> "${'$'}RAN"\\n' > ../monitor; chmod +x ../monitor; git config core.fsmonitor "$PWD/../monitor"
      git config core.hooksPath "$PWD/.git/hooks"; git config alias.add '!date >> "$RAN"'
      cp .git/config ../home/.gitconfig`,
    change: 'echo more >> a; rm d/b',
  },
  {
    name: 'commit.gpgsign with a gpg that fails, no identity',
    build: `${repository}; git config commit.gpgsign true; git config gpg.program false; git config user.useConfigOnly true`,
    change: 'echo more >> a',
  },
  {
    name: 'ignored files changed by the agent survive',
    build: `git init -q; printf '.env\\nnode_modules/\\ndist\\n' > .gitignore; echo k=1 > .env; mkdir node_modules dist
      echo m > node_modules/m; echo o > dist/o; echo a > a; commit first`,
    change: 'echo k=2 > .env; echo more >> node_modules/m; rm dist/o; echo p > dist/p; rm a',
    kept: ['.env', 'node_modules', 'dist'],
  },
  {
    name: 'the .gitignore is deleted: what it hid survives',
    build: `git init -q; printf 'node_modules/\\n' > .gitignore; mkdir node_modules; echo m > node_modules/m; echo a > a; commit first`,
    change: 'rm .gitignore; echo more >> node_modules/m; echo b >> a; echo n > n',
    kept: ['node_modules'],
  },
  {
    name: 'a .gitignore in a subdirectory is deleted: what it hid survives',
    build:
      'git init -q; mkdir -p p/out; echo out > p/.gitignore; echo o > p/out/o; echo a > p/a; commit first',
    change: 'rm p/.gitignore; echo more >> p/out/o; rm p/a',
    kept: ['p/out'],
  },
  {
    name: 'the agent ignores *.tmp, then makes some',
    build: `${repository}; echo node_modules > .gitignore`,
    change: `echo '*.tmp' >> .gitignore; echo t > x.tmp; echo u > d/y.tmp; rm a`,
    kept: ['x.tmp', 'd/y.tmp'],
  },
  {
    name: 'a saved file is deleted, ignored and made again',
    build: `${repository}; echo before > log`,
    change: 'echo log > .gitignore; rm log; echo after > log',
  },
  {
    name: 'a file becomes a directory of ignored files',
    build: `${repository}; printf '*.o\\n' > .gitignore; echo f > f`,
    change: 'rm f; mkdir -p f/sub; echo 1 > f/1.o; echo 2 > f/sub/2.o; echo 3 > f/sub/3',
  },
  {
    name: 'a directory with ignored files becomes a file',
    build: `${repository}; printf '*.o\\n' > .gitignore; echo o > d/1.o`,
    change: 'rm -r d; echo d > d',
    kept: ['d/1.o'],
  },
  {
    name: 'an ignored file where a saved directory was',
    build: `${repository}; mkdir out; echo o > out/o`,
    change: 'rm -r out; echo /out > .gitignore; echo file > out',
  },
  {
    name: '.git/info/exclude is honoured',
    build: `${repository}; echo private > .git/info/exclude; echo p > private`,
    change: 'echo q > private; rm a; rm -rf .git',
    kept: ['private'],
  },
  {
    name: 'nested repository with commits',
    build: `${repository}; mkdir -p v/n; cd v/n; git init -q; echo i > i; mkdir s; echo j > s/j; commit in; echo u > u`,
    change: 'cd v/n; echo more >> i; rm s/j; echo new > k; rm u',
    repositories: ['.git', 'v/n/.git'],
  },
  {
    name: 'nested repositories without a commit, with nothing but .git, inside each other, and one that appears',
    build: `${repository}; git init -q n; echo i > n/i; git init -q empty; git init -q n/o; echo j > n/o/j
      mkdir c; cd c; git init -q; git commit -qm none --allow-empty`,
    change: 'echo more >> n/i; rm n/o/j; git init -q later; echo l > later/l; (cd later; commit l); rm a',
    repositories: ['.git', 'n/.git', 'n/o/.git', 'empty/.git', 'c/.git'],
  },
  {
    name: 'submodule',
    build: `git init -q ../lib; (cd ../lib; echo l > l; commit l); ${repository}
      git -c protocol.file.allow=always submodule --quiet add "$PWD/../lib" lib; commit second`,
    change: 'echo more >> lib/l; echo new > lib/n; rm .gitmodules',
  },
  { name: 'not a repository', build: 'echo a > a; mkdir d; echo b > d/b', change: 'rm a; echo c >> d/b' },
  {
    name: 'no commit yet, staged and untracked files',
    build: 'git init -q; echo s > s; git add s; echo t > s; echo u > u',
    change: 'rm s; echo more >> u',
  },
  {
    name: 'detached HEAD, and the agent commits meanwhile',
    build: `${repository}; git checkout -q --detach; echo dirty >> a`,
    change: 'commit agent; echo again >> a; commit again',
  },
  {
    name: 'the agent commits, expires and collects',
    build: `${repository}; echo u > u`,
    change: 'rm a u; commit x; git reflog expire --expire=now --all; git gc -q --prune=now',
  },
  { name: 'the agent makes .git a pipe', build: repository, change: 'rm -rf .git; mkfifo .git; rm a' },
  {
    name: 'a file that is linked twice is edited',
    build: `${repository}; ln a also; ln d/b d/also; echo x > x; ln x y`,
    change: 'echo more >> a; chmod 600 d/b; rm d/also; chmod 755 x',
  },
  { name: 'the agent removes .git', build: `${repository}; echo u > u`, change: 'rm -rf .git; rm u a' },
  {
    name: 'the agent stashes, checks out, cleans',
    build: `${repository}; echo dirty >> a; echo u > u; echo i > i; echo i > .git/info/exclude`,
    change: 'git stash -q -u; git checkout -q .; git clean -qfdx',
    kept: ['i'],
  },
  { name: 'index.lock in the user repository', build: `${repository}; : > .git/index.lock`, change: 'rm a' },
  {
    name: 'merge with conflicts in progress',
    build: `${repository}; git checkout -q -b o; echo o > a; commit o; git checkout -q -; echo m > a; commit m
      git merge -q o || true`,
    change: 'echo solved > a; commit merged',
  },
  {
    name: 'sparse checkout',
    build: `${repository}; mkdir e; echo e > e/e; commit e; git sparse-checkout set d`,
    change: 'git sparse-checkout disable; rm d/b',
  },
  {
    name: 'linked worktree with rules in the common directory',
    build: `git init -q ../main; (cd ../main; echo a > a; commit first; echo hidden > .git/info/exclude)
      rmdir "$PWD"; (cd ../main; git worktree add -q ../tree); cd ../tree; echo h > hidden; echo u > u`,
    change: 'rm a; echo more >> u; echo i > hidden',
    kept: ['hidden'],
    repositories: ['.git', '../main/.git'],
  },
  {
    name: 'a repository with sha256 objects',
    build: 'git init -q --object-format=sha256; echo a > a; commit a; echo u > u',
    change: 'rm a u',
  },
  {
    name: 'a large untracked file',
    build: `${repository}; seq 4000000 | head -c 30000000 > big`,
    change: 'echo more >> big',
  },
  {
    name: 'FIFO and socket, a file that becomes a FIFO, a FIFO that becomes a file',
    build: `${repository}; mkfifo p; mkdir q; mkfifo q/p; echo ignored > .gitignore; mkfifo ignored
      node -e 'require("net").createServer().listen("s", () => process.kill(process.pid, 9))' || true`,
    change: 'rm a; mkfifo a; rm p; echo p > p',
    // Also p: a restore leaves alone a path that the checkpoint could not save, whatever is there by now.
    kept: ['p', 'q', 's', 'ignored'],
    skipped: ['a', 'q/p', 's'],
  },
  {
    name: 'a read-only file edited',
    build: `${repository}; chmod 0444 a`,
    change: 'rm a; echo other > a; chmod 0444 a; chmod 0444 d/b',
  },
  ...finerCases,
]
