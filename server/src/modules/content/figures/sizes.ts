import type { Token } from './numbers.ts'

const units = new Map<string, string>(
  Object.entries({
    area: 'sqft sf square sq pies metros m2 area living',
    acre: 'acre acres hectarea hectareas lot',
    bed: 'bedroom bedrooms bed beds br bd bdrm recamara recamaras habitacion habitaciones dormitorio dormitorios alcoba alcobas cuarto cuartos',
    bath: 'bath baths bathroom bathrooms ba bano banos',
    length: 'feet foot ft metro meter meters yard yards',
    mile: 'mile miles mi milla millas',
    km: 'km kilometer kilometers kilometro kilometros',
    block: 'block blocks cuadra cuadras',
    car: 'car cars carro carros coche coches',
    story: 'story stories storey level levels piso pisos floor floors planta plantas',
  }).flatMap(([unit, names]) => names.split(' ').map((name) => [name, unit] as const)),
)
const counted = new Set(['bed', 'bath', 'car', 'story'])
/** A number of cars counts only near one of these: “3-car garage”. */
const parked = /^(?:garage|garages|carport|driveway|parking|cochera|garaje|attached|detached)$/
const ordinals =
  /^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|primero|primera|segundo|segunda|tercer|tercero|tercera)$/
const travelled =
  /^(?:walk|walking|drive|driving|ride|stroll|bike|biking|commute|train|bus|foot|away|hike|flight|caminando|pie|carro|coche|auto|tren|camion|manejando|andando)$/
const travels = /^(?:walk|walking|drive|driving|ride|commute|stroll|hike|caminata|trayecto)$/
/** “It takes ten minutes to fill in” is not a distance. */
const taken = /^(?:take|takes|took|taking|need|needs|toma|tarda|tarde|give|spend)$/
const lasted =
  /^(?:ago|old|lease|leases|term|terms|contract|contrato|notice|market|mercado|antiguedad|away|minimum|due|warranty|garantia|viejo|vieja)$/

/** The unit that a word names. */
export const unitOf = (name: string): string | undefined => units.get(name)

interface Size {
  unit: string
  value: number
  to: number
  /** Whether it is a count that a question may ask about. */
  isCount: boolean
}

/** Reads a size that starts with a number: a count of rooms, an area, a distance, a floor, or a duration. */
export function sizeAt(tokens: readonly Token[], at: number): Size | undefined {
  const { value, text: raw } = tokens[at] as Token
  const text = (i: number) => tokens[i]?.text ?? ''
  if (ordinals.test(raw))
    return raw === 'third' || raw === 'fourth' ? partAt(tokens, at) : floorAt(tokens, at)
  const whole = fractionAt(tokens, at)
  if (whole !== undefined) return whole
  let to = at + 1
  while (
    to < at + 5 &&
    /^(?:-|\+|plus|or|more|mas|o|an?|full|large|de|of|new|city|short|long)$/.test(text(to))
  )
    to++
  const lasting = durationAt(tokens, at, to)
  if (lasting !== undefined) return lasting
  let unit = units.get(text(to))
  if (unit === undefined && /^(?:by|x|por)$/.test(text(at + 1)) && tokens[at + 2]?.kind === 'number')
    return { unit: 'length', value, to: at + 2, isCount: false }
  if (text(to) === 'living' || text(to) === 'lot' || text(to) === 'area') unit = undefined
  if (unit === undefined) return floorAt(tokens, at)
  if (unit === 'car' && !tokens.slice(Math.max(0, at - 3), to + 4).some((one) => parked.test(one.text)))
    return undefined
  if (unit === 'story' && (value < 2 || /^(?:plan|plans|de|below|above|up|down)$/.test(text(to + 1))))
    return undefined
  if (unit === 'block' && /^(?:of|party)$/.test(text(to + 1))) return undefined
  if (/^(?:square|sq|pies|metros)$/.test(text(to))) {
    const next = text(to + 1) === '-' ? to + 2 : to + 1
    if (/^(?:feet|foot|ft|cuadrados|meters)$/.test(text(next))) to = next
    else if (text(to + 1) !== '.') return undefined
  }
  const half = unit === 'bath' || unit === 'mile' || unit === 'acre' ? halfAfter(tokens, to) : undefined
  return { unit, value: half === undefined ? value : value + 0.5, to: half ?? to, isCount: counted.has(unit) }
}

/** `dos baños y medio`, `two baths and a half`. */
function halfAfter(tokens: readonly Token[], unit: number): number | undefined {
  if (!/^(?:y|and)$/.test(tokens[unit + 1]?.text ?? '')) return undefined
  const half = tokens[unit + 2]?.text === 'a' ? unit + 3 : unit + 2
  return tokens[half]?.value === 0.5 ? half : undefined
}

/** `un acre y medio`, `de acre y medio`, `a mile and a half`. */
export function oneAndHalfAt(
  tokens: readonly Token[],
  at: number,
): { values: string[]; to: number } | undefined {
  const own = tokens[at]?.text ?? ''
  if (/^(?:acre|hectarea|milla)$/.test(own)) {
    const end = tokens[at - 1]?.text === 'de' ? halfAfter(tokens, at) : undefined
    return end === undefined ? undefined : { values: [`${units.get(own)} 1.5`], to: end }
  }
  const unit = units.get(tokens[at + 1]?.text ?? '')
  if (!/^(?:un|una|an?)$/.test(own) || (unit !== 'acre' && unit !== 'mile' && unit !== 'bath'))
    return undefined
  const to = halfAfter(tokens, at + 1)
  return to === undefined ? undefined : { values: [`${unit} 1.5`], to }
}

