import type { Token } from './numbers.ts'
import { dateValues } from './whole-figures.ts'

const numbered = (names: string) =>
  new Map(names.split(' ').flatMap((group, i) => group.split('|').map((name) => [name, i + 1] as const)))
const months = numbered(
  'january|jan|enero february|feb|febrero march|mar|marzo april|apr|abril may|mayo june|jun|junio july|jul|julio august|aug|agosto september|sep|sept|septiembre october|oct|octubre november|nov|noviembre december|dec|diciembre',
)
const weekdays = numbered(
  'monday|mondays|lunes tuesday|tuesdays|martes wednesday|wednesdays|miercoles thursday|thursdays|jueves friday|fridays|viernes saturday|saturdays|sabado sunday|sundays|domingo',
)
/** Some of these are also other words, so they count only in facts. */
const shortWeekdays = numbered('mon|lun tue|tues|mar wed|mie thu|thur|thurs|jue fri|vie sat|sab sun|dom')
const decades = numbered('twenties thirties forties fifties sixties seventies eighties nineties')
const inMonth = new Set(
  'in by until since early late next mid en desde hasta para of end through this'.split(' '),
)
const inYear = new Set(
  'in since built circa from year renovated remodeled updated redone replaced installed en desde construyo construida construido ano'.split(
    ' ',
  ),
)

/** `the 19th floor` is not a date. */
const counted =
  /^(?:floor|floors|piso|story|street|st|avenue|ave|century|hole|anniversary|district|ward|unit)$/

interface DateFigure {
  values: string[]
  from: number
  to: number
}

export const monthOf = (name: string): number | undefined => months.get(name)
/** The day of the week that a word of a fact names. */
export const weekdayOf = (name: string): number | undefined => weekdays.get(name) ?? shortWeekdays.get(name)

/** Reads a date that starts with a number. */
export function dateAt(tokens: readonly Token[], at: number): DateFigure | undefined {
  const { value, text: raw } = tokens[at] as Token
  const text = (i: number) => tokens[i]?.text ?? ''
  const suffixed = /^(?:st|nd|rd|th)$/.test(text(at + 1)) ? at + 1 : at
  const isDay = Number.isInteger(value) && value >= 1 && value <= 31
  // 05/2019
  if (
    text(at + 1) === '/' &&
    value <= 12 &&
    isDay &&
    /^(?:19|20)\d\d$/.test(text(at + 2)) &&
    text(at - 1) !== '/'
  )
    return { values: [`of year ${value}-${text(at + 2)}`], from: at, to: at + 2 }
  // 12/15 and 12/15/2026
  if (text(at + 1) === '/' && tokens[at + 2]?.kind === 'number' && isDay && text(at - 1) !== '/') {
    const [second, hasYear] = [tokens[at + 2]?.value ?? 0, text(at + 3) === '/']
    if (
      second > 31 ||
      (value === 24 && second === 7) ||
      (value < 3 && second < 5 && value < second && !hasYear)
    )
      return undefined
    return { values: [`${value}-${second}`, `${second}-${value}`], from: at, to: hasYear ? at + 4 : at + 2 }
  }
  // los años ochenta
  if (
    text(at - 1) === 'anos' &&
    /^(?:los|de)$/.test(text(at - 2)) &&
    value >= 20 &&
    value < 100 &&
    value % 10 === 0
  )
    return { values: [`decade ${1900 + value}`], from: at, to: at }
  if (isDay) {
    const of = /^(?:of|de)$/.test(text(suffixed + 1)) ? suffixed + 2 : suffixed + 1
    const month = months.get(text(of))
    if (month !== undefined && (of !== suffixed + 1 || text(of) !== 'may'))
      return { values: dateValues(month, value), from: at, to: of }
    if (
      suffixed > at &&
      !counted.test(text(suffixed + 1)) &&
      text(at - 1) === 'the' &&
      /^(?:on|by|until|before|after|is|was|from|to)$/.test(text(at - 2))
    )
      return { values: [`day ${value}`], from: at, to: suffixed }
    if (/^(?:el|dia)$/.test(text(at - 1)) && /^(?:dia|para|antes|el|hasta|desde)$/.test(text(at - 2)))
      return { values: [`day ${value}`], from: at, to: at }
    return undefined
  }
  if (
    /^(?:1[89]|20)\d\ds?$/.test(raw) &&
    (text(at + 1) === 's' || inYear.has(text(at - 1)) || isSince(tokens, at))
  )
    return {
      values: text(at + 1) === 's' ? [`decade ${value - (value % 10)}`] : [`year ${value}`],
      from: at,
      to: text(at + 1) === 's' ? at + 1 : at,
    }
  return undefined
}

