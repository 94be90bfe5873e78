/** The feed of a tab. */
import { mostFollowed, positionsFrom, resumedAt } from '../../../engine/feed/positions.ts'
import { fail } from '../../../model/failure.ts'
import { version } from '../../../model/version.ts'
import { tabFrames } from '../feed/tab.ts'
import type { ApiContext, OpenStream, Some } from './context.ts'

export function feedAnswers(context: ApiContext, open: OpenStream): Some<'feed'> {
  const { display, failing } = context
  return {
    feed: ({ query }, { lastEventId }) => {
      const asked = positionsFrom(query)
      if (!asked) {
        const form = 'journals=a1b2c3:40&outputs=a1b2c3/2/out:1200&words=a1b2c3/2:0'
        return fail('invalid-arguments', { kind: 'bad-feed', form, most: mostFollowed })
      }
      const { pid, startedAt } = context.status()
      const positions = resumedAt(asked, lastEventId)
      const tab = { positions, display, failing, hello: { version, pid, startedAt } }
      return open(tabFrames(context.world, tab))
    },
  }
}
