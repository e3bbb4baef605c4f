import { timingSafeEqual } from 'node:crypto'

/** Whether the text is one of the expected ones, compared in constant time. */
export function isOneOf(expected: readonly string[], text: string): boolean {
  const given = Buffer.from(text)
  return expected
    .map((one) => Buffer.from(one))
    .map((one) => one.length === given.length && timingSafeEqual(one, given))
    .includes(true)
}
