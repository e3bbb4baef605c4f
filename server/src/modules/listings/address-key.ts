import { fold } from '../contacts/public.ts'

interface Address {
  street_number: string | null
  street_name: string | null
  unit_number: string | null
  postal_code: string | null
}

/** Words and their Postal Service abbreviations, preferred abbreviation first. */
const abbreviations = `avenue ave av, boulevard blvd, circle cir, court ct, cove cv, crossing xing, drive dr, east e,
expressway expy, freeway fwy, heights hts, highway hwy, lane ln, mount mt, mountain mtn, north n, northeast ne, northwest nw,
parkway pkwy, place pl, plaza plz, point pt, road rd, route rte, saint st, south s, southeast se, southwest sw, square sq,
street st str, terrace ter, trail trl, turnpike tpke, west w`

/** Maps every spelling of a word to its preferred abbreviation, such as `court` to `ct`. */
const shortest = new Map(
  abbreviations.split(/,\s+/).flatMap((line) => {
    const [word = '', short = word, ...others] = line.split(' ')
    return [word, ...others].map((one) => [one, short] as const)
  }),
)

const words = (text: string | null): string[] =>
  fold(text ?? '')
    .replaceAll(/['’.]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

const designators = new Set(['apartment', 'apt', 'unit', 'suite', 'ste', 'no', 'number'])

/**
 * Normalizes street, unit, and ZIP to one string, so that different spellings of an address match: `48 Alder Court,
 * Apt. 3B, 60201` and `48 ALDER CT #3b 60201-4410`. Null without a street name or a ZIP.
 */
export function addressKey({ street_number, street_name, unit_number, postal_code }: Address): string | null {
  const street = words(street_name).map((word) => shortest.get(word) ?? word)
  const zip = words(postal_code)
    .join('')
    .replace(/^(\d{5})\d{4}$/, '$1')
  if (street.length === 0 || zip === '') return null
  const unit = words(unit_number)
  const bare = unit.length > 1 && designators.has(unit[0] ?? '') ? unit.slice(1) : unit
  return [[...words(street_number), ...street].join(' '), bare.join(''), zip].join('|')
}