/** `a third of an acre`, `a quarter mile`. */
export function partAt(tokens: readonly Token[], at: number): Size | undefined {
  const parts: Readonly<Record<string, number>> = { third: 0.33, fourth: 0.25, quarter: 0.25 }
  const value = parts[tokens[at]?.text ?? '']
  if (value === undefined) return undefined
  let to = at + 1
  while (to < at + 4 && /^(?:of|an?|-)$/.test(tokens[to]?.text ?? '')) to++
  const unit = units.get(tokens[to]?.text ?? '')
  return unit === 'acre' || unit === 'mile' ? { unit, value, to, isCount: false } : undefined
}

/** `1/3 acre`. */
function fractionAt(tokens: readonly Token[], at: number): Size | undefined {
  const [slash, below] = [tokens[at + 1], tokens[at + 2]]
  if (slash?.text !== '/' || below?.kind !== 'number' || below.value < 2) return undefined
  let to = at + 3
  while (to < at + 6 && /^(?:of|an?|-|de)$/.test(tokens[to]?.text ?? '')) to++
  const unit = units.get(tokens[to]?.text ?? '')
  if (unit !== 'acre' && unit !== 'mile') return undefined
  return { unit, value: Math.round(((tokens[at]?.value ?? 0) / below.value) * 100) / 100, to, isCount: false }
}

/** `the 19th floor`, `piso veinte`: third floor and up. */
function floorAt(tokens: readonly Token[], at: number): Size | undefined {
  const { value, text: raw } = tokens[at] as Token
  const suffixed = /^(?:st|nd|rd|th)$/.test(tokens[at + 1]?.text ?? '')
  const next = tokens[suffixed ? at + 2 : at + 1]?.text ?? ''
  if ((suffixed || ordinals.test(raw)) && /^(?:floor|piso)$/.test(next) && value > 2)
    return { unit: 'floor', value, to: suffixed ? at + 2 : at + 1, isCount: false }
  return /^(?:piso|floor)$/.test(tokens[at - 1]?.text ?? '') && value > 2
    ? { unit: 'floor', value, to: at, isCount: false }
    : undefined
}

const spans = new Map(
  Object.entries({
    minute: 'minute minutes min mins minuto minutos',
    hour: 'hour hours hora horas',
    day: 'day days dia dias',
    week: 'week weeks semana semanas',
    month: 'month months mes meses',
    year: 'year years yr yrs ano anos',
  }).flatMap(([span, names]) => names.split(' ').map((name) => [name, span] as const)),
)

/** `a ten-minute walk`, `a 5 minutos del metro`, `12 days on the market`, `14-month lease`. Ignores other durations. */
function durationAt(tokens: readonly Token[], at: number, to: number): Size | undefined {
  const span = spans.get(tokens[to]?.text ?? '')
  const { value } = tokens[at] as Token
  if (span === undefined) return undefined
  const after = tokens.slice(to + 1, to + 5)
  const before = tokens.slice(Math.max(0, at - 4), at)
  const isTravel =
    (span === 'minute' || span === 'hour') &&
    (after.some(({ text }) => travelled.test(text)) ||
      before.some(({ text }) => travels.test(text)) ||
      (/^(?:from|to|de|del|desde)$/.test(after[0]?.text ?? '') &&
        !before.some(({ text }) => taken.test(text))))
  const isLasting =
    span !== 'minute' &&
    span !== 'hour' &&
    (after.some(({ text }) => lasted.test(text)) ||
      before.some(({ text }) =>
        /^(?:lease|listed|vacant|publicada|within|hace|term|contrato|market|notice|close|closes)$/.test(text),
      ))
  return isTravel || isLasting ? { unit: span, value, to, isCount: false } : undefined
}

const namesOfAreas: readonly (readonly ['home' | 'lot', RegExp])[] = [
  ['lot', /^(?:lot|lots|parcel|land|terreno|lote|solar)$/],
  ['home', /^(?:living|interior|heated|finished|inside|habitable|habitables|construccion|construidos)$/],
]

/** “1,640 square feet on a lot”. */
const goesOn = /^(?:on|with|and|plus|in|en|con|y)$/

/** Whether the area at these tokens is the home's or the lot's, if a nearby word says so: “a lot of 8,200 square feet”. */
export function areaNameOf(tokens: readonly Token[], at: number, to: number): 'home' | 'lot' | undefined {
  const ends = (token: Token | undefined) =>
    token === undefined || token.kind === 'number' || /^[.,;!?]$/.test(token.text)
  const nameOf = (token: Token | undefined) =>
    namesOfAreas.find(([, pattern]) => pattern.test(token?.text ?? ''))?.[0]
  for (
    let next = to + 1;
    next <= to + 3 && !ends(tokens[next]) && !goesOn.test(tokens[next]?.text ?? '');
    next++
  ) {
    const name = nameOf(tokens[next])
    if (name !== undefined) return name
  }
  for (let before = at - 1; before >= at - 7 && !ends(tokens[before]); before--) {
    const name = nameOf(tokens[before])
    if (name !== undefined) return name
  }
  return undefined
}

/** All forms of a size, so that equal sizes share a form: a year is twelve months. */
export function formsOfSize(
  { unit, value }: Pick<Size, 'unit' | 'value'>,
  name: 'home' | 'lot' | undefined,
): string[] {
  const own = unit === 'area' && name === 'lot' ? `area of lot ${value}` : `${unit} ${value}`
  const [many, bigger, smaller] = scales.find(([, ...both]) => both.includes(unit)) ?? []
  if (many === undefined) return [own]
  return [own, unit === bigger ? `${smaller} ${value * many}` : `${bigger} ${value / many}`]
}

const scales: readonly (readonly [number, string, string])[] = [
  [12, 'year', 'month'],
  [7, 'week', 'day'],
]
