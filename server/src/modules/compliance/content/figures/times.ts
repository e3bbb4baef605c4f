import type { Token } from './numbers.ts'

const daytime = new Set('morning afternoon evening night manana tarde noche'.split(' '))

/** The time of day that begins at a number, and where it ends. */
export function timeAt(tokens: readonly Token[], at: number): { values: string[]; to: number } | undefined {
  const { value: hour } = tokens[at] as Token
  if (hour > 24 || hour < 0) return undefined
  const text = (i: number) => tokens[i]?.text ?? ''
  let [minute, to, isTime] = [0, at, false]
  if (text(at + 1) === ':' && tokens[at + 2]?.kind === 'number' && /^\d\d$/.test(text(at + 2)))
    [minute, to, isTime] = [tokens[at + 2]?.value ?? 0, at + 2, true]
  if (hour === 0.5) {
    const next = tokens[at + 2]
    if (text(at + 1) !== 'past' || next?.kind !== 'number') return undefined
    return { values: clock(next.value, 30), to: at + 2 }
  }
  if (!Number.isInteger(hour)) return undefined
  const spoken = spokenMinute(tokens, at)
  if (spoken !== undefined) return { values: clock(hour, spoken), to: at + 1 }
  let half: 'am' | 'pm' | undefined
  const suffix = text(to + 1)
  if (suffix === 'am' || suffix === 'pm') [half, to, isTime] = [suffix, to + 1, true]
  else if ((suffix === 'a' || suffix === 'p') && text(to + 2) === '.' && text(to + 3) === 'm')
    [half, to, isTime] = [suffix === 'a' ? 'am' : 'pm', to + 3, true]
  else if (suffix === 'oclock') [to, isTime] = [to + 1, true]
  const [first, second, third] = [text(to + 1), text(to + 2), text(to + 3)]
  const isOfDay = (first === 'in' && second === 'the') || (first === 'de' && second === 'la')
  if (isOfDay && daytime.has(third))
    [half, to, isTime] = [third === 'morning' || third === 'manana' ? 'am' : 'pm', to + 3, true]
  if (text(at - 1) === 'las' && /^(?:a|de|desde|hasta|para)$/.test(text(at - 2))) isTime = true
  if (
    text(at - 1) === 'at' &&
    tokens[to + 1]?.kind !== 'number' &&
    /^(?:|[.,!?;]|on|tomorrow|today|tonight|sharp|this|or)$/.test(first)
  )
    isTime = true
  return isTime ? { values: clock(hour, minute, half), to } : undefined
}

/** The minute of `ten thirty`. */
function spokenMinute(tokens: readonly Token[], at: number): number | undefined {
  const [hour, minute] = [tokens[at], tokens[at + 1]]
  if (hour === undefined || minute?.kind !== 'number' || hour.value < 1 || hour.value > 12) return undefined
  const areWords = /^[a-z]+$/.test(hour.text) && /^[a-z]+$/.test(minute.text)
  return areWords && minute.value % 5 === 0 && minute.value >= 10 && minute.value < 60
    ? minute.value
    : undefined
}

/** Minutes of the day that a time may mean. */
export function clock(hour: number, minute: number, half?: 'am' | 'pm'): string[] {
  const early = (hour % 12) * 60 + minute
  if (half !== undefined) return [String(half === 'am' ? early : early + 720)]
  return hour > 12 || hour === 0 ? [String(hour * 60 + minute)] : [String(early), String(early + 720)]
}
