/** How often loopd restarts a crashed background loop before it gives up. core/queue decides when. */

export const mostRestarts = 3
