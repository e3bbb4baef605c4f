import type { ByteRange } from './ports.ts'

/**
 * The part that a Range header asks for. Undefined for the whole: without a header, for one that is malformed, and for several
 * parts (RFC 9110, 14.2). `unsatisfiable` if the content has none of it.
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
