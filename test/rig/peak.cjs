/**
 * Records the peak memory of every Node process it is loaded into (by NODE_OPTIONS): at its exit each process adds
 * a line to the file $PEAK, with the peak of its resident set in MB and its command. VmHWM and not maxRSS: the
 * latter includes the memory of the process that spawned this one.
 */
const { appendFileSync, readFileSync } = require('node:fs')

process.on('exit', () => {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))
  appendFileSync(process.env.PEAK, `${Math.ceil(kilobytes / 1024)} ${process.argv[2]}\n`)
})
