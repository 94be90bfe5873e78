/** More cases of the table: permissions, empty directories, timestamps, ignore rules from above the tree. */
import type { Case } from './cases.ts'

const repository = 'git init -q; echo one > a; mkdir d; echo two > d/b; commit first'

/** Packed, so that the first checkpoint reuses the user's index and packs. */
const packed =
  'git repack -adq; git prune-packed; git update-index -q --refresh; sleep 0.05; touch .git/index'

export const finerCases: readonly Case[] = [
  {
    name: 'permissions beyond exec, of files, directories and the tree',
    build: `${repository}; echo k > k; chmod 600 k; mkdir p; chmod 700 p; echo q > p/q; chmod 4755 p/q; echo g > g; chmod 664 g
      mkdir sticky; chmod 1777 sticky; echo s > sticky/s; ln -s k link`,
    change:
      'chmod 644 k; chmod 755 p; chmod 640 a; rm p/q; chmod 600 g; chmod 755 sticky; echo more >> d/b; chmod 750 d; chmod 711 .',
  },
  {
    name: 'empty directories come, go, fill and empty',
    build: `${repository}; mkdir -p e/f/g fill emptied; echo x > emptied/x`,
    change: 'rm -r e; echo in > fill/in; rm emptied/x; mkdir -p new/deep; rm a; mkdir a',
  },
  {
    name: 'an empty directory becomes a file, a link, and ignored',
    build: `${repository}; mkdir f l i; echo nothing > .gitignore`,
    change: 'rmdir f l i; echo f > f; ln -s d l; echo i > .gitignore; echo i > i',
  },
  {
    name: 'a read-only directory becomes a file, which has permissions of its own',
    build: `${repository}; mkdir ro odd; echo r > ro/f; echo o > odd/f; chmod 555 ro; chmod 4577 odd`,
    change: 'chmod 755 ro odd; rm -r ro odd; echo n > ro; chmod 644 ro; echo o > odd; chmod 600 odd',
  },
  {
    name: 'what only the rules of the checkpoint ignore keeps its permissions',
    build: `${repository}; echo '*.env' > .gitignore`,
    change: `rm .gitignore; echo s > s.env; chmod 600 s.env; mkdir private; chmod 700 private; echo t > private/t.env
      chmod 640 private/t.env`,
    kept: ['s.env', 'private'],
  },
  {
    name: 'a read-only directory whose files changed',
    build: `${repository}; chmod 555 d`,
    change: 'chmod 755 d; echo more >> d/b; echo c > d/c; chmod 555 d',
  },
  {
    name: 'a file becomes a directory with unusual permissions',
    build: repository,
    change: 'rm a; mkdir a; chmod 700 a; echo in > a/in',
  },
  {
    name: 'all permissions of the tree are other than usual',
    build: `${repository}; echo s > s; chmod 755 s; chmod -R go-rwx .`,
    change: 'chmod -R go+rX .; echo n > n; rm d/b',
  },
  {
    name: 'same size, modification time put back, in the same moment',
    build: `${repository}; echo 123 > s; touch -d 2020-01-01 a s`,
    change: 'for f in a s; do echo new > $f; touch -d 2020-01-01 $f; done',
  },
  {
    name: 'a directory inside a repository: the rules above it count',
    build: `cd ..; git init -q .; printf '*.log\\n/tree/out/\\n' > .gitignore; cd tree; echo a > a; mkdir out; echo o > out/o; echo l > x.log`,
    change: 'rm a; echo more >> out/o; echo more >> x.log; echo n > n',
    kept: ['out', 'x.log'],
    repositories: ['../.git'],
  },
  {
    name: 'a directory that the repository above ignores as a whole',
    build: `cd ..; git init -q .; echo '*' > .gitignore; cd tree; echo a > a; mkdir d; echo b > d/b`,
    change: 'rm a; echo more >> d/b',
    repositories: ['../.git'],
  },
  {
    name: 'a file tracked by the user though it is ignored',
    build: `git init -q; printf 'out/\\n*.gen\\n' > .gitignore; mkdir out; echo o > out/o; echo g > x.gen; echo u > out/u
      git add -f out/o x.gen; commit first`,
    change: 'rm x.gen; echo more >> out/o; echo more >> out/u',
    kept: ['out/u'],
  },
  {
    name: 'an ignored file that the agent tracks meanwhile',
    build: `git init -q; printf 'out/\\n*.gen\\n' > .gitignore; mkdir out; echo u > out/u; echo a > a; commit first`,
    change: 'echo g > x.gen; echo o > out/o; git add -f out/o x.gen; git commit -qm second',
    kept: ['out/u'],
  },
  {
    name: 'a .gitignore that is a link, a directory, a FIFO',
    build: `${repository}; echo '*' > ../rules; ln -s ../rules .gitignore; mkdir -p x/.gitignore y; echo x > x/.gitignore/x; mkfifo y/.gitignore; echo y > y/y`,
    change: 'rm a x/.gitignore/x y/y',
    kept: ['y/.gitignore'],
  },
  {
    name: 'directories named like .git in another case',
    build: `${repository}; mkdir .GIT .Git; echo a > .GIT/a; echo b > .Git/b`,
    change: 'rm .GIT/a; echo more >> .Git/b',
  },
  {
    name: 'a packed repository with an index that is believed, some files changed since',
    build: `${repository}; echo u > u; ${packed}; echo dirty >> d/b`,
    change: 'rm a u; echo more >> d/b',
  },
  {
    name: 'a packed repository, autocrlf: what is packed is not what is there',
    build: `git init -q; git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' > crlf; echo lf > lf; commit all; ${packed}`,
    change: 'rm crlf lf',
  },
  {
    name: 'a packed repository, a filter that keeps the size',
    build: `git init -q; echo '*.r filter=rot' > .gitattributes; git config filter.rot.clean 'tr a-z n-za-m'
      git config filter.rot.smudge 'date >> "$RAN"; tr a-z n-za-m'; echo secret > x.r; echo p > p; commit all; ${packed}`,
    change: 'rm x.r; echo q > p',
  },
  {
    name: 'a packed repository, a filter named in .git/info/attributes',
    build: `git init -q; echo '*.r filter=rot' > .git/info/attributes; git config filter.rot.clean 'tr a-z n-za-m'
      echo secret > x.r; commit all; ${packed}`,
    change: 'rm x.r',
  },
  {
    name: 'a packed repository, entries marked as unchanged or left out',
    build: `${repository}; echo s > s; commit s; git update-index --assume-unchanged a; git update-index --skip-worktree s; ${packed}
      echo other > a; echo other > s; touch .git/index`,
    change: 'rm a s',
  },
  {
    name: 'a packed repository with an index of version 4',
    build: `${repository}; mkdir -p d/e; echo c > d/e/c; commit c; git update-index --index-version 4; ${packed}`,
    change: 'rm -r d; echo more >> a',
  },
  {
    name: 'an empty ignored directory where a link was',
    build: `${repository}; ln -s a l; ln -s a m`,
    change: 'rm l m; mkdir -p l/deep m; mkfifo m/p; echo "[lm]" > .gitignore',
  },
]
