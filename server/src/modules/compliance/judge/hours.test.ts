import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type HoursRule, type StateRule, canadian, federal, stateRules } from './hours-rules.ts'
import { closesAt, hoursCodes, openings } from './hours.ts'

/**
 * What the laws say, as people write it: the state, the hours of Monday to Friday, Saturday, and Sunday, what else is closed, and
 * when it applies. The rules are compared with it word by word.
 */
const laws = `
us-hours            –  8:00–21:00  8:00–21:00  8:00–21:00
ca-hours            –  9:00–21:30  10:00–18:00 10:00–18:00
ct-hours            CT 9:00–20:00  9:00–20:00  9:00–20:00  since 2023-10-01
fl-hours            FL 8:00–20:00  8:00–20:00  8:00–20:00  since 2021-07-01, 3 a day
ky-hours            KY 10:00–21:00 10:00–21:00 10:00–21:00
la-hours            LA 8:00–20:00  8:00–20:00  closed      no holidays
ma-hours            MA 8:00–20:00  8:00–20:00  8:00–20:00
md-hours            MD 8:00–20:00  8:00–20:00  8:00–20:00  since 2024-01-01, 3 a day
ms-hours            MS 8:00–20:00  8:00–20:00  closed
nm-hours            NM 9:00–21:00  9:00–21:00  9:00–21:00
nv-hours            NV 9:00–20:00  9:00–20:00  9:00–20:00
nv-automated-hours  NV 9:00–21:00  9:00–21:00  9:00–21:00  automated voice only
ok-hours            OK 8:00–20:00  8:00–20:00  8:00–20:00  since 2022-11-01, 3 a day
ok-automated-hours  OK 9:00–21:00  9:00–21:00  9:00–21:00  automated voice only
or-hours            OR 8:00–20:00  8:00–20:00  8:00–20:00  since 2026-01-01, 3 a day
pa-holidays         PA 0:00–24:00  0:00–24:00  0:00–24:00  no holidays, lifted by consent or relationship
ri-hours            RI 9:00–18:00  10:00–17:00 closed      no holidays, lifted by consent
sd-automated-hours  SD 9:00–21:00  9:00–21:00  closed      automated voice only
tx-hours            TX 9:00–21:00  9:00–21:00  12:00–21:00
ut-hours            UT 8:00–21:00  8:00–21:00  8:00–21:00
ut-days             UT 0:00–24:00  0:00–24:00  closed      no holidays, lifted by consent
wa-hours            WA 8:00–20:00  8:00–20:00  8:00–20:00  since 2022-06-09
`

const clock = (minutes: number) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`

function written(rule: HoursRule & Partial<StateRule>): string {
  const [monday, ...rest] = rule.week.map((window) => window?.map(clock).join('–') ?? 'closed')
  expect(rest.slice(0, 4), rule.id).toEqual(Array(4).fill(monday))
  const since = Number.isFinite(rule.since)
    ? new Date(rule.since * 86_400_000).toISOString().slice(0, 10)
    : undefined
  expect(rule.until, rule.id).toBe(Number.POSITIVE_INFINITY)
  const more = [
    since && `since ${since}`,
    rule.holidays && 'no holidays',
    rule.perDay && `${rule.perDay} a day`,
    rule.automatedVoiceOnly && 'automated voice only',
    rule.liftedBy && `lifted by ${rule.liftedBy}`,
  ].filter(Boolean)
  return [rule.id, rule.state ?? '–', monday, rest[4], rest[5], more.join(', ')].join(' ').trim()
}

test('each rule has the hours, days, and conditions of its law', () => {
  const expected = laws
    .trim()
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' '))
  expect([federal, canadian, ...stateRules].map(written)).toEqual(expected)
})

const minuteMs = 60_000
const zones = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Phoenix',
  'America/St_Johns',
  'Pacific/Honolulu',
]
const localHours = fc.record({
  rules: fc
    .subarray([...stateRules], { maxLength: 3 })
    .chain((some) => fc.constantFrom([federal, ...some], [canadian, ...some])),
  zones: fc.subarray(zones, { minLength: 1, maxLength: 3 }),
})
/** Any minute of two years, in which the clocks change four times. */
const moment = fc
  .integer({ min: 0, max: 2 * 365 * 24 * 60 })
  .map((minutes) => Date.parse('2026-01-01T00:00:00Z') + minutes * minuteMs)

const isOpen = (hours: Parameters<typeof hoursCodes>[0], at: number) =>
  hoursCodes(hours, at).codes.length === 0

test('every moment before the end of an open window is within the hours, and that end is not', () => {
  fc.assert(
    fc.property(localHours, moment, fc.nat(), (hours, at, between) => {
      fc.pre(isOpen(hours, at))
      const end = closesAt(hours, at)
      expect(isOpen(hours, end)).toBe(false)
      for (const inside of [end - 1, at + (between % (end - at))]) expect(isOpen(hours, inside)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('late on the evening before summer time begins, the next window is that of the next day', () => {
  const hours = { rules: [federal], zones: ['America/Denver'] }
  expect(openings(hours, Date.parse('2027-03-14T06:00:00Z'))[0]).toBe(Date.parse('2027-03-14T14:00:00Z'))
})

test('no moment between a closed one and the next opening is within the hours', () => {
  fc.assert(
    fc.property(localHours, moment, fc.nat(), (hours, at, between) => {
      fc.pre(!isOpen(hours, at))
      const next = openings(hours, at).find((start) => isOpen(hours, start))
      if (next === undefined) throw new Error('Nothing opens within two weeks.')
      expect(isOpen(hours, at + (between % (next - at)))).toBe(false)
    }),
    { numRuns: 2000 },
  )
})
