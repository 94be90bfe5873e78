/** The filter of system calls, executed here as the kernel does, for processors that the test does not run on too. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemCallFilter } from '../../../src/platform/linux/sandbox.ts'

type Call = { arch: number; number: number; args?: number[] }

/** The answer of the filter: 'permit', or the number of an error. */
function answer(filter: Buffer, { arch, number, args = [] }: Call): string {
  const data = new Map([
    [0, number],
    [4, arch],
    ...args.map((value, index): [number, number] => [16 + 8 * index, value]),
  ])
  let loaded = 0
  for (let at = 0; at * 8 < filter.length; at += 1) {
    const [code, yes, no, value] = [
      filter.readUInt16LE(at * 8),
      filter[at * 8 + 2] ?? 0,
      filter[at * 8 + 3] ?? 0,
      filter.readUInt32LE(at * 8 + 4),
    ]
    if (code === 0x20) loaded = data.get(value) ?? 0
    else if (code === 0x15) at += loaded === value ? yes : no
    else if (code === 0x45) at += (loaded & value) !== 0 ? yes : no
    else if (code === 0x06) return value === 0x7fff0000 ? 'permit' : `error ${value - 0x50000}`
    else assert.fail(`code ${code}`)
  }
  return assert.fail('the filter has no end')
}

/** From the tables of the kernel (syscall_64.tbl, syscall_32.tbl, asm-generic/unistd.h, arm's syscall.tbl). */
const systems = [
  {
    name: 'x86_64',
    processor: 'x64',
    arch: 0xc000003e,
    socket: 41,
    pair: 53,
    ptrace: 101,
    connect: 42,
    keys: 248,
  },
  {
    name: 'i386',
    processor: 'x64',
    arch: 0x40000003,
    socket: 359,
    pair: 360,
    ptrace: 26,
    connect: 362,
    keys: 286,
  },
  {
    name: 'aarch64',
    processor: 'arm64',
    arch: 0xc00000b7,
    socket: 198,
    pair: 199,
    ptrace: 117,
    connect: 203,
    keys: 217,
  },
  {
    name: 'arm',
    processor: 'arm64',
    arch: 0x40000028,
    socket: 281,
    pair: 288,
    ptrace: 26,
    connect: 283,
    keys: 309,
  },
]

for (const { name, processor, arch, socket, pair, ptrace, connect, keys } of systems) {
  test(`on ${name} only four families have sockets, process 1 is not traced, and keyrings are out of reach`, () => {
    const filter = systemCallFilter(processor) ?? assert.fail('no filter')
    for (const number of [socket, pair]) {
      const permitted = Array.from({ length: 256 }, (_, family) => family).filter(
        family => answer(filter, { arch, number, args: [family] }) === 'permit',
      )
      assert.deepEqual(permitted, [1, 2, 10, 16])
      assert.equal(answer(filter, { arch, number, args: [40] }), 'error 97')
    }
    assert.equal(answer(filter, { arch, number: ptrace, args: [16, 1] }), 'error 1')
    assert.equal(answer(filter, { arch, number: ptrace, args: [16, 2] }), 'permit')
    assert.equal(answer(filter, { arch, number: ptrace, args: [0, 0] }), 'permit')
    assert.equal(answer(filter, { arch, number: 425 }), 'error 38')
    for (const number of [keys, keys + 1, keys + 2])
      assert.equal(answer(filter, { arch, number }), 'error 38')
    assert.equal(answer(filter, { arch, number: connect, args: [40] }), 'permit')
  })
}

test('numbers of another ABI are no way around: x32, socketcall, a foreign architecture', () => {
  const filter = systemCallFilter('x64') ?? assert.fail('no filter')
  assert.equal(answer(filter, { arch: 0xc000003e, number: 0x40000029, args: [2] }), 'error 38')
  assert.equal(answer(filter, { arch: 0x40000003, number: 102, args: [1] }), 'error 38')
  assert.equal(answer(filter, { arch: 0xc00000b7, number: 198, args: [2] }), 'error 38')
  assert.equal(systemCallFilter('riscv64'), null)
})
