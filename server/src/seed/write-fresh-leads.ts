import { type Kind, drawHousehold } from './cast/household.ts'
import type { Person } from './cast/people.ts'
import { drawInquiry } from './inquiry.ts'
import type { Random } from './random.ts'
import type { SeedAgent, Story } from './teller.ts'

interface FreshLead {
  minutesAgo: number
  source: string
  kind: Kind
  context?: object
  /** Whether and when someone claims it, if it is offered. */
  luck?: readonly [whether: number, when: number]
}

const minutes = (hours: number) => hours * 60

/** One for each rule, and one whose offer is still open. */
const freshLeads: readonly FreshLead[] = [
  { minutesAgo: minutes(31), source: 'Home valuation page', kind: 'seller' },
  { minutesAgo: minutes(27), source: 'Website', kind: 'buyer', context: { price: 1_450_000 } },
  {
    minutesAgo: minutes(26),
    source: 'Listing portal',
    kind: 'buyer',
    context: { price: undefined, timeframe: 'just looking' },
    luck: [0.95, 0.5],
  },
  { minutesAgo: minutes(9), source: 'Website', kind: 'renter', context: { language: 'es' } },
  { minutesAgo: minutes(8), source: 'Website', kind: 'investor' },
  {
    minutesAgo: minutes(7),
    source: 'Website',
    kind: 'buyer',
    context: { city: 'Wilmette', zip: '60091', price: 640_000 },
  },
  { minutesAgo: minutes(6), source: 'Relocation partner', kind: 'buyer', luck: [0.2, 0.4] },
  {
    minutesAgo: minutes(4),
    source: 'Website',
    kind: 'buyer',
    context: { city: 'Chicago', zip: '60614', price: 525_000 },
  },
  { minutesAgo: minutes(2), source: 'Website', kind: 'seller' },
  { minutesAgo: 4, source: 'Relocation partner', kind: 'buyer', luck: [0.9, 0.5] },
]

/** People who have inquired in the last hours before the end and wait for a response. */
export const writeFreshLeads = (
  random: Random,
  crowd: Iterator<Person, never>,
  agent: SeedAgent,
  end: Date,
): Story[] =>
  freshLeads.map(({ minutesAgo, source, kind, context, luck }) => {
    const at = new Date(end.getTime() - minutesAgo * 60_000)
    const sender = crowd.next().value
    const household = drawHousehold(random, kind)
    const drawn = drawInquiry(random, household, { sender, source, at })
    const lead = { ...drawn.lead, context: { ...drawn.lead.context, ...context } }
    const draft = { first_name: sender.first_name, last_name: sender.last_name }
    const inquiry = { lead, luck: luck ?? drawn.luck }
    return { at, draft, inquiry, agent, household, reaches: undefined, steps: [] }
  })
