import { randomFillSync, randomInt } from 'node:crypto'

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'
const sequenceSpan = 36 ** 5

const pool = Buffer.alloc(4096)
let unread = pool.length

/** JSON Schema pattern of an id. */
export const idPattern = '^c[a-z0-9]{24}$'

const shape = new RegExp(idPattern)

/** Whether a string has the form of an id. Anything else is a 404 without a query. */
export const isId = (text: string) => shape.test(text)

/** Starts at a random number, so that an id does not reveal how many a process has made. */
let sequence = randomInt(sequenceSpan)

/**
 * Returns a new id: `c`, 8 base-36 digits of milliseconds, 5 of a sequence, and 11 random ones. Ids sort by time. Ids
 * that one process creates within a millisecond sort in order of creation, except when the sequence wraps around,
 * which happens once in 60 million ids.
 */
export function newId(at: Date): string {
  sequence = (sequence + 1) % sequenceSpan
  let id = 'c' + base36(at.getTime(), 8) + base36(sequence, 5)
  for (let i = 0; i < 11; i++) id += alphabet[randomBelow36()]
  return id
}

const lastMoment = 36 ** 8 - 1

/**
 * A string that sorts after all ids created before `ms` and before all others. `ms`: epoch milliseconds, up to the
 * year 2059.
 */
export const firstIdAt = (ms: number): string => `c${base36(Math.min(Math.max(0, ms), lastMoment), 8)}`

/** When an id was made, in epoch milliseconds. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(1, 9), 36)

const base36 = (value: number, digits: number) => value.toString(36).padStart(digits, '0').slice(-digits)

/** Returns a uniform random digit. Skips bytes of 252 and more, which would favor the first digits. */
function randomBelow36(): number {
  for (;;) {
    if (unread === pool.length) {
      randomFillSync(pool)
      unread = 0
    }
    const byte = pool.readUInt8(unread++)
    if (byte < 252) return byte % 36
  }
}
