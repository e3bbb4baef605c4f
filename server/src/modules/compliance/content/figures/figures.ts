import type { UnsupportedCategory } from '../categories.ts'
import { addressNumberAt } from './addresses.ts'
import { legible } from './legible.ts'
import { type Token, tokensOf } from './numbers.ts'
import { clock, timeAt } from './times.ts'
import { type Figure, dateValues, takeWhole } from './whole-figures.ts'

/** The figures of a text where they stand in it. A link that only looks like one of ours is another. */
export function figuresIn(text: string): Figure[] {
  const { text: read, starts, ends } = legible(text)
  return figuresOf(read).map((figure) => {
    const [start, end] = [starts?.[figure.start] ?? figure.start, ends?.[figure.end - 1] ?? figure.end]
    const raw = text.slice(start, end)
    const isOther = figure.category === 'link' && !/^[\0-\x7f]*$/.test(raw)
    return { ...figure, start, end, values: isOther ? [raw.toLowerCase()] : figure.values }
  })
}

const numbered = (names: string) =>
  new Map(names.split(' ').flatMap((group, i) => group.split('|').map((name) => [name, i + 1] as const)))
const months = numbered(
  'january|jan|enero february|feb|febrero march|mar|marzo april|apr|abril may|mayo june|jun|junio july|jul|julio august|aug|agosto september|sep|sept|septiembre october|oct|octubre november|nov|noviembre december|dec|diciembre',
)
const weekdays = numbered(
  'monday|mondays|lunes tuesday|tuesdays|martes wednesday|wednesdays|miercoles thursday|thursdays|jueves friday|fridays|viernes saturday|saturdays|sabado sunday|sundays|domingo',
)
const units = new Map<string, string>(
  Object.entries({
    area: 'sqft sf square sq pies metros m2 area living',
    acre: 'acre acres hectarea hectareas lot',
    bed: 'bedroom bedrooms bed beds br bd bdrm recamara recamaras habitacion habitaciones dormitorio dormitorios',
    bath: 'bath baths bathroom bathrooms ba bano banos',
    length: 'feet foot ft metro meter meters',
  }).flatMap(([unit, names]) => names.split(' ').map((name) => [name, unit] as const)),
)
const money = new Set('dollars dollar usd bucks dolares dolar pesos mxn euros'.split(' '))
const priced = new Set('price precio rent renta hoa cost fee dues taxes budget'.split(' '))
const inMonth = new Set('in by until since early late next mid en desde hasta para'.split(' '))
const inYear = new Set(
  'in since built circa from year renovated remodeled updated redone replaced installed en desde construyo construida construido ano'.split(
    ' ',
  ),
)
const offered = new Set(
  'listed priced asking sold offered reduced dropped costs cost price rent fee dues deposit taxes cuesta piden precio renta'.split(
    ' ',
  ),
)
const roundly = new Set('low mid high upper lower bajos altos'.split(' '))

function figuresOf(text: string): Figure[] {
  const { figures, rest } = takeWhole(text)
  const tokens = tokensOf(rest)
  const asked = questionsOf(tokens)
  for (let at = 0; at < tokens.length; at++) {
    const found = figureAt(tokens, at, asked[at] === 1)
    if (found === undefined) continue
    const [first, last] = [tokens[Math.max(0, found.from)], tokens[found.to]]
    if (first === undefined || last === undefined) continue
    figures.push({
      category: found.category,
      values: found.values,
      start: first.start,
      end: last.end,
    })
    at = Math.max(at, found.to)
  }
  return figures
}

/** Whether each token is in a sentence that asks. */
function questionsOf(tokens: readonly Token[]): Uint8Array {
  const asked = new Uint8Array(tokens.length)
  for (let at = tokens.length - 1, isAsked = 0; at >= 0; at--) {
    const { text, kind } = tokens[at] as Token
    if (kind === 'sign' && (text === '?' || text === '.' || text === '!' || text === ';'))
      isAsked = text === '?' ? 1 : 0
    asked[at] = isAsked
  }
  return asked
}

interface Found {
  category: UnsupportedCategory
  values: string[]
  from: number
  to: number
}