/** `built back in 1995`, `en el ano 1978`. */
const isSince = (tokens: readonly Token[], at: number): boolean =>
  tokens
    .slice(Math.max(0, at - 4), at)
    .some(({ text }) =>
      /^(?:built|construida|construyo|construyeron|dates|renovated|remodeled|vintage)$/.test(text),
    )

/** Reads a date that starts with a word: a month, a day of the week, tomorrow. A question may propose one, but not a day of a month. */
export function wordDateAt(tokens: readonly Token[], at: number, isAsked: boolean): DateFigure | undefined {
  const { text } = tokens[at] as Token
  const month = months.get(text)
  const next = tokens[at + (tokens[at + 1]?.text === '.' ? 2 : 1)]
  if (month !== undefined && next?.kind === 'number' && next.value >= 1 && next.value <= 31)
    return { values: dateValues(month, next.value), from: at, to: tokens.indexOf(next, at) }
  const decade = decades.get(text)
  if (decade !== undefined && /^(?:the|early|late|mid|-)$/.test(tokens[at - 1]?.text ?? ''))
    return { values: [`decade ${1910 + decade * 10}`], from: at, to: at }
  if (isAsked) return undefined
  const ofYear = yearAfter(tokens, at)
  if (month !== undefined && ofYear !== undefined)
    return { values: [`of year ${month}-${ofYear.year}`], from: at, to: ofYear.to }
  const isMonth = month !== undefined && text !== 'may' && text !== 'march' && text !== 'mar'
  if (isMonth && inMonth.has(tokens[at - 1]?.text ?? ''))
    return { values: [`month ${month}`], from: at, to: at }
  const isShort =
    /^(?:tues?|thu|thurs?|wed|fri)$/.test(text) &&
    /^(?:next|this|on|by|until)$/.test(tokens[at - 1]?.text ?? '')
  const weekday = isShort ? weekdayOf(text) : weekdays.get(text)
  if (weekday !== undefined && !isName(tokens, at))
    return { values: [`weekday ${weekday}`], from: at, to: at }
  return isTomorrow(tokens, at) ? { values: ['tomorrow'], from: at, to: at } : undefined
}

/** `March 2009`, `marzo de 2009`. */
function yearAfter(tokens: readonly Token[], at: number): { year: number; to: number } | undefined {
  const to = /^(?:of|de|del|,)$/.test(tokens[at + 1]?.text ?? '') ? at + 2 : at + 1
  return /^(?:1[89]|20)\d\d$/.test(tokens[to]?.text ?? '') ? { year: tokens[to]?.value ?? 0, to } : undefined
}

/** Tomorrow, but not “por la mañana”. */
export const isTomorrow = (tokens: readonly Token[], at: number): boolean => {
  const [text, before] = [tokens[at]?.text, tokens[at - 1]?.text ?? '']
  return text === 'tomorrow' || (text === 'manana' && !/^(?:la|una|las|cada|media)$/.test(before))
}

/** Black Friday, Good Friday, and Super Bowl Sunday are calendar days that anyone may name. */
const isName = (tokens: readonly Token[], at: number) =>
  /^(?:black|good|cyber|easter|palm|bowl|fat|ash|holy|super)$/.test(tokens[at - 1]?.text ?? '')

/** Further values that a date supports: its day of the week, the date without its year, and its month. A year supports its decade. */
export function formsOfDate(value: string): string[] {
  const built = /^date year (\d+)$/.exec(value)?.[1]
  if (built !== undefined) return [`date decade ${Number(built) - (Number(built) % 10)}`]
  const [, month, day, year] = /^date (\d+)-(\d+)(?:-(\d+))?$/.exec(value) ?? []
  if (month === undefined || day === undefined) return []
  const weekday =
    year === undefined ? [] : [new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDay()]
  return [
    `date ${month}-${day}`,
    `date month ${month}`,
    `date day ${day}`,
    ...(year === undefined ? [] : [`date of year ${month}-${year}`]),
    ...weekday.map((one) => `date weekday ${one === 0 ? 7 : one}`),
  ]
}

/** The weekday and the date of tomorrow, if a fact states today's date. */
export function tomorrowsOf(fact: string, values: readonly string[]): string[] {
  if (!/\b(?:today|hoy|now)\b/i.test(fact)) return []
  const today = values.map((value) => /^date (\d+)-(\d+)-(\d+)$/.exec(value)).find((one) => one !== null)
  if (today === undefined || today === null) return []
  const next = new Date(Date.UTC(Number(today[3]), Number(today[1]) - 1, Number(today[2]) + 1))
  const weekday = next.getUTCDay() === 0 ? 7 : next.getUTCDay()
  return [`date weekday ${weekday}`, `date ${next.getUTCMonth() + 1}-${next.getUTCDate()}`]
}
