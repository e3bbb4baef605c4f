import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Hours,
  type Weekday,
  isTimeBetween,
  isWithin,
  localTime,
  momentAt,
  nextOpening,
  weekdays,
} from './hours.ts'

const chicago = 'America/Chicago'
const phoenix = 'America/Phoenix'

const within = (hours: Hours, at: string, timezone: string) =>
  isWithin(hours, localTime(new Date(at), timezone))

const span = (days: Weekday[], from: string, to: string): Hours => ({ days, from, to })
const office = span(['mon', 'tue', 'wed', 'thu', 'fri'], '09:00', '17:00')
const night = span(['fri'], '22:00', '06:00')
const allDay = span(['mon'], '00:00', '00:00')
const fromNine = span(['mon'], '09:00', '09:00')

describe('within hours:', () => {
  test.for([
    ['the minute they begin', office, '2026-03-02T15:00:00Z', chicago, true],
    ['the second before', office, '2026-03-02T14:59:59.999Z', chicago, false],
    ['the last minute', office, '2026-03-02T22:59:59.999Z', chicago, true],
    ['the minute they end', office, '2026-03-02T23:00:00Z', chicago, false],
    ['a Sunday', office, '2026-03-01T16:00:00Z', chicago, false],
    ['Sunday in Phoenix while it is Monday in Greenwich', office, '2026-03-02T05:00:00Z', phoenix, false],
    ['in summer an hour earlier by Greenwich', office, '2026-07-06T14:00:00Z', chicago, true],
    ['in summer not yet', office, '2026-07-06T13:59:00Z', chicago, false],
    ['Phoenix has no summer time', office, '2026-07-06T15:59:00Z', phoenix, false],
    ['Phoenix at nine', office, '2026-07-06T16:00:00Z', phoenix, true],
    ['the evening on which a night begins', night, '2026-03-07T04:00:00Z', chicago, true],
    ['the morning after it', night, '2026-03-07T11:59:00Z', chicago, true],
    ['the morning on which it ends', night, '2026-03-07T12:00:00Z', chicago, false],
    ['the morning before it', night, '2026-03-06T10:00:00Z', chicago, false],
    ['the evening after it', night, '2026-03-08T04:00:00Z', chicago, false],
    ['a day of equal times, its first minute', allDay, '2026-03-02T06:00:00Z', chicago, true],
    ['its last', allDay, '2026-03-03T05:59:00Z', chicago, true],
    ['the next day', allDay, '2026-03-03T06:00:00Z', chicago, false],
    ['equal times in the morning, before', fromNine, '2026-03-02T14:59:00Z', chicago, false],
    ['… until the next morning', fromNine, '2026-03-03T14:59:00Z', chicago, true],
    ['… and no longer', fromNine, '2026-03-03T15:00:00Z', chicago, false],
  ] as const)('%s', ([, hours, at, timezone, expected]) => {
    expect(within(hours, at, timezone)).toBe(expected)
  })

  test('hours that start in a skipped hour begin at the clock change', () => {
    const early = span(['sun'], '02:30', '04:00')
    expect(within(early, '2026-03-08T07:59:00Z', chicago)).toBe(false)
    expect(within(early, '2026-03-08T08:00:00Z', chicago)).toBe(true)
  })

  test('hours within a repeated hour open twice', () => {
    const early = span(['sun'], '01:00', '01:30')
    const open = [0, 29, 30, 59, 60, 89, 90].map((minutes) =>
      within(early, new Date(Date.UTC(2026, 10, 1, 6, minutes)).toISOString(), chicago),
    )
    expect(open).toEqual([true, true, false, false, true, true, false])
  })
})