function figureAt(tokens: readonly Token[], at: number, isAsked: boolean): Found | undefined {
  const token = tokens[at] as Token
  if (token.kind === 'word') return wordFigureAt(tokens, at, isAsked)
  if (token.kind !== 'number') return undefined
  const { value } = token
  const [before, after] = [tokens[at - 1]?.text ?? '', tokens[at + 1]?.text ?? '']
  const found = (category: UnsupportedCategory, values: string[], from = at, to = at): Found => ({
    category,
    values,
    from,
    to,
  })
  const address = addressNumberAt(tokens, at)
  if (address !== undefined) return found('address', [address.value], address.from, address.to)
  if (before === '$' || before === '€') return found('price', [String(value)], at - 1)
  if (money.has(after)) return found('price', [String(value)], at, at + 1)
  if (/^(?:%|percent|pct|apr)$/.test(after))
    return value === 100 ? undefined : found('rate', [String(value)], at, at + 1)
  if (after === 'por' && tokens[at + 2]?.value === 100)
    return value === 100 ? undefined : found('rate', [String(value)], at, at + 2)
  if (before === 'por' && value === 100) return undefined
  if (isRated(tokens, at)) return found('rate', [String(value)])
  const time = timeAt(tokens, at)
  if (time !== undefined) return found('time', time.values, at, time.to)
  const date = dateAt(tokens, at)
  if (date !== undefined) return found('date', date.values, date.from, date.to)
  if (after === 's' && (roundly.has(before) || before === 'the' || before === 'los'))
    return found('price', [String(value < 1000 ? value * 1000 : value)], at, at + 1)
  if (token.isScaled && value >= 1000 && !isCounted(after)) return found('price', [String(value)])
  const size = sizeAt(tokens, at)
  if (size === undefined && !isAsked && isPriced(tokens, at))
    return found('price', [String(value), String(value * 1000)])
  if (size !== undefined && !(isAsked && size.isCount))
    return found('size', [`${size.unit} ${value}`], at, size.to)
  return undefined
}

/** `a rate of 2.9`, `APR: 6`: a small number after a rate, and nothing after it. */
function isRated(tokens: readonly Token[], at: number): boolean {
  const text = (i: number) => tokens[i]?.text ?? ''
  if (
    (tokens[at]?.value ?? 99) > 25 ||
    !/^(?:|[.,!?;)]|and|or|for|on|today|with|fixed|now|y|con|fija)$/.test(text(at + 1))
  )
    return false
  const before = /^(?:of|is|at|are|to|from|around|about|under|near|:|de|es|del|desde)$/.test(text(at - 1))
    ? text(at - 2)
    : text(at - 1)
  return /^(?:rate|rates|apr|interest|tasa|tasas|interes)$/.test(before)
}

/** `listed at 485`, `the dues are 240`: a number of three digits or more after what has a price, and nothing after it. */
const isPriced = (tokens: readonly Token[], at: number): boolean =>
  (tokens[at]?.value ?? 0) >= 100 &&
  /^(?:|[.,!?;]|a|al|per|but|and|so|with|now|today|pero|y)$/.test(tokens[at + 1]?.text ?? '') &&
  !/^(?:1[89]|20)\d\d$/.test(tokens[at]?.text ?? '') &&
  tokens.slice(Math.max(0, at - 4), at).some(({ text }) => offered.has(text))

const isCounted = (after: string) =>
  /^(?:homes|people|listings|agents|buyers|times|casas|personas|square|sq|sqft)$/.test(after)

function sizeAt(tokens: readonly Token[], at: number) {
  let to = at + 1
  while (to < at + 4 && /^(?:-|an?|full|large|de|new)$/.test(tokens[to]?.text ?? '')) to++
  let unit = units.get(tokens[to]?.text ?? '')
  if (
    unit === undefined &&
    /^(?:by|x|por)$/.test(tokens[at + 1]?.text ?? '') &&
    tokens[at + 2]?.kind === 'number'
  )
    return { unit: 'length', to: at + 2, isCount: false }
  if (tokens[to]?.text === 'living' || tokens[to]?.text === 'lot' || tokens[to]?.text === 'area')
    unit = undefined
  if (unit === undefined) return undefined
  if (/^(?:square|sq|pies|metros)$/.test(tokens[to]?.text ?? '')) {
    const next = tokens[to + 1]?.text === '-' ? to + 2 : to + 1
    if (/^(?:feet|foot|ft|cuadrados|meters)$/.test(tokens[next]?.text ?? '')) to = next
    else if (tokens[to + 1]?.text !== '.') return undefined
  }
  return { unit, to, isCount: unit === 'bed' || unit === 'bath' }
}

