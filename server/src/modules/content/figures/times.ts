import type { Token } from './numbers.ts'

const daytime = new Set('morning afternoon evening night manana tarde noche'.split(' '))

/** Reads a time of day that starts with a number. `to` is its last token. */
export function timeAt(tokens: readonly Token[], at: number): { values: string[]; to: number } | undefined {
  const { value: hour } = tokens[at] as Token
  if (hour > 24 || hour < 0) return undefined
  const text = (i: number) => tokens[i]?.text ?? ''
  const offset = offsetAt(tokens, at)
  if (offset !== undefined) return withDaytime(tokens, offset.hour, offset.minute, offset.to)
  let [minute, to, isTime] = [0, at, false]
  if (text(at + 1) === ':' && tokens[at + 2]?.kind === 'number' && /^\d\d$/.test(text(at + 2)))
    [minute, to, isTime] = [tokens[at + 2]?.value ?? 0, at + 2, true]
  if (hour % 1 === 0.5 && hour < 13 && isAfterLas(tokens, at))
    return withDaytime(tokens, Math.floor(hour), 30, at)
  if (!Number.isInteger(hour)) return undefined
  const spoken = spokenMinute(tokens, at)
  if (spoken !== undefined) return { values: clock(hour, spoken), to: at + 1 }
  const spanish = spanishMinute(tokens, at)
  if (spanish !== undefined) return withDaytime(tokens, spanish.hour, spanish.minute, spanish.to)
  let half: 'am' | 'pm' | undefined
  const suffix = text(to + 1)
  if (suffix === 'am' || suffix === 'pm') [half, to, isTime] = [suffix, to + 1, true]
  else if ((suffix === 'a' || suffix === 'p') && text(to + 2) === '.' && text(to + 3) === 'm')
    [half, to, isTime] = [suffix === 'a' ? 'am' : 'pm', to + 3, true]
  else if (suffix === 'oclock' || (suffix === 'en' && text(to + 2) === 'punto')) [to, isTime] = [to + 1, true]
  const day = daytimeAfter(tokens, to)
  if (day !== undefined) [half, to, isTime] = [day.half, day.to, true]
  if (half === undefined) half = halfOfRange(tokens, to)
  isTime ||= half !== undefined
  if (isAfterLas(tokens, at)) isTime ||= isSpanishHour(tokens, at, to)
  isTime ||= hour <= 12 && isHour(tokens, at, to)
  return isTime ? { values: clock(hour, minute, half), to } : undefined
}

const isAfterLas = (tokens: readonly Token[], at: number): boolean =>
  /^las?$/.test(tokens[at - 1]?.text ?? '')

/** Takes am or pm from the end of a range, for its start: `1-3 PM`. */
function halfOfRange(tokens: readonly Token[], to: number): 'am' | 'pm' | undefined {
  if (!/^[-–—]$/.test(tokens[to + 1]?.text ?? '') || tokens[to + 2]?.kind !== 'number') return undefined
  const end = tokens[to + 3]?.text === ':' ? to + 4 : to + 2
  const suffix = tokens[end + 1]?.text
  return suffix === 'am' || suffix === 'pm' ? suffix : undefined
}

/** `a quarter past ten`: reads a time that starts with the word “quarter”. */
export function quarterAt(
  tokens: readonly Token[],
  at: number,
): { values: string[]; to: number } | undefined {
  const [side, hour] = [tokens[at + 1]?.text ?? '', tokens[at + 2]]
  if (hour?.kind !== 'number' || hour.value > 12 || !Number.isInteger(hour.value)) return undefined
  if (side === 'past' || side === 'after') return withDaytime(tokens, hour.value, 15, at + 2)
  return /^(?:to|till|before|of)$/.test(side)
    ? withDaytime(tokens, hour.value === 1 ? 12 : hour.value - 1, 45, at + 2)
    : undefined
}

const untilHour =
  /^(?:de|a|at|until|till|til|by|after|before|around|from|between|past|to|and|or|say|-|about|for)$/
/** Words that may follow an hour. A number before any other word counts something. */
const afterHour =
  /^(?:|[.,!?;)]|on|tomorrow|today|tonight|sharp|this|or|and|to|works?|-|monday|tuesday|wednesday|thursday|friday|saturday|sunday|if|instead|then|when|with|at|as|would|is|was|should|sounds?|work|ok|okay|good|for|i|we|you|y|el|de)$/

/** `at 3`, `until five`, `between 11 and 4`, `from one to three thirty`. */
function isHour(tokens: readonly Token[], at: number, to: number): boolean {
  const text = (i: number) => tokens[i]?.text ?? ''
  const [before, after] = [text(at - 1), text(to + 1)]
  if (!untilHour.test(before) || !(afterHour.test(after) || after === 'a')) return false
  if (before === 'a')
    return text(at - 3) === 'de' && tokens[at - 2]?.kind === 'number' && isHourEnd(tokens, at)
  const isRange = /^(?:and|to|-|until|till|or)$/.test(after) && tokens[to + 2]?.kind === 'number'
  if (isRange) return /^(?:from|between|at)$/.test(before) && isHourEnd(tokens, to + 2)
  if (/^(?:and|to|-|or)$/.test(before)) {
    const start = tokens[at - 2]?.kind === 'number' ? at - 2 : -1
    const opening = text(start - 1) === ':' ? text(start - 3) : text(start - 1)
    return start >= 0 && /^(?:from|between|at|de|entre)$/.test(opening) && isHourEnd(tokens, at)
  }
  if (before === 'de' && after === 'a' && tokens[to + 2]?.kind === 'number') return isHourEnd(tokens, to + 2)
  if (/^(?:at|until|till|til)$/.test(before)) return !/^(?:and|to|-|el|de|y)$/.test(after)
  return (
    /^(?:by|after|before|around)$/.test(before) &&
    /^(?:|[.,!?;)]|on|tomorrow|today|tonight|sharp|works?)$/.test(after)
  )
}

