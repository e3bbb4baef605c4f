import type { Random } from '../random.ts'

export const kinds = ['buyer', 'seller', 'renter', 'investor'] as const
export type Kind = (typeof kinds)[number]

/** What a contact is looking for. All notes about them mention the same home, budget, and people. */
export interface Household {
  kind: Kind
  city: string
  zip: string
  /** What they would pay or get, in dollars; null for renters. */
  price: number | null
  /** Values for the slots of a phrase. */
  slots: Record<'area' | 'street' | 'budget' | 'beds' | 'feature' | 'partner' | 'lender', string>
}

const areas: readonly (readonly [area: string, city: string, zip: string])[] = [
  ['Logan Square', 'Chicago', '60647'],
  ['Lincoln Park', 'Chicago', '60614'],
  ['Andersonville', 'Chicago', '60640'],
  ['Hyde Park', 'Chicago', '60615'],
  ['Bridgeport', 'Chicago', '60608'],
  ['Pilsen', 'Chicago', '60608'],
  ['Beverly', 'Chicago', '60643'],
  ['Ravenswood', 'Chicago', '60625'],
  ['South Loop', 'Chicago', '60605'],
  ['West Town', 'Chicago', '60622'],
  ['Evanston', 'Evanston', '60201'],
  ['Oak Park', 'Oak Park', '60302'],
  ['Wilmette', 'Wilmette', '60091'],
  ['Skokie', 'Skokie', '60077'],
  ['Naperville', 'Naperville', '60540'],
  ['Downers Grove', 'Downers Grove', '60515'],
  ['Wheaton', 'Wheaton', '60187'],
  ['Elmhurst', 'Elmhurst', '60126'],
]
const streets = [
  'Altgeld',
  'Wrightwood',
  'Balmoral',
  'Dorchester',
  'Hoyne',
  'Kenmore',
  'Sawyer',
  'Farragut',
  'Leavitt',
  'Maple',
  'Elmwood',
  'Linden',
  'Ridgeland',
  'Forest',
  'Prairie',
  'Greenwood',
  'Walnut',
  'Harlem',
]
const features = [
  'the garden',
  'the south-facing windows',
  'a real dining room',
  'the finished basement',
  'a garage space',
  'the walk to the train',
  'the school district',
  'the porch',
  'a home office',
  'the roof deck',
]
const partners = ['their spouse', 'their partner', 'a sister', 'both parents', 'a brother', 'the family']
const lenders = [
  'a credit union',
  'the bank they have always used',
  'our preferred lender',
  'an online lender',
  'a mortgage broker',
]

const spoken = (price: number) =>
  price < 1_000_000 ? `$${price / 1000}k` : `$${(price / 1_000_000).toFixed(2).replace(/\.?0+$/, '')}M`

/** Ranges in multiples of `step` dollars, so that budgets are round amounts. */
const budgets: Record<Kind, readonly [from: number, to: number, step: number]> = {
  buyer: [11, 48, 25_000],
  seller: [12, 60, 25_000],
  renter: [15, 40, 100],
  investor: [6, 24, 100_000],
}

export function drawHousehold(random: Random, known?: Kind): Household {
  const kind =
    known ??
    random.weighted([
      ['buyer', 58],
      ['seller', 24],
      ['renter', 10],
      ['investor', 8],
    ])
  const [from, to, step] = budgets[kind]
  const [area, city, zip] = random.pick(areas)
  const amount = random.integer(from, to) * step
  return {
    kind,
    city,
    zip,
    price: kind === 'renter' ? null : amount,
    slots: {
      area,
      street: address(random),
      budget: kind === 'renter' ? `$${amount.toLocaleString('en-US')} a month` : spoken(amount),
      beds: random.weighted([
        ['2', 36],
        ['3', 42],
        ['4', 18],
        ['5', 4],
      ]),
      feature: random.pick(features),
      partner: random.pick(partners),
      lender: random.pick(lenders),
    },
  }
}

const address = (random: Random) =>
  `${random.integer(8, 59) * 100 + random.integer(1, 98)} ${random.pick(['N.', 'S.', 'W.'])} ${random.pick(streets)}`

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/**
 * Fills the slots of a phrase for this household. `{day}` and `{seen}`, an address, are drawn again for each phrase.
 */
export function fill(phrase: string, { slots }: Household, random: Random): string {
  const words: Record<string, string> = { ...slots, day: random.pick(days), seen: address(random) }
  return phrase
    .replaceAll(/\{(\w+)\}/g, (slot, name: string) => words[name] ?? slot)
    .replaceAll(/(?:^|[.!?] )[a-z]/g, (start) => start.toUpperCase())
}
