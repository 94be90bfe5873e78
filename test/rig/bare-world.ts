/** A world in which only the store is real; the test supplies the machines. */
import { agents } from '../../src/adapters/agents/agent.ts'
import { noCheckpoints } from '../../src/checkpoints/backend-choice.ts'
import { feedOf } from '../../src/engine/feed.ts'
import type { Machines } from '../../src/engine/machine.ts'
import type { World } from '../../src/engine/world.ts'
import type { Host, Store } from '../../src/store/contract.ts'

export function worldIn(store: Store, { host, machines }: { host: Host; machines: Machines }): World {
  return {
    store,
    host,
    here: { boot: 'boot', ns: 'ns' },
    env: {},
    now: Date.now,
    feed: feedOf(store),
    agents,
    checkpoints: () => noCheckpoints,
    copies: () => {
      throw new Error('No test of a bare world makes copies')
    },
    machines,
    fault: () => {},
  }
}
