import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'
const sequenceSpan = 36 ** 4

const pool = Buffer.alloc(4096)
let unread = pool.length
let lastMs = -1
let sequence = 0

/** JSON Schema pattern of an id; nothing else ever names a record. */
export const idPattern = '^c[a-z0-9]{24}$'

const shape = new RegExp(idPattern)

/** Whether a string can be an id at all. What is not one is answered 404 without asking the database. */
export const isId = (text: string) => shape.test(text)

/**
 * A new id: `c`, 8 base-36 digits of milliseconds, 4 of a sequence, 12 of randomness.
 * Ids sort by time, and those that one process makes within a millisecond by the order of their making.
 */
export function newId(at: Date): string {
  const ms = at.getTime()
  sequence = ms === lastMs ? (sequence + 1) % sequenceSpan : randomBelow36() * 36
  lastMs = ms
  let id = 'c' + base36(ms, 8) + base36(sequence, 4)
  for (let i = 0; i < 12; i++) id += alphabet[randomBelow36()]
  return id
}

const lastMoment = 36 ** 8 - 1

/** Below every id made at this moment or later, above every earlier one. `ms` since the epoch, at most the year 2059. */
export const firstIdAt = (ms: number): string => `c${base36(Math.min(Math.max(0, ms), lastMoment), 8)}`

const base36 = (value: number, digits: number) => value.toString(36).padStart(digits, '0').slice(-digits)

/** Uniform: bytes of 252 and more would favour the first digits and are passed over. */
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
