import { readFileSync } from 'node:fs'
import { dayOf } from './local-time.ts'

/** Minutes of the day, from inclusive, to exclusive; null if the whole day is closed. */
export type Window = readonly [from: number, to: number] | null

/** A rule on the hours at which a person may be contacted. */
export interface HoursRule {
  id: string
  /** The law behind it. */
  citation: string
  /** When the rule is in force, in local days since 1970-01-01: `since` inclusive, `until` exclusive. */
  since: number
  until: number
  /** Monday first. */
  week: readonly Window[]
  /** Days that are closed regardless of the weekday. */
  holidays?: ReadonlySet<number>
}

/** A state's rule for marketing that is not a reply. Applies in addition to the federal hours. */
export interface StateRule extends HoursRule {
  state: string
  /** The most marketing contacts that a person may get within 24 hours. */
  perDay?: number
  /** What lifts the rule: express consent, or also a recent inquiry or deal. */
  liftedBy?: 'consent' | 'consent or relationship'
  /** Applies only to calls by a machine or the AI. */
  automatedVoiceOnly?: true
}

const hours = (from: number, to: number): Window => [from * 60, to * 60]
const open = hours(0, 24)
export const daily = (window: Window): Window[] => Array.from({ length: 7 }, () => window)
const week = (weekdays: Window, saturday: Window, sunday: Window): Window[] => [
  ...Array.from({ length: 5 }, () => weekdays),
  saturday,
  sunday,
]

const { days } = JSON.parse(readFileSync(new URL('holidays.json', import.meta.url), 'utf8')) as {
  days: Record<string, string[]>
}
const holidaysOf = (state: string) => new Set(days[state]?.map(dayOf))

/** For a rule that is always in force. */
export const always = { since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }

/** The hours for every US number. Unlike state rules, they apply to more than solicitations. */
export const federal: HoursRule = {
  id: 'us-hours',
  citation: '47 CFR 64.1200(c)(1)',
  ...always,
  week: daily(hours(8, 21)),
}

/** The same for Canadian numbers. */
export const canadian: HoursRule = {
  id: 'ca-hours',
  citation: 'CRTC Unsolicited Telecommunications Rules, Part III, section 23',
  ...always,
  week: week([9 * 60, 21 * 60 + 30], hours(10, 18), hours(10, 18)),
}

/** The version of the rules, which each verdict names. Change it with every change to the tables below or the emergency rules. */
export const ruleSet = 'us-2026-11-22-2'

export const stateRules: readonly StateRule[] = [
  {
    state: 'CT',
    id: 'ct-hours',
    citation: 'Conn. Gen. Stat. 42-288a',
    since: dayOf('2023-10-01'),
    until: always.until,
    week: daily(hours(9, 20)),
  },
  {
    state: 'FL',
    id: 'fl-hours',
    citation: 'Fla. Stat. 501.616(6)',
    since: dayOf('2021-07-01'),
    until: always.until,
    week: daily(hours(8, 20)),
    perDay: 3,
  },
  {
    state: 'KY',
    id: 'ky-hours',
    citation: 'Ky. Rev. Stat. 367.46955',
    ...always,
    week: daily(hours(10, 21)),
  },
  {
    state: 'LA',
    id: 'la-hours',
    citation: 'La. Rev. Stat. 45:844.11 to 45:844.15',
    ...always,
    week: week(hours(8, 20), hours(8, 20), null),
    holidays: holidaysOf('LA'),
  },
  { state: 'MA', id: 'ma-hours', citation: 'Mass. Gen. Laws ch. 159C', ...always, week: daily(hours(8, 20)) },
  {
    state: 'MD',
    id: 'md-hours',
    citation: 'Md. Code, Com. Law 14-4501 to 14-4505',
    since: dayOf('2024-01-01'),
    until: always.until,
    week: daily(hours(8, 20)),
    perDay: 3,
  },
  {
    state: 'MS',
    id: 'ms-hours',
    citation: 'Miss. Code 77-3-701 to 77-3-737',
    ...always,
    week: week(hours(8, 20), hours(8, 20), null),
  },
  { state: 'NM', id: 'nm-hours', citation: 'N.M. Stat. 57-12-22', ...always, week: daily(hours(9, 21)) },
  { state: 'NV', id: 'nv-hours', citation: 'Nev. Rev. Stat. ch. 599B', ...always, week: daily(hours(9, 20)) },
  {
    state: 'NV',
    id: 'nv-automated-hours',
    citation: 'Nev. Rev. Stat. 597.814',
    ...always,
    week: daily(hours(9, 21)),
    automatedVoiceOnly: true,
  },
  {
    state: 'OK',
    id: 'ok-hours',
    citation: 'Okla. Stat. tit. 15, 775C.4',
    since: dayOf('2022-11-01'),
    until: always.until,
    week: daily(hours(8, 20)),
    perDay: 3,
  },
  {
    state: 'OK',
    id: 'ok-automated-hours',
    citation: 'Okla. Stat. tit. 21, 1847a',
    ...always,
    week: daily(hours(9, 21)),
    automatedVoiceOnly: true,
  },
  {
    state: 'OR',
    id: 'or-hours',
    citation: 'Oregon HB 3865 (2025)',
    since: dayOf('2026-01-01'),
    until: always.until,
    week: daily(hours(8, 20)),
    perDay: 3,
  },
  {
    state: 'PA',
    id: 'pa-holidays',
    citation: '73 Pa. Stat. 2241 to 2249',
    ...always,
    week: daily(open),
    holidays: holidaysOf('PA'),
    liftedBy: 'consent or relationship',
  },
  {
    state: 'RI',
    id: 'ri-hours',
    citation: 'R.I. Gen. Laws 5-61-3.6',
    ...always,
    week: week(hours(9, 18), hours(10, 17), null),
    holidays: holidaysOf('RI'),
    liftedBy: 'consent',
  },
  {
    state: 'SD',
    id: 'sd-automated-hours',
    citation: 'S.D. Codified Laws ch. 37-30',
    ...always,
    week: week(hours(9, 21), hours(9, 21), null),
    automatedVoiceOnly: true,
  },
  {
    state: 'TX',
    id: 'tx-hours',
    citation: 'Tex. Bus. & Com. Code 301.051',
    ...always,
    week: week(hours(9, 21), hours(9, 21), hours(12, 21)),
  },
  {
    state: 'UT',
    id: 'ut-hours',
    citation: 'Utah Code 13-25a-103',
    ...always,
    week: daily(hours(8, 21)),
  },
  {
    state: 'UT',
    id: 'ut-days',
    citation: 'Utah Code 13-25a-103',
    ...always,
    week: week(open, open, null),
    holidays: holidaysOf('UT'),
    liftedBy: 'consent',
  },
  {
    state: 'WA',
    id: 'wa-hours',
    citation: 'Wash. Rev. Code 80.36.390',
    since: dayOf('2022-06-09'),
    until: always.until,
    week: daily(hours(8, 20)),
  },
]

/** Returns the rule's window on a local day. Every day is open while the rule is not in force. */
export function windowOn(
  { since, until, week: windows, holidays }: HoursRule,
  day: number,
  weekday: number,
): Window {
  if (day < since || day >= until) return open
  return holidays?.has(day) === true ? null : (windows[weekday] ?? null)
}
