/**
 * The headers of a tar archive: USTAR, with a PAX record where a file is too large for it. Written here because
 * the program tar cannot take content from a stream, and everything in an export is redacted on its way.
 */

const block = 512
/** The largest size in eleven octal digits. */
const mostUstarBytes = 8 ** 11 - 1

type TarEntry = { path: string; bytes: number; mtimeS: number }

/** The bytes before the content of a file. */
export function header(entry: TarEntry): Buffer {
  if (entry.bytes <= mostUstarBytes) return ustar(entry, '0')
  const record = pax('size', String(entry.bytes))
  const about = ustar({ path: 'PaxHeader', bytes: record.length, mtimeS: entry.mtimeS }, 'x')
  return Buffer.concat([about, record, padding(record.length), ustar({ ...entry, bytes: 0 }, '0')])
}

/** The bytes that fill the last block of a content. */
export function padding(bytes: number): Buffer {
  return Buffer.alloc((block - (bytes % block)) % block)
}

/** An archive ends with two empty blocks. */
export const ending = Buffer.alloc(2 * block)

function ustar({ path, bytes, mtimeS }: TarEntry, type: string): Buffer {
  if (!/^[\x21-\x7E]{1,100}$/.test(path)) throw new Error(`Internal error: ${path} as a name in an archive`)
  const text = Buffer.alloc(block)
  const put = (at: number, value: string) => text.write(value, at, 'latin1')
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  put(0, path)
  put(100, octal(0o600, 7))
  put(108, octal(0, 7))
  put(116, octal(0, 7))
  put(124, octal(bytes, 11))
  put(136, octal(mtimeS, 11))
  put(148, ' '.repeat(8)) // the checksum counts itself as spaces
  put(156, type)
  put(257, 'ustar\u000000')
  const sum = text.reduce((total, byte) => total + byte, 0)
  put(148, `${octal(sum, 6)}\u0000 `)
  return text
}

/** `<length> <key>=<value>\n`, where the length counts its own digits. */
function pax(key: string, value: string): Buffer {
  const rest = ` ${key}=${value}\n`
  let length = rest.length
  while (length !== rest.length + String(length).length) length = rest.length + String(length).length
  return Buffer.from(`${length}${rest}`)
}
