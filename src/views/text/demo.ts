/** What `loop demo` says before and after its run; `cwd`: the sample project. */

export function demoIntroduction(cwd: string): string {
  return [
    `A sample project with a failing test suite is in ${cwd}.`,
    'The agent is a script that ships with loop; git, the processes, the promise and the checkpoints are real.',
    '',
  ].join('\n')
}

const history = '  loop history @last         what was done, node by node'
const mended = (cwd: string) => `  cd ${cwd}   the fixed project`

/** What to type next, by the kind of the demo. */
const ways = {
  loop: (cwd: string) => [
    '  loop status @last          how it ended',
    '  loop logs @last            what the agent said',
    mended(cwd),
    '  loop start "fix the failing tests" -p "npm test"   in a project of yours',
  ],
  plan: (cwd: string) => [
    '  loop review @last          what its reviews found, and what stood',
    history,
    `  ls ${cwd}/.loop   SHAPE.md, PROGRESS.md, the run and its stage`,
    '  loop plan "what you want"   in a project of yours',
  ],
  group: (cwd: string) => [
    '  loop status @last          the group and its loops',
    '  loop compare @last         attempts side by side, and why one was chosen',
    history,
    mended(cwd),
  ],
}

export function afterDemo(kind: keyof typeof ways, cwd: string, isInstalled: boolean): string {
  const install = '"loop" is not on your PATH yet: npm install -g loopd; in a checkout: npm install -g .'
  return ['', 'What to type next:', ...ways[kind](cwd), ...(isInstalled ? [] : ['', install])].join('\n')
}
