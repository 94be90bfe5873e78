/**
 * A clock that a test can set while programs run: loaded into every Node of them by NODE_OPTIONS, it adds to the
 * time what the file $CLOCK says. As when a real clock is set, timers and what the kernel counts do not change.
 */
const { readFileSync } = require('node:fs')

const RealDate = Date

function offset() {
  try {
    return Number(readFileSync(process.env.CLOCK, 'utf8'))
  } catch {
    return 0
  }
}

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + offset())
    else super(...args)
  }

  static now() {
    return RealDate.now() + offset()
  }
}