const isHourEnd = (tokens: readonly Token[], at: number): boolean => {
  const after = tokens[at + 1]?.text ?? ''
  return (
    (tokens[at]?.value ?? 99) <= 12 &&
    (after === ':' ||
      /^(?:am|pm|a|p)$/.test(after) ||
      afterHour.test(after) ||
      tokens[at + 1]?.kind === 'number')
  )
}

/** `a las 4`, `la una`, `de las 2`. */
const isSpanishHour = (tokens: readonly Token[], at: number, to: number): boolean =>
  /^(?:a|de|desde|hasta|para|entre|sobre|y)$/.test(tokens[at - 2]?.text ?? '') &&
  !/^(?:casas?|familias?|personas?|recamaras?|habitaciones|propiedades|opciones)$/.test(
    tokens[to + 1]?.text ?? '',
  )

/** `half past two`, `twenty past ten`. */
function offsetAt(tokens: readonly Token[], at: number) {
  const { value } = tokens[at] as Token
  let to = at + 1
  if (tokens[to]?.text === 'minutes') to++
  const side = tokens[to]?.text ?? ''
  const hour = tokens[to + 1]
  if (hour?.kind !== 'number' || hour.value > 12 || !Number.isInteger(hour.value)) return undefined
  const isCounted =
    value === 0.5 || /^(?:five|ten|twenty|fifteen|5|10|15|20|25)$/.test(tokens[at]?.text ?? '')
  if (!isCounted || side !== 'past') return undefined
  return { hour: hour.value, minute: value === 0.5 ? 30 : value, to: to + 1 }
}

/** The minutes that `cuarto`, `media`, or a number stands for. */
function spanishMinuteOf(token: Token | undefined): number | undefined {
  if (token?.text === 'cuarto') return 15
  if (token?.kind !== 'number') return undefined
  return token.value === 0.5 ? 30 : token.value
}

/** `las cuatro y media`, `las diez y cuarto`, `las once menos cuarto`, `las tres y veinte`. */
function spanishMinute(tokens: readonly Token[], at: number) {
  const { value: hour } = tokens[at] as Token
  const text = (i: number) => tokens[i]?.text ?? ''
  if (!/^(?:las|la)$/.test(text(at - 1)) && !/^(?:a|y)$/.test(text(at - 1))) return undefined
  const next = tokens[at + 2]
  const minute = spanishMinuteOf(next)
  if (minute === undefined || minute >= 60) return undefined
  if (text(at + 1) === 'y' || text(at + 1) === 'con') return { hour, minute, to: at + 2 }
  if (text(at + 1) === 'menos') return { hour: hour === 1 ? 12 : hour - 1, minute: 60 - minute, to: at + 2 }
  return undefined
}

const withDaytime = (tokens: readonly Token[], hour: number, minute: number, to: number) => {
  const day = daytimeAfter(tokens, to)
  return { values: clock(hour, minute, day?.half), to: day?.to ?? to }
}

/** `in the morning`, `de la tarde`. */
function daytimeAfter(tokens: readonly Token[], to: number): { half: 'am' | 'pm'; to: number } | undefined {
  const [first, second, third] = [1, 2, 3].map((one) => tokens[to + one]?.text ?? '')
  const isOfDay = (first === 'in' && second === 'the') || (first === 'de' && second === 'la')
  if (!isOfDay || !daytime.has(third ?? '')) return undefined
  return { half: third === 'morning' || third === 'manana' ? 'am' : 'pm', to: to + 3 }
}

/** Reads the minute in `ten thirty`. */
function spokenMinute(tokens: readonly Token[], at: number): number | undefined {
  const [hour, minute] = [tokens[at], tokens[at + 1]]
  if (hour === undefined || minute?.kind !== 'number' || hour.value < 1 || hour.value > 12) return undefined
  const areWords = /^[a-z]+$/.test(hour.text) && /^[a-z]+$/.test(minute.text)
  return areWords && minute.value % 5 === 0 && minute.value >= 10 && minute.value < 60
    ? minute.value
    : undefined
}

/** The minutes of the day that a time may mean; two if am or pm is unknown. */
export function clock(hour: number, minute: number, half?: 'am' | 'pm'): string[] {
  const early = (hour % 12) * 60 + minute
  if (half !== undefined) return [String(half === 'am' ? early : early + 720)]
  return hour > 12 || hour === 0 ? [String(hour * 60 + minute)] : [String(early), String(early + 720)]
}
