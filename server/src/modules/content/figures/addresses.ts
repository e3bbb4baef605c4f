import type { Token } from './numbers.ts'

const kinds = new Map(
  'street|st avenue|ave|avenida road|rd drive|dr lane|ln court|ct boulevard|blvd way place|pl terrace|ter circle|cir parkway|pkwy highway|hwy trail|trl loop square|sq row alley plaza crossing run path ridge walk pike turnpike'
    .split(' ')
    .flatMap((group) => group.split('|').map((name) => [name, group.split('|')[0] as string] as const)),
)
const directions = new Set('n s e w ne nw se sw north south east west norte sur este oeste'.split(' '))
const spanish = new Set('calle avenida av avda paseo carrera camino boulevard calzada'.split(' '))
const notNames = new Set(
  'from to of the on in at en near blocks block minutes minute miles mile homes bedrooms bedroom bed baths bath houses units am pm a an and or is off down away feet square percent acres dollars'.split(
    ' ',
  ),
)
const unitKinds =
  /^(?:unit|apt|apartment|suite|ste|room|unidad|apartamento|apto|departamento|depto|depa|oficina|local|interior|int|casita|lot|building|bldg|edificio)$/

interface Address {
  values: string[]
  from: number
  to: number
}

/** Reads a street address from its number on: the number, the first word of the street's name, and the kind of street. */
export function addressAt(tokens: readonly Token[], at: number): Address | undefined {
  const { value, text } = tokens[at] as Token
  if (/^\d{5}$/.test(text) && isZipAfter(tokens, at)) return { values: [`zip ${text}`], from: at, to: at }
  const spoken = spokenNumberAt(tokens, at)
  if (spoken !== undefined) return spoken
  if (!/^\d+$/.test(text)) return undefined
  const named = spanishStreetBefore(tokens, at)
  if (named !== undefined) return { values: [`${value} ${named.name}`], from: named.from, to: at }
  let name: string | undefined
  const first = isNamed(tokens, at) ? at + 2 : at + 1
  for (let place = first; place < tokens.length && place <= at + 6; place++) {
    const word = tokens[place] as Token
    if (word.text === '.' && directions.has(tokens[place - 1]?.text ?? '')) continue
    if (word.kind === 'number' && name === undefined && place === at + 1) return undefined
    if (/^(?:de|del|la)$/.test(word.text) && name === undefined) continue
    if (word.kind === 'sign' || notNames.has(word.text)) return undefined
    // `2 de junio en 30 Coral Way` is a date, followed by an address.
    if (word.kind === 'number' && name !== undefined) return undefined
    if (name === undefined && directions.has(word.text)) continue
    if (name === undefined && wholeNames.has(word.text) && !kinds.has(tokens[place + 1]?.text ?? ''))
      return { values: [`${value} ${word.text}`], from: at, to: place }
    if (name === undefined && spanish.has(word.text) && tokens[place + 1]?.kind === 'word') {
      const next = tokens[place + 1] as Token
      return notNames.has(next.text)
        ? undefined
        : { values: [`${value} ${next.text}`], from: at, to: place + 1 }
    }
    const kind = kinds.get(word.text)
    if (name !== undefined && kind !== undefined)
      return { values: [`${value} ${name} ${kind}`], from: at, to: place }
    name ??= word.kind === 'number' ? String(word.value) : word.text
  }
  return undefined
}

/** Streets whose names have no kind. */
const wholeNames = new Set('broadway bowery embarcadero esplanade'.split(' '))

/** `number 3305 on Willow Bend Drive` */
const isNamed = (tokens: readonly Token[], at: number): boolean =>
  /^(?:#|number|no|numero)$/.test(tokens[at - 1]?.text ?? '') &&
  /^(?:on|of|en)$/.test(tokens[at + 1]?.text ?? '')

/** `seven-oh-four Sycamore Lane`: a number in several words, then a street's name and kind. */
function spokenNumberAt(tokens: readonly Token[], at: number): Address | undefined {
  let [digits, parts, place] = ['', 0, at]
  for (; place < at + 8; place++) {
    const { kind, text, value } = tokens[place] ?? { kind: 'sign', text: '.', value: 0 }
    if (text === '-') continue
    const isZero = text === 'oh' || text === 'o'
    if (!isZero && (kind !== 'number' || /\d/.test(text) || !Number.isInteger(value))) break
    digits += isZero ? '0' : String(value)
    parts++
  }
  const name = tokens[place]
  if (parts < 2 || name?.kind !== 'word' || notNames.has(name.text)) return undefined
  const to = [place + 1, place + 2].find((one) => kinds.has(tokens[one]?.text ?? ''))
  if (to === undefined) return undefined
  return { values: [`${digits} ${name.text} ${kinds.get(tokens[to]?.text ?? '')}`], from: at, to }
}

/** `Unit 4B`, `apartamento 12`, `Suite 300`. */
export function unitNumberAt(tokens: readonly Token[], at: number): Address | undefined {
  if (!unitKinds.test(tokens[at]?.text ?? '')) return undefined
  let number = at + 1
  while (number < at + 3 && /^(?:#|number|no|numero|\.)$/.test(tokens[number]?.text ?? '')) number++
  const [token, letter] = [tokens[number], tokens[number + 1]]
  if (token?.kind !== 'number' || !/^\d/.test(token.text)) return undefined
  const isGlued = letter?.kind === 'word' && letter.text.length === 1 && letter.start === token.end
  return {
    values: [`unit ${token.text}${isGlued ? letter.text : ''}`],
    from: at,
    to: isGlued ? number + 1 : number,
  }
}

/** The form of a fact's address without the kind of street. */
export function addressesOf(value: string): string[] {
  const [, street] = /^address (\d+ \S+) \S+$/.exec(value) ?? []
  return street === undefined ? [] : [`address ${street}`]
}

/** `ZIP code 60614`, `código postal 60614`, `Evanston, IL 60614`. */
function isZipAfter(tokens: readonly Token[], at: number): boolean {
  const [last, before] = [tokens[at - 1]?.text ?? '', tokens[at - 2]?.text ?? '']
  return (
    tokens[at + 1]?.text === 'zip' ||
    tokens.slice(Math.max(0, at - 4), at).some(({ text }) => text === 'zip' || text === 'postal') ||
    (/^[a-z]{2}$/.test(last) && before === ',')
  )
}

/** `calle Roble 215`, `Avenida Juárez #45`. */
function spanishStreetBefore(
  tokens: readonly Token[],
  at: number,
): { name: string; from: number } | undefined {
  for (let from = at - 2; from >= 0 && from >= at - 6; from--) {
    const word = tokens[from] as Token
    if (word.kind === 'sign' && word.text !== '#') return undefined
    const name = tokens[from + 1]
    if (spanish.has(word.text) && name?.kind === 'word' && !notNames.has(name.text))
      return { name: name.text, from }
  }
  return undefined
}
