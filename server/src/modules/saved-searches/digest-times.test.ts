import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { isDaytime, nextDigestAt } from './digest-times.ts'

/**
 * A US zone, one with a half-hour DST shift, one at UTC+12:45, one in the south that changes clocks at midnight, and
 * London.
 */
const zones = [
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'America/Santiago',
  'Europe/London',
]

const local = (at: Date, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone)
const hourMs = 3_600_000
const start = Date.UTC(2026, 0, 1)

const moments = fc.integer({ min: start, max: Date.UTC(2027, 0, 1) }).map((ms) => new Date(ms))
const searches = moments.map((at) => ({ id: newId(at), created_at: at.toISOString() }))

test('a digest is due at the same minute of each local day, across clock changes', () => {
  fc.assert(
    fc.property(searches, moments, fc.constantFrom(...zones), (search, after, timezone) => {
      const daily = { ...search, frequency: 'daily' as const }
      let last = nextDigestAt(daily, timezone, after)
      expect(last > after).toBe(true)
      expect(last.getTime() - after.getTime()).toBeLessThanOrEqual(25 * hourMs)
      const minute = local(last, timezone).toPlainTime()
      expect([minute.hour, minute.minute < 30]).toEqual([8, true])
      for (let days = 0; days < 5; days++) {
        const next = nextDigestAt(daily, timezone, last)
        const day = local(last, timezone).toPlainDate()
        expect(local(next, timezone).toPlainDateTime().toString()).toBe(
          day.add({ days: 1 }).toPlainDateTime(minute).toString(),
        )
        expect(isDaytime(timezone, next)).toBe(true)
        last = next
      }
    }),
  )
})

test('digests are 24 hours apart except when the clocks change', () => {
  for (const timezone of zones) {
    const search = {
      id: newId(new Date(start)),
      frequency: 'daily' as const,
      created_at: new Date(start).toISOString(),
    }
    const lengths = new Set<number>()
    for (let at = nextDigestAt(search, timezone, new Date(start)), days = 0; days < 365; days++) {
      const next = nextDigestAt(search, timezone, at)
      lengths.add((next.getTime() - at.getTime()) / hourMs)
      at = next
    }
    const change = timezone === 'Australia/Lord_Howe' ? 0.5 : 1
    expect([...lengths].toSorted((one, other) => one - other)).toEqual([24 - change, 24, 24 + change])
  }
})

test('a weekly digest is due on the weekday on which the search was created', () => {
  fc.assert(
    fc.property(searches, moments, fc.constantFrom(...zones), (search, after, timezone) => {
      const next = nextDigestAt({ ...search, frequency: 'weekly' }, timezone, after)
      expect(local(next, timezone).dayOfWeek).toBe(local(new Date(search.created_at), timezone).dayOfWeek)
      expect(local(next, timezone).hour).toBe(8)
      expect(next > after).toBe(true)
      expect(next.getTime() - after.getTime()).toBeLessThanOrEqual((7 * 24 + 1) * hourMs)
    }),
  )
})

test('digests are spread over 30 minutes', () => {
  const after = new Date(start)
  const counts = Array.from({ length: 6 }, () => 0)
  for (let n = 0; n < 6000; n++) {
    const search = { id: newId(after), frequency: 'daily' as const, created_at: after.toISOString() }
    const part = Math.floor(local(nextDigestAt(search, 'UTC', after), 'UTC').minute / 5)
    counts[part] = (counts[part] ?? 0) + 1
  }
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(300)
})

test.for([
  { hour: 7, goes: false },
  { hour: 8, goes: true },
  { hour: 19, goes: true },
  { hour: 20, goes: false },
])('a late digest at $hour:59 goes out: $goes', ({ hour, goes }) => {
  const day = { timeZone: 'Asia/Tokyo', year: 2026, month: 3, day: 2 }
  const at = Temporal.ZonedDateTime.from({ ...day, hour, minute: 59 })
  expect(isDaytime('Asia/Tokyo', new Date(at.epochMilliseconds))).toBe(goes)
})
