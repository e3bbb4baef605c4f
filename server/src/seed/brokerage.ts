import type { Role } from '../modules/workspaces/public.ts'

export interface CastMember {
  name: string
  email: string
  role: Role
  /** Name of an office; null for none. */
  office: string | null
  /** Names of teams. */
  teams: string[]
  /** How many of the contacts come to them, against the others. */
  share: number
  /** Has left: kept for what they did, and nobody's owner any more. */
  left?: true
}

export interface Staffing {
  offices: string[]
  teams: { name: string; office: string | null }[]
  members: CastMember[]
}

export interface Company extends Staffing {
  name: string
  contacts: number
  /** How long ago the first contact came. */
  ageDays: number
  /** Another seed, another crowd. */
  seed: number
}

const at = (name: string) => `${name}@lanternandoak.example`
const buyers = 'Buyer specialists'
const sellers = 'Listing team'
const relocation = 'Relocation desk'
const investments = 'Multi-unit & investment'
const suburbs = 'North Shore team'

/** A brokerage of a dozen people in and around Chicago. */
const brokerage: Company = {
  name: 'Lantern & Oak Realty',
  offices: ['Lincoln Park', 'Evanston', 'Naperville'],
  teams: [
    { name: buyers, office: 'Lincoln Park' },
    { name: sellers, office: 'Lincoln Park' },
    { name: investments, office: 'Lincoln Park' },
    { name: suburbs, office: 'Evanston' },
    { name: relocation, office: null },
  ],
  members: [
    {
      name: 'Marguerite Hollis',
      email: at('marguerite'),
      role: 'owner',
      office: 'Lincoln Park',
      teams: [],
      share: 3,
    },
    {
      name: 'Desmond Achebe',
      email: at('desmond'),
      role: 'admin',
      office: 'Lincoln Park',
      teams: [sellers],
      share: 4,
    },
    {
      name: 'Ines Carvalho',
      email: at('ines'),
      role: 'admin',
      office: 'Naperville',
      teams: [relocation],
      share: 3,
    },
    {
      name: 'Theo Lindqvist',
      email: at('theo'),
      role: 'agent',
      office: 'Lincoln Park',
      teams: [buyers],
      share: 14,
    },
    {
      name: 'Priscilla Okonkwo',
      email: at('priscilla'),
      role: 'agent',
      office: 'Lincoln Park',
      teams: [buyers, relocation],
      share: 12,
    },
    {
      name: 'Rubén Arriaga',
      email: at('ruben'),
      role: 'agent',
      office: 'Lincoln Park',
      teams: [buyers, investments],
      share: 11,
    },
    {
      name: 'Joanna Wilczek',
      email: at('joanna'),
      role: 'agent',
      office: 'Lincoln Park',
      teams: [sellers],
      share: 10,
    },
    {
      name: 'Nathaniel Pryce',
      email: at('nathaniel'),
      role: 'agent',
      office: 'Evanston',
      teams: [suburbs],
      share: 9,
    },
    {
      name: 'Soo-jin Bae',
      email: at('soojin'),
      role: 'agent',
      office: 'Evanston',
      teams: [suburbs, sellers],
      share: 9,
    },
    {
      name: 'Farah Siddiqui',
      email: at('farah'),
      role: 'agent',
      office: 'Naperville',
      teams: [relocation],
      share: 8,
    },
    {
      name: 'Calvin Oyelaran',
      email: at('calvin'),
      role: 'agent',
      office: 'Naperville',
      teams: [investments],
      share: 7,
    },
    {
      name: 'Brigid Tierney',
      email: at('brigid'),
      role: 'agent',
      office: 'Evanston',
      teams: [],
      share: 6,
      left: true,
    },
  ],
  contacts: 1200,
  ageDays: 545,
  seed: 20_250_301,
}

/** One person with a handful of contacts: what a workspace looks like in its second month. */
const soloAgent: Company = {
  name: 'Juniper Street Homes',
  offices: [],
  teams: [],
  members: [
    {
      name: 'Odette Marchand',
      email: 'odette@juniperstreet.example',
      role: 'owner',
      office: null,
      teams: [],
      share: 1,
    },
  ],
  contacts: 8,
  ageDays: 55,
  seed: 20_260_108,
}

export const companies: readonly Company[] = [brokerage, soloAgent]
