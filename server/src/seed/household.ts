import type { Random } from './random.ts'

export const kinds = ['buyer', 'seller', 'renter', 'investor'] as const
export type Kind = (typeof kinds)[number]

/** What a contact is after. Every note about them speaks of the same home, budget and people. */
export interface Household {
  kind: Kind
  /** What the slots of a phrase are filled with. */
  slots: Record<'area' | 'street' | 'budget' | 'beds' | 'feature' | 'partner' | 'lender', string>
}

const areas = [
  'Logan Square',
  'Lincoln Park',
  'Andersonville',
  'Hyde Park',
  'Bridgeport',
  'Pilsen',
  'Beverly',
  'Ravenswood',
  'South Loop',
  'West Town',
  'Evanston',
  'Oak Park',
  'Wilmette',
  'Skokie',
  'Naperville',
  'Downers Grove',
  'Wheaton',
  'Elmhurst',
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

const dollars = (thousands: number) =>
  thousands < 1000 ? `$${thousands}k` : `$${(thousands / 1000).toFixed(2).replace(/0+$/, '')}M`

/** In steps that people say aloud. */
const budgets: Record<Kind, readonly [from: number, to: number, unit: (steps: number) => string]> = {
  buyer: [11, 48, (steps) => dollars(steps * 25)],
  seller: [12, 60, (steps) => dollars(steps * 25)],
  renter: [15, 40, (steps) => `$${(steps * 100).toLocaleString('en-US')} a month`],
  investor: [4, 22, (steps) => `$${(steps / 10 + 0.2).toFixed(1)}M`],
}

export function drawHousehold(random: Random): Household {
  const kind = random.weighted([
    ['buyer', 58],
    ['seller', 24],
    ['renter', 10],
    ['investor', 8],
  ])
  const [from, to, unit] = budgets[kind]
  return {
    kind,
    slots: {
      area: random.pick(areas),
      street: address(random),
      budget: unit(random.integer(from, to)),
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

/** The phrase about this household. `{day}` and `{seen}`, an address among many, are drawn anew each time. */
export function fill(phrase: string, { slots }: Household, random: Random): string {
  const words: Record<string, string> = { ...slots, day: random.pick(days), seen: address(random) }
  return phrase
    .replaceAll(/\{(\w+)\}/g, (slot, name: string) => words[name] ?? slot)
    .replaceAll(/(?:^|[.!?] )[a-z]/g, (start) => start.toUpperCase())
}
