import type { ByteRange } from './ports.ts'

/**
 * The range that a Range header requests. Undefined for the whole content: without a header, for a malformed one, and
 * for multiple ranges, which a server may ignore (RFC 9110, section 14.2). `unsatisfiable` if the range is outside the
 * content.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const part =
    first === ''
      ? { first: Math.max(0, size - Number(last)), last: size - 1 }
      : { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
  return part.first > part.last ? 'unsatisfiable' : part
}
