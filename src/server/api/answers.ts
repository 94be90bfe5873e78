/**
 * The answers of loopd to each route, by subject in answers/*. They use a store connection of their own and are, to
 * the loops, one more process: commands to a loop go through its inbox, as anybody's do.
 */
import { tooManyStreams } from '../../views/words/http.ts'
import type { ApiContext, OpenStream } from './answers/context.ts'
import { daemonAnswers } from './answers/daemon.ts'
import { groupAnswers, planAnswers } from './answers/group.ts'
import { journalAnswers } from './answers/journal.ts'
import { feedAnswers, listAnswers } from './answers/list.ts'
import { machineAnswers } from './answers/machine.ts'
import { lineAnswers, outputAnswers } from './answers/output.ts'
import { startAnswers } from './answers/start.ts'
import { treeAnswers } from './answers/tree.ts'
import { type Answers, problem } from './app.ts'
import { eventStream } from './stream.ts'

const mostStreams = 128

export function answersOf(context: ApiContext): Answers {
  const open = streams(context)
  return {
    ...daemonAnswers(context),
    ...listAnswers(context),
    ...startAnswers(context),
    ...journalAnswers(context, open),
    ...feedAnswers(context, open),
    ...outputAnswers(context, open),
    ...lineAnswers(context),
    ...treeAnswers(context),
    ...groupAnswers(context),
    ...machineAnswers(context),
    ...planAnswers(context),
  }
}

/** The number of open streams is limited: each costs memory while it lasts. */
function streams({ display }: ApiContext): OpenStream {
  let open = 0
  return source => {
    if (open >= mostStreams) {
      return problem(503, { reason: 'not-allowed', message: tooManyStreams(mostStreams) })
    }
    open += 1
    const ended = () => {
      open -= 1
    }
    return eventStream(source, { display, ended })
  }
}
