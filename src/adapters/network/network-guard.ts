/**
 * A program around the sandbox of one run: starts it, gets from its inside the sockets at which the command asks for
 * the network, and answers them. It ends with the sandbox, with the same code; without it the sandbox ends too.
 *
 *   network-guard REFUSALS HOSTS COMMAND [ARG...]
 *     REFUSALS  the file for what it refused
 *     HOSTS     with commas between them
 *     COMMAND   has file 3 as a channel to this program, for network-door
 */
import { spawn } from 'node:child_process'
import { connect, Server } from 'node:net'
import { constants } from 'node:os'
import { ownPorts } from '../../model/loop/network.ts'
import { refusedHostWords } from '../../views/words/sandbox.ts'
import { guardServer, join, released } from './guard.ts'
import { refusalsIn } from './way-out.ts'

const [file = '', hosts = '', program = '', ...args] = process.argv.slice(2)
const list = hosts.split(',').filter(host => host !== '')
const refusals = refusalsIn(file)
const server = guardServer({
  list,
  env: process.env,
  refuse(host, why) {
    const words = refusedHostWords(host, why)
    if (refusals.add(host)) process.stderr.write(`loop: ${words}\n`)
    return `${words}\n`
  },
})

// Sent to the whole group of the run: they are for the command.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
// One connection that goes wrong in an unforeseen way must not end the agent.
process.on('uncaughtException', error => void process.stderr.write(`loop: ${error.stack}\n`))

const inside = spawn(program, args, {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: released(process.env),
})
const doors = ownPorts(list)
let awaited = doors.length + 1

// Only network-door speaks here, before the command runs: the channel is closed once it has sent everything.
inside.on('message', (index, door) => {
  if (!(door instanceof Server) || typeof index !== 'number') return
  const target = doors[index]
  door.on('connection', socket => {
    socket.on('error', () => socket.destroy())
    if (!target) return void server.emit('connection', socket)
    const to = connect(target)
    to.once('error', () => socket.destroy())
    to.once('connect', () => join(socket, to))
  })
  awaited -= 1
  inside.send('open', () => awaited === 0 && inside.disconnect())
})
inside.once('error', error => {
  process.stderr.write(`loop: ${error.message}\n`)
  process.exit(127)
})
inside.once('exit', (code, signal) => {
  refusals.save()
  process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1))
})
