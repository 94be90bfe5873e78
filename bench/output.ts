/** One gigabyte of agent output: the memory loop needs, and how much slower the agent gets than without loop. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loopProgram, makePlace, median, ms, type Place, printTable, runOrThrow } from './measure.ts'

const gigabyte = 1_000_000_000
const flood = `head -c ${gigabyte} /dev/zero | tr '\\0' 'x' | fold -w 200`
const rounds = 3

export async function output(): Promise<void> {
  const alone: number[] = []
  const under: number[] = []
  let memory = 0
  for (let round = 0; round < rounds; round += 1) {
    const place = makePlace()
    alone.push(timeAlone(place))
    const measured = await timeUnderLoop(place)
    under.push(measured.time)
    memory = Math.max(memory, measured.memoryMb)
    place.dispose()
  }
  printTable([
    { what: 'agent alone, output to a file', time: ms(median(alone)), ratio: '1.00' },
    { what: 'agent under loop', time: ms(median(under)), ratio: (median(under) / median(alone)).toFixed(2) },
    { what: 'peak memory of loop (bar: 150 MB)', time: `${memory.toFixed(0)} MB`, ratio: '' },
  ])
}

function timeAlone({ tree, env }: Place): number {
  const began = performance.now()
  runOrThrow(['/bin/sh', '-c', `${flood} > ../flood; rm ../flood`], { cwd: tree, env })
  return performance.now() - began
}

/** The agent's own time, as the journal has it, and the peak of the resident memory of loop's process. */
async function timeUnderLoop({ tree, env }: Place): Promise<{ time: number; memoryMb: number }> {
  const args = ['start', 'x', '-p', 'false', '--no-baseline', '-n', '1', '--agent', 'custom', '--plain']
  const child = spawn(loopProgram, [...args, '--agent-cmd', flood], {
    cwd: tree,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    said = (said + text).slice(-5_000)
  })
  let memoryMb = 0
  const timer = setInterval(() => {
    memoryMb = Math.max(memoryMb, peakMb(child.pid ?? 0))
  }, 20)
  await new Promise(resolve => child.once('close', resolve))
  clearInterval(timer)
  const seconds = /agent ended after (?:(\d+)m )?([\d.]+)s/.exec(said)
  if (!seconds) throw new Error(`the agent did not end well: ${said}`)
  return { time: (Number(seconds[1] ?? 0) * 60 + Number(seconds[2])) * 1_000, memoryMb }
}

function peakMb(pid: number): number {
  try {
    const status = readFileSync(join('/proc', String(pid), 'status'), 'utf8')
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_000
  } catch {
    return 0 // the process has ended
  }
}
