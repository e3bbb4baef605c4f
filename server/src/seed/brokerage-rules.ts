export const teams = {
  buyers: 'Buyer specialists',
  sellers: 'Listing team',
  relocation: 'Relocation desk',
  investments: 'Multi-unit & investment',
  suburbs: 'North Shore team',
} as const

/** IDs of members and teams, by name. */
export interface BrokerageNames {
  member(name: string): string
  team(name: string): string
}

/** Rules that took effect a number of days ago. */
export interface RulesOfDays {
  daysAgo: number
  document(names: BrokerageNames): object
}

const timezone = 'America/Chicago'
const fallbackOn = (member_id: string) => ({ fallback: [{ member_id }] })
const test = (field: string, operator: string, value: unknown) => ({ field, operator, value })

const northShore = '60022 60035 60043 60076 60077 60091 60093 60201 60202 60203'.split(' ')
const forms = ['Website', 'Listing portal', 'Social ad']

/** Leads that go to a particular member. */
const byPerson = ({ member, team }: BrokerageNames) => [
  {
    name: 'Past clients and sphere keep their agent',
    priority: 10,
    conditions: test('stage', 'in', ['ACTIVE_CLIENT', 'PAST_CLIENT', 'SPHERE']),
    method: 'sticky',
    pool: { everyone: true },
    ...fallbackOn(member('Marguerite Hollis')),
  },
  {
    name: 'Luxury, from $1.2M',
    priority: 20,
    conditions: {
      all: [
        test('price', 'gte', 1_200_000),
        { none: [test('context.intent', 'eq', 'invest'), test('source', 'eq', 'Home valuation page')] },
      ],
    },
    method: 'weighted',
    pool: { members: ['Marguerite Hollis', 'Joanna Wilczek', 'Soo-jin Bae'].map(member) },
    weights: { [member('Joanna Wilczek')]: 3, [member('Soo-jin Bae')]: 2 },
    on_match: { tags: ['luxury'] },
    ...fallbackOn(member('Marguerite Hollis')),
  },
  {
    name: 'Relocation partners',
    priority: 30,
    conditions: test('source', 'eq', 'Relocation partner'),
    method: 'first_to_claim',
    claim_seconds: 900,
    pool: { team_id: team(teams.relocation) },
    on_match: { tags: ['relocation'] },
    fallback: [{ method: 'least_recently_assigned' }, { member_id: member('Ines Carvalho') }],
  },
  {
    name: 'Spanish speakers',
    priority: 40,
    conditions: test('context.language', 'in', ['es', 'Spanish', 'Español']),
    method: 'direct',
    pool: { members: [member('Rubén Arriaga')] },
    on_match: { tags: ['habla español'] },
    ...fallbackOn(member('Priscilla Okonkwo')),
  },
]

const byTeam = ({ member, team }: BrokerageNames) => [
  {
    name: 'Investors',
    priority: 50,
    conditions: {
      any: [
        test('context.intent', 'eq', 'invest'),
        test('tags', 'has_any', ['investor', 'multi-unit', '1031 exchange']),
      ],
    },
    method: 'least_loaded',
    pool: { team_id: team(teams.investments) },
    caps: { open: 40, per_day: 4 },
    fallback: [{ method: 'pond' }],
  },
  {
    name: 'Home valuations',
    priority: 60,
    conditions: test('source', 'eq', 'Home valuation page'),
    method: 'weighted',
    pool: { team_id: team(teams.sellers) },
    weights: { [member('Joanna Wilczek')]: 3, [member('Soo-jin Bae')]: 2, [member('Desmond Achebe')]: 1 },
    on_match: { tags: ['seller'] },
  },
  {
    name: 'North Shore',
    priority: 70,
    conditions: test('zip', 'in', northShore),
    method: 'round_robin',
    pool: { team_id: team(teams.suburbs) },
    on_match: { tags: ['north shore'] },
  },
]

const cold = {
  name: 'Cold portal leads',
  priority: 80,
  conditions: {
    all: [
      test('source', 'in', ['Listing portal', 'Social ad']),
      { field: 'price', operator: 'not_exists' },
      test('context.timeframe', 'eq', 'just looking'),
    ],
  },
  method: 'pond',
  pool: { role: 'agent' },
}

const inOfficeHours = ({ team }: BrokerageNames) => ({
  name: 'City buyers, in office hours',
  priority: 90,
  conditions: { all: [test('source', 'in', forms), test('city', 'eq', 'Chicago')] },
  schedule: { from: '08:00', to: '20:00', outside: 'hold' },
  method: 'round_robin',
  pool: { team_id: team(teams.buyers) },
  caps: { per_day: 8 },
})

const fallback = ({ member }: BrokerageNames) => ({
  name: 'Longest without a lead',
  method: 'least_recently_assigned',
  pool: { role: 'agent' },
  sticky: { existing_owner: true },
  ...fallbackOn(member('Marguerite Hollis')),
})

/** The brokerage's rules: eight at first, and after a spring of portal leads, a pond for the cold ones. */
export const brokerageRules: readonly RulesOfDays[] = [
  {
    daysAgo: 301,
    document: (names) => ({
      timezone,
      default: fallback(names),
      rules: [...byPerson(names), ...byTeam(names), inOfficeHours(names)],
    }),
  },
  {
    daysAgo: 120,
    document: (names) => ({
      timezone,
      default: fallback(names),
      rules: [...byPerson(names), ...byTeam(names), cold, inOfficeHours(names)],
    }),
  },
]
