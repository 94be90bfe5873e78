/** The program `loopd`. The daemon comes with a later version; until then it says so and changes nothing. */
import { version } from '../model/version.ts'

const [asked = ''] = process.argv.slice(2)
if (asked === '--version' || asked === '-V') console.log(version)
else if (asked === '' || asked === '--help' || asked === '-h') {
  console.log('loopd runs loops in the background. It is not available in this version of loop yet.\n')
  console.log('Run a loop in the foreground with: loop start "…" -p "…"')
} else {
  console.error(`loopd: loopd ${asked} is not available in this version of loop yet; nothing was done.`)
  process.exitCode = 4
}