function dateAt(tokens: readonly Token[], at: number) {
  const { value, text: raw } = tokens[at] as Token
  const text = (i: number) => tokens[i]?.text ?? ''
  const suffixed = /^(?:st|nd|rd|th)$/.test(text(at + 1)) ? at + 1 : at
  const isDay = Number.isInteger(value) && value >= 1 && value <= 31
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
  if (isDay) {
    const of = /^(?:of|de)$/.test(text(suffixed + 1)) ? suffixed + 2 : suffixed + 1
    const month = months.get(text(of))
    if (month !== undefined && (of !== suffixed + 1 || text(of) !== 'may'))
      return { values: dateValues(month, value), from: at, to: of }
    if (suffixed > at && text(at - 1) === 'the' && /^(?:on|by|until|before)$/.test(text(at - 2)))
      return { values: [`day ${value}`], from: at, to: suffixed }
    return undefined
  }
  if (/^(?:1[89]|20)\d\d$/.test(raw) && inYear.has(text(at - 1)))
    return { values: [`year ${value}`], from: at, to: at }
  return undefined
}

function wordFigureAt(tokens: readonly Token[], at: number, isAsked: boolean): Found | undefined {
  const { text } = tokens[at] as Token
  const month = months.get(text)
  const next = tokens[at + (tokens[at + 1]?.text === '.' ? 2 : 1)]
  if (month !== undefined && next?.kind === 'number' && next.value >= 1 && next.value <= 31)
    return { category: 'date', values: dateValues(month, next.value), from: at, to: tokens.indexOf(next, at) }
  const isMonth = month !== undefined && text !== 'may' && text !== 'march' && text !== 'mar'
  if (isMonth && !isAsked && inMonth.has(tokens[at - 1]?.text ?? ''))
    return { category: 'date', values: [`month ${month}`], from: at, to: at }
  const weekday = weekdays.get(text)
  if (weekday !== undefined && !isAsked && !isName(tokens, at))
    return { category: 'date', values: [`weekday ${weekday}`], from: at, to: at }
  if (/^(?:noon|midnight|mediodia|medianoche)$/.test(text))
    return {
      category: 'time',
      values: clock(12, 0, text.startsWith('m') && text !== 'mediodia' ? 'am' : 'pm'),
      from: at,
      to: at,
    }
  return undefined
}

/** Black Friday, Good Friday, Super Bowl Sunday are days of the calendar that anyone may name. */
const isName = (tokens: readonly Token[], at: number) =>
  /^(?:black|good|cyber|easter|palm|bowl|fat|ash|holy|super)$/.test(tokens[at - 1]?.text ?? '')

/** All values of a fact; a number without a unit stands for any, unless it is a small one. */
/** Values that a fact supports. */
export function valuesOfFact(text: string): string[] {
  const fact = legible(text).text
  const figures = figuresOf(fact)
  const values = (fact === text ? figures : [...figures, ...figuresIn(text)]).flatMap((figure) =>
    figure.values.map((value) => `${figure.category} ${value}`),
  )
  const isPart = ({ start }: Token) => figures.some((one) => start >= one.start && start < one.end)
  const { rest } = takeWhole(fact)
  const tokens = tokensOf(rest)
  for (const [at, token] of tokens.entries()) {
    const weekday = weekdays.get(token.text)
    if (weekday !== undefined) values.push(`date weekday ${weekday}`)
    if (token.kind !== 'number') continue
    const label = labelBefore(tokens, at)
    const unit = units.get(label)
    if (unit !== undefined) values.push(`size ${unit} ${token.value}`)
    else if (priced.has(label)) values.push(`price ${token.value}`)
    else if (/^(?:1[89]|20)\d\d$/.test(token.text)) values.push(`date year ${token.value}`)
    else if (!isPart(token) && (token.value > 31 || !Number.isInteger(token.value)))
      values.push(`any ${token.value}`)
  }
  return [...values, ...values.flatMap(derived)]
}

/** The word that says what a number is: `"list_price": 485000`. */
function labelBefore(tokens: readonly Token[], at: number): string {
  let place = at - 1
  while (place >= 0 && tokens[place]?.kind === 'sign' && place > at - 4) place--
  return tokens[place]?.text ?? ''
}

/** A date is also its day of the week, its day without its year, and its month. */
function derived(value: string): string[] {
  const [, month, day, year] = /^date (\d+)-(\d+)(?:-(\d+))?$/.exec(value) ?? []
  if (month === undefined || day === undefined) return []
  const weekday =
    year === undefined ? [] : [new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDay()]
  return [
    `date ${month}-${day}`,
    `date month ${month}`,
    `date day ${day}`,
    ...weekday.map((one) => `date weekday ${one === 0 ? 7 : one}`),
  ]
}
