import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWithin, localTime } from '#kernel/conditions/hours.ts'
import { type Interval, freeTime } from './free-time.ts'

const utc = (text: string) => Date.parse(`${text}Z`)
const shown = (intervals: readonly Interval[]) =>
  intervals.map(({ start, end }) => [start, end].map((ms) => new Date(ms).toISOString().slice(0, 16)))

test('an appointment splits a shift into two free intervals', () => {
  const range = { start: utc('2026-03-02T00:00'), end: utc('2026-03-04T00:00') }
  const shifts = [{ days: ['mon' as const], from: '09:00', to: '17:00' }]
  const taken = [{ start: utc('2026-03-02T16:00'), end: utc('2026-03-02T17:00') }]
  expect(shown(freeTime({ shifts, timezone: 'America/Chicago' }, taken, range))).toEqual([
    ['2026-03-02T15:00', '2026-03-02T16:00'],
    ['2026-03-02T17:00', '2026-03-02T23:00'],
  ])
  expect(freeTime({ shifts: [], timezone: 'UTC' }, [], range)).toEqual([range])
})

test.each([
  ['loses an hour', '2026-03-08', [['2026-03-08T07:00', '2026-03-08T10:00']]],
  [
    'gains the hours that the clocks show twice',
    '2026-11-01',
    [
      ['2026-11-01T06:00', '2026-11-01T06:30'],
      ['2026-11-01T07:00', '2026-11-01T07:30'],
    ],
  ],
])('on a day when the clocks change, a shift %s', (_, day, expected) => {
  const range = { start: utc(`${day}T00:00`), end: utc(`${day}T23:00`) }
  const to = day === '2026-03-08' ? '05:00' : '01:30'
  const shifts = [{ days: ['sun' as const], from: '01:00', to }]
  expect(shown(freeTime({ shifts, timezone: 'America/Chicago' }, [], range))).toEqual(expected)
})

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
const changes = zones.flatMap((timezone) => {
  const march = Temporal.Instant.from('2026-01-15T00:00Z').toZonedDateTimeISO(timezone)
  const first = march.getTimeZoneTransition('next')
  const second = first?.getTimeZoneTransition('next')
  return [first, second].map((at) => ({ timezone, at: at?.epochMilliseconds ?? 0 }))
})

const minuteMs = 60_000
const clock = fc
  .integer({ min: 0, max: 24 * 12 - 1 })
  .map((n) => `${String(Math.floor(n / 12)).padStart(2, '0')}:${String((n % 12) * 5).padStart(2, '0')}`)
const days = fc.uniqueArray(fc.constantFrom('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'), {
  minLength: 1,
})
const shift = fc.record({ days, from: clock, to: clock })

test('a time is free if it is within a shift and not in an appointment, across clock changes', () => {
  expect(changes.every(({ at }) => at > 0)).toBe(true)
  const interval = fc.tuple(fc.nat(4000), fc.integer({ min: 1, max: 600 }))
  const scene = fc.record({
    change: fc.constantFrom(...changes),
    shifts: fc.array(shift, { minLength: 1, maxLength: 3 }),
    taken: fc.array(interval, { maxLength: 4 }),
    at: fc.array(fc.nat(4000), { minLength: 20, maxLength: 20 }),
  })
  fc.assert(
    fc.property(scene, ({ change: { timezone, at: changed }, shifts, taken, at }) => {
      const start = changed - 2000 * minuteMs
      const range = { start, end: start + 4000 * minuteMs }
      const busy = taken.map(([from, length]) => ({
        start: start + from * minuteMs,
        end: start + (from + length) * minuteMs,
      }))
      const free = freeTime({ shifts, timezone }, busy, range)
      const isIn = (ms: number, intervals: readonly Interval[]) =>
        intervals.some((one) => one.start <= ms && ms < one.end)
      for (const ms of [...at, 1999, 2000, 2001].map((minutes) => start + minutes * minuteMs)) {
        const local = localTime(new Date(ms), timezone)
        const isFree = ms < range.end && shifts.some((one) => isWithin(one, local)) && !isIn(ms, busy)
        expect([ms, isIn(ms, free)]).toEqual([ms, isFree])
      }
      for (const [i, one] of free.entries()) {
        expect(one.start).toBeLessThan(one.end)
        if (i > 0) expect(free[i - 1]?.end).toBeLessThan(one.start)
      }
    }),
    { numRuns: 300 },
  )
})
