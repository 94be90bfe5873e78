/**
 * The filter of system calls of a sandbox, as the bytes that bubblewrap hands to the kernel (classic BPF). A namespace
 * of the network holds IP, but not every address family: vsock reaches the host of a virtual machine from any of them.
 * So a socket is of a family that namespaces and permissions hold, or there is none. Keyrings of the kernel belong to
 * the user in no namespace: a run would read the keys of other programs. Everything else is permitted: this closes ways
 * past the sandbox, it is no list of what a program may do.
 */

/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. */
const families = [1, 2, 10, 16]

/**
 * The numbers of system calls in one ABI, and its AUDIT_ARCH. `socketcall`: takes its arguments from memory, where a
 * filter cannot see the family; `foreign`: the bit of numbers that belong to another ABI. `keys`: the first of three in
 * a row: add_key, request_key, keyctl.
 */
type Abi = {
  arch: number
  socket: number
  socketpair: number
  ptrace: number
  keys: number
  socketcall?: number
  foreign?: number
}

/** The ABIs that a kernel for this processor (as Node names it) may run: its own, and the one for 32 bits. */
const abis: Record<string, readonly Abi[]> = {
  x64: [
    { arch: 0xc000003e, socket: 41, socketpair: 53, ptrace: 101, keys: 248, foreign: 0x40000000 },
    { arch: 0x40000003, socket: 359, socketpair: 360, ptrace: 26, keys: 286, socketcall: 102 },
  ],
  arm64: [
    { arch: 0xc00000b7, socket: 198, socketpair: 199, ptrace: 117, keys: 217 },
    { arch: 0x40000028, socket: 281, socketpair: 288, ptrace: 26, keys: 309, socketcall: 102 },
  ],
}

/** The same number everywhere. Its operations open sockets that no filter sees. */
const ioUringSetup = 425

/** Offsets in struct seccomp_data; of an argument the low half, which is all that the kernel reads of these. */
const at = { number: 0, arch: 4, argument: [16, 24] } as const

const permit = 0x7fff0000
const refuse = (errno: number) => 0x00050000 | errno
const [notPermitted, noSuchCall, noSuchFamily] = [refuse(1), refuse(38), refuse(97)]

/** Process 1 of a sandbox is bubblewrap, and ends everything with it: nobody debugs it. */
const firstProcess = 1

/** `to`: the label to jump to if the condition holds; otherwise the next line is executed. */
type Line =
  | { load: number }
  | { when: 'is' | 'has'; value: number; to: string }
  | { return: number }
  | { label: string }

const codes = { load: 0x20, is: 0x15, has: 0x45, return: 0x06 } as const

/** Null if nothing is known of this processor. */
export function systemCallFilter(processor: string): Buffer | null {
  const known = abis[processor]
  return known ? assembled(program(known)) : null
}

function program(known: readonly Abi[]): Line[] {
  return [
    { load: at.arch },
    ...known.map(({ arch }) => ({ when: 'is', value: arch, to: `abi ${arch}` }) as const),
    { return: noSuchCall },
    ...known.flatMap(inAbi),
    { label: 'socket' },
    { load: at.argument[0] },
    ...families.map(value => ({ when: 'is', value, to: 'permit' }) as const),
    { return: noSuchFamily },
    { label: 'ptrace' },
    { load: at.argument[1] },
    { when: 'is', value: firstProcess, to: 'not permitted' },
    { label: 'permit' },
    { return: permit },
    { label: 'not permitted' },
    { return: notPermitted },
    { label: 'no such call' },
    { return: noSuchCall },
  ]
}

function inAbi({ arch, socket, socketpair, ptrace, keys, socketcall, foreign }: Abi): Line[] {
  return [
    { label: `abi ${arch}` },
    { load: at.number },
    ...(foreign ? [{ when: 'has', value: foreign, to: 'no such call' } as const] : []),
    { when: 'is', value: socket, to: 'socket' },
    { when: 'is', value: socketpair, to: 'socket' },
    { when: 'is', value: ptrace, to: 'ptrace' },
    // Programs that are newer than the call have the two above.
    ...(socketcall ? [{ when: 'is', value: socketcall, to: 'no such call' } as const] : []),
    ...[keys, keys + 1, keys + 2].map(value => ({ when: 'is', value, to: 'no such call' }) as const),
    { when: 'is', value: ioUringSetup, to: 'no such call' },
    { return: permit },
  ]
}

/** Each line that is no label is a struct sock_filter: code, two distances forward, a value. */
function assembled(lines: readonly Line[]): Buffer {
  const places = new Map<string, number>()
  const instructions = lines.flatMap((line, index) => {
    if (!('label' in line)) return [line]
    places.set(line.label, index - places.size)
    return []
  })
  return Buffer.concat(
    instructions.map((line, index) => {
      if ('load' in line) return instruction(codes.load, line.load)
      if ('return' in line) return instruction(codes.return, line.return)
      return instruction(codes[line.when], line.value, (places.get(line.to) ?? 0) - index - 1)
    }),
  )
}

/** In the byte order of the processor, which is little endian for all of them. */
function instruction(code: number, value: number, ifTrue = 0): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt32LE(value, 4)
  return bytes
}
