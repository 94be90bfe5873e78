/** How often loopd starts a crashed loop of the background again (core/queue says when): the last time is its end. */

export const mostRestarts = 3
