/** `loop review <id>`: the reviews of a plan and the standing findings; with a finding, the decision about it. */
import { jsonText, safeLine } from '../../core/text/plain-text.ts'
import { reviewJson } from '../../documents/group.ts'
import { ask } from '../../engine/ask.ts'
import { readState } from '../../engine/machine.ts'
import { fail, invalid, ok, type Result } from '../../model/failure.ts'
import type { GroupCommand } from '../../model/group/command.ts'
import { resolutions } from '../../model/group/words.ts'
import { nearest } from '../../options/nearest.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import { planReview } from '../../views/plan/review.ts'
import { doneWords } from '../../views/words/done.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { whoAnswers } from '../foreground/question.ts'
import { out, outFor } from '../terminal.ts'

const review: CommandRun = input => {
  const [name, finding, how, ...words] = input.positionals
  return withWorld(input.env, async world => {
    const found = loopToActOn(world.store, { ...input, positionals: name === undefined ? [] : [name] })
    if (!found.ok) return found
    const { id } = found.value
    const state = readState(world.store, id, 'group')
    if (!state.ok || state.value.spec.program !== 'plan') return fail('not-allowed', { kind: 'no-plan', id })
    if (finding === undefined) {
      const secrets = secretsIn(input.env)
      const json = () => jsonText(redactAll(reviewJson(state.value), secrets))
      out(input.given('json') ? json() : redactAll(planReview(state.value), secrets).map(safeLine).join('\n'))
      return ok(0)
    }
    const wish = wishFor({ finding, how, text: words.join(' ') }, input)
    if (!wish.ok) return wish
    const answer = await ask(world, id, wish.value)
    if (!answer.ok) return answer
    const { how: decided } = wish.value
    const next = state.value.outcome ? ` Go on with: loop resume ${id}` : ''
    const told = doneWords.decided(finding, id, decided) + next
    outFor<'resolved'>(input, { id, finding, how: decided }, told)
    return ok(0)
  })
}

type Asked = { finding: string; how: string | undefined; text: string }
type Wish = Extract<GroupCommand, { kind: 'review' }>

function wishFor({ finding, how, text }: Asked, input: Input): Result<Wish> {
  const word = resolutions.find(one => one === how)
  if (word) return ok({ kind: 'review', finding, how: word, by: whoAnswers(input), text })
  const near = nearest(how ?? '', resolutions)
  return invalid({ kind: 'bad-resolution', finding, known: [...resolutions], near })
}

export default review