describe('the next opening', () => {
  const next = (hours: Hours, at: string, timezone = chicago) =>
    nextOpening({ ...hours, timezone }, new Date(at)).toISOString()

  test.for([
    ['the same morning', office, '2026-03-02T11:00:00Z', '2026-03-02T15:00:00.000Z'],
    ['after the weekend', office, '2026-03-06T23:00:00Z', '2026-03-09T14:00:00.000Z'],
    ['now, where it is open', office, '2026-03-02T16:00:12.345Z', '2026-03-02T16:00:12.345Z'],
    ['in a week, just after the only hours', night, '2026-03-07T12:00:00Z', '2026-03-14T03:00:00.000Z'],
    ['over the end of summer time', office, '2026-10-30T22:00:00Z', '2026-11-02T15:00:00.000Z'],
    [
      'when the clocks are put forward',
      span(['sun'], '02:30', '04:00'),
      '2026-03-08T07:00:00Z',
      '2026-03-08T08:00:00.000Z',
    ],
    [
      'a week on, where they leave out all of it',
      span(['sun'], '02:15', '02:45'),
      '2026-03-08T07:00:00Z',
      '2026-03-15T07:15:00.000Z',
    ],
    [
      'a second time, where they are put back',
      span(['sun'], '01:00', '01:30'),
      '2026-11-01T06:40:00Z',
      '2026-11-01T07:00:00.000Z',
    ],
    [
      'in the middle of the hours, where they are put back into them',
      span(['sun'], '00:30', '01:30'),
      '2026-11-01T06:40:00Z',
      '2026-11-01T07:00:00.000Z',
    ],
  ] as const)('%s', ([, hours, at, expected]) => {
    expect(next(hours, at)).toBe(expected)
  })

  test('is the first time within the hours', () => {
    const time = fc
      .tuple(fc.nat({ max: 23 }), fc.constantFrom(0, 15, 30))
      .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)
    const hours = fc.record({ days: fc.subarray([...weekdays], { minLength: 1 }), from: time, to: time })
    const aroundTheChanges = fc
      .tuple(fc.constantFrom(Date.UTC(2026, 2, 6), Date.UTC(2026, 9, 30)), fc.nat({ max: 4 * 24 * 60 }))
      .map(([day, minutes]) => new Date(day + minutes * 60_000))
    fc.assert(
      fc.property(hours, aroundTheChanges, fc.constantFrom(chicago, phoenix), (open, at, timezone) => {
        const opening = nextOpening({ ...open, timezone }, at).getTime()
        const isOpen = (ms: number) => isWithin(open, localTime(new Date(ms), timezone))
        expect(isOpen(opening)).toBe(true)
        for (let ms = at.getTime(); ms < opening; ms += 15 * 60_000) {
          const until = Math.min(ms + 15 * 60_000, opening) - 1
          if (isOpen(ms) || isOpen(until)) expect.fail(`${new Date(ms).toISOString()} is open already`)
        }
      }),
      { numRuns: 150 },
    )
  })
})

test('a moment has the local time of each zone and the start of 23-hour and 25-hour days', () => {
  const spring = momentAt(new Date('2026-03-08T20:00:00Z'), chicago)
  expect(spring.local(chicago)).toEqual({ day: 'sun', yesterday: 'sat', time: '15:00' })
  expect(spring.local(phoenix)).toEqual({ day: 'sun', yesterday: 'sat', time: '13:00' })
  expect(spring.local(chicago)).toBe(spring.local(chicago))
  expect(new Date(spring.midnight()).toISOString()).toBe('2026-03-08T06:00:00.000Z')
  const autumn = momentAt(new Date('2026-11-02T05:30:00Z'), chicago)
  expect(new Date(autumn.midnight()).toISOString()).toBe('2026-11-01T05:00:00.000Z')
})

test('a time can be between two others across midnight', () => {
  expect(isTimeBetween('23:00', '22:00', '06:00')).toBe(true)
  expect(isTimeBetween('06:00', '22:00', '06:00')).toBe(false)
  expect(isTimeBetween('12:00', '12:00', '12:00')).toBe(true)
})
