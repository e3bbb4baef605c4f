import type { UnsupportedCategory } from '../finding.ts'
import { addressAt, addressesOf, unitNumberAt } from './addresses.ts'
import { dateAt, formsOfDate, isTomorrow, monthOf, tomorrowsOf, weekdayOf, wordDateAt } from './dates.ts'
import { legible } from './legible.ts'
import { type Token, tokensOf } from './numbers.ts'
import { isPriced, isRated, money, priceAfter } from './prices.ts'
import { areaNameOf, formsOfSize, oneAndHalfAt, partAt, sizeAt, unitOf } from './sizes.ts'
import { clock, quarterAt, timeAt } from './times.ts'
import { type Figure, takeWhole } from './whole-figures.ts'

/** Finds the figures in a text, with their positions. A link with look-alike letters counts as a different link. */
export function figuresIn(text: string): Figure[] {
  const { text: read, starts, ends } = legible(text)
  return figuresOf(read).map((figure) => {
    const [start, end] = [starts?.[figure.start] ?? figure.start, ends?.[figure.end - 1] ?? figure.end]
    const raw = text.slice(start, end)
    const isOther = figure.category === 'link' && !/^[\0-\x7f]*$/.test(raw)
    return { ...figure, start, end, values: isOther ? [raw.toLowerCase()] : figure.values }
  })
}

const priced = new Set('price precio rent renta hoa cost fee dues taxes budget'.split(' '))
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

/** Marks each token that is in a question. */
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
  const address = addressAt(tokens, at)
  if (address !== undefined) return { category: 'address', ...address }
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
  if (date !== undefined) return { category: 'date', ...date }
  if (after === 's' && (roundly.has(before) || before === 'the' || before === 'los'))
    return found('price', [String(value < 1000 ? value * 1000 : value)], at, at + 1)
  if (token.isScaled && value >= 1000 && !isCounted(after)) return found('price', [String(value)])
  const times = priceAfter(tokens, at)
  if (times !== undefined) return found('price', [`times ${value}`], at, times)
  const size = sizeAt(tokens, at)
  if (size === undefined && !isAsked && isPriced(tokens, at))
    return found('price', [String(value), String(value * 1000)])
  if (size !== undefined && !(isAsked && size.isCount))
    return found('size', formsOfSize(size, areaNameOf(tokens, at, size.to)), at, size.to)
  return undefined
}

const isCounted = (after: string) =>
  /^(?:homes|people|listings|agents|buyers|times|casas|personas|square|sq|sqft|pies|metros)$/.test(after)

function wordFigureAt(tokens: readonly Token[], at: number, isAsked: boolean): Found | undefined {
  const { text } = tokens[at] as Token
  const date = wordDateAt(tokens, at, isAsked)
  if (date !== undefined) return { category: 'date', ...date }
  const unitNumber = unitNumberAt(tokens, at)
  if (unitNumber !== undefined) return { category: 'address', ...unitNumber }
  const quarter = text === 'quarter' ? quarterAt(tokens, at) : undefined
  if (quarter !== undefined) return { category: 'time', values: quarter.values, from: at, to: quarter.to }
  const part = text === 'quarter' ? partAt(tokens, at) : undefined
  if (part !== undefined)
    return { category: 'size', values: [`${part.unit} ${part.value}`], from: at, to: part.to }
  const half = oneAndHalfAt(tokens, at)
  if (half !== undefined) return { category: 'size', values: half.values, from: at, to: half.to }
  if (/^(?:noon|midnight|mediodia|medianoche)$/.test(text))
    return {
      category: 'time',
      values: clock(12, 0, text.startsWith('m') && text !== 'mediodia' ? 'am' : 'pm'),
      from: at,
      to: at,
    }
  return undefined
}

/** The values that a fact supports. A number without a unit supports every category, unless it is a small one. */
export function valuesOfFact(text: string): string[] {
  const fact = legible(text).text
  const figures = figuresOf(fact)
  // The loop below reads areas again, with what they are the area of.
  const values = (fact === text ? figures : [...figures, ...figuresIn(text)]).flatMap((figure) =>
    figure.values
      .map((value) => `${figure.category} ${value}`)
      .filter((value) => !value.startsWith('size area ')),
  )
  const covered = new Uint8Array(fact.length)
  for (const { start, end } of figures) covered.fill(1, start, end)
  const { rest } = takeWhole(fact)
  const tokens = tokensOf(rest)
  for (const [at, token] of tokens.entries()) {
    values.push(...namedIn(tokens, at))
    if (token.kind !== 'number') continue
    const label = labelBefore(tokens, at)
    const unit = unitOf(label)
    const size = sizeAt(tokens, at)
    if (size !== undefined) values.push(...areasOf(tokens, at, size))
    if (unit === 'area') values.push(...areasOf(tokens, at, { unit, value: token.value, to: at }))
    else if (unit !== undefined) values.push(`size ${unit} ${token.value}`)
    else if (priced.has(label)) values.push(`price ${token.value}`)
    else if (/^(?:1[89]|20)\d\d$/.test(token.text)) {
      values.push(`date year ${token.value}`)
      if (
        tokens
          .slice(Math.max(0, at - 4), at)
          .some(({ text: word }) => priced.has(word) || word === 'presupuesto')
      )
        values.push(`price ${token.value}`)
    } else if (covered[token.start] !== 1 && (token.value > 31 || !Number.isInteger(token.value)))
      values.push(`any ${token.value}`)
  }
  return [
    ...values,
    ...values.flatMap((value) => [...formsOfDate(value), ...addressesOf(value), ...halvesOf(value)]),
    ...tomorrowsOf(fact, values).map((value) => `tomorrow ${value}`),
  ]
}

/** Weekdays and months that a fact names, in long or short form. */
function namedIn(tokens: readonly Token[], at: number): string[] {
  const { text } = tokens[at] as Token
  const [weekday, month] = [weekdayOf(text), monthOf(text)]
  return [
    ...(weekday === undefined ? [] : [`date weekday ${weekday}`]),
    ...(month === undefined ? [] : [`date month ${month}`]),
    ...(month === undefined ? [] : yearsNear(tokens, at).map((year) => `date of year ${month}-${year}`)),
    ...(isTomorrow(tokens, at) ? ['date tomorrow'] : []),
  ]
}

/** `March 3, 2026`, `built 2009, in March`. */
const yearsNear = (tokens: readonly Token[], at: number): string[] =>
  tokens
    .slice(Math.max(0, at - 4), at + 5)
    .map(({ text }) => text)
    .filter((text) => /^(?:1[89]|20)\d\d$/.test(text))

/** If a fact does not say whether its area is the home's or the lot's, it supports both. */
function areasOf(tokens: readonly Token[], at: number, size: { unit: string; value: number; to: number }) {
  const name = areaNameOf(tokens, at, size.to)
  const names = size.unit === 'area' && name === undefined ? (['home', 'lot'] as const) : [name]
  return names.flatMap((one) => formsOfSize(size, one)).map((value) => `size ${value}`)
}

/** Two and a half baths support a half bath. */
const halvesOf = (value: string): string[] => (/^size bath \d*\.5$/.test(value) ? ['size bath 0.5'] : [])

/** The word that says what a number is: `"list_price": 485000`. */
function labelBefore(tokens: readonly Token[], at: number): string {
  let place = at - 1
  while (place >= 0 && tokens[place]?.kind === 'sign' && place > at - 4) place--
  return tokens[place]?.text ?? ''
}
