/**
 * `--best-of-judge` by the real program: equal attempts are judged without names and in both orders; if the two orders
 * disagree, the result is a tie.
 */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bestOfArgs, firstOr, onlyGroup } from '../../rig/group.ts'
import { makeRig, type Rig, readOr } from '../../rig/rig.ts'

const answer = (better: string) =>
  `{"better":"${better}","why":"it greets, which the task asks for","confidence":70}`

/**
 * An agent that does the attempts, and as a judge runs this script; its prompts as a judge are kept beside the tree.
 */
const agent = (judge: string) => `if [ -n "$LOOP_ANSWER_FILE" ]; then
  cp "$LOOP_PROMPT_FILE" "$ASIDE/asked-$LOOP_ID"; ${judge}
else
  ${firstOr('echo hm > greeting', 'echo hi > greeting')}
fi`
const sincere = `if sed -n '/^## Change A/,/^## Change B/p' "$LOOP_PROMPT_FILE" | grep -q '^+hi'; then echo '${answer('A')}'; else echo '${answer('B')}'; fi > "$LOOP_ANSWER_FILE"`
const biased = `echo '${answer('A')}' > "$LOOP_ANSWER_FILE"`

async function choice(rig: Rig, judge: string) {
  const ran = await rig.loop(bestOfArgs(agent(judge), 'test -s greeting', '--best-of-judge', '--json'))
  assert.equal(ran.code, 0, ran.stderr)
  const compared = await rig.loop(['compare', onlyGroup(rig), '--json'])
  const { winner, by, attempts } = JSON.parse(compared.stdout)
  const values = attempts.map((one: { values: Record<string, unknown> }) => one.values['judge'])
  return { winner, by, values, greeting: readOr(join(rig.tree, 'greeting')) }
}

test('both orders agree: the preferred attempt is in the tree, and the words of the judge are shown', async t => {
  const rig = makeRig(t)
  const found = await choice(rig, sincere)
  assert.deepEqual(found, {
    winner: '2-tests-first',
    by: 'judge',
    values: [
      { value: 0, command: null },
      { value: 2, command: null },
    ],
    greeting: 'hi\n',
  })
  const asked = readdirSync(rig.aside).filter(name => name.startsWith('asked-'))
  assert.equal(asked.length, 2)
  for (const name of asked) {
    const prompt = readOr(join(rig.aside, name))
    assert.match(prompt, /^## Change A\n```+diff\n[^]*\n## Change B\n/m)
    assert.doesNotMatch(prompt, /1-direct|tests-first|most direct way/)
  }
  const shown = await rig.loop(['compare', onlyGroup(rig)])
  assert.match(shown.stdout, /Chosen: 2-tests-first \(the judge prefers it, in both orders\)/)
  assert.match(
    shown.stdout,
    /^the judge of 1-direct as A and 2-tests-first as B: B \(70 %\), it greets, which the task asks for$/m,
  )
  assert.doesNotMatch(shown.stdout, /judge\//, 'its questions are no attempts')
})

test('a judge that always prefers the attempt shown first gives a tie, and the first attempt wins', async t => {
  const { winner, by, values } = await choice(makeRig(t), biased)
  assert.deepEqual([winner, by], ['1-direct', null])
  assert.deepEqual(
    values.map(({ value }: { value: number }) => value),
    [1, 1],
  )
})
