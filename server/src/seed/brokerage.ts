import type { Hours } from '../modules/routing/public.ts'
import type { Role } from '../modules/workspaces/public.ts'
import { type RulesOfDays, brokerageRules, teams } from './brokerage-rules.ts'
import type { Lines } from './connect-senders.ts'

export interface CastMember {
  name: string
  email: string
  role: Role
  /** The name of an office; null for none. */
  office: string | null
  /** Names of teams. */
  teams: string[]
  /** Their share of the contacts, relative to the other members. */
  share: number
  /** When they take leads; always, if omitted. */
  shifts?: Hours[]
  /** Has left the company. The member remains for the history and owns no contacts. */
  left?: true
}

export interface Staffing {
  offices: string[]
  teams: { name: string; office: string | null }[]
  members: CastMember[]
}

export interface Company extends Staffing {
  name: string
  /** Shows one of everything, from a full day to a campaign in each status. */
  isMain: boolean
  /** The senders of its messages. */
  lines: Lines
  /** For how many days before the end online inquiries come in as leads. Earlier ones were entered by a member. */
  leadDays: number
  /** Routing rules; the built-in ones if empty. */
  rules: readonly RulesOfDays[]
  /** The member who takes no new leads for about a week, starting shortly before the end. */
  onLeave?: string
  contacts: number
  /** In addition to the listings of contacts who sell. */
  listings: number
  /** How many days ago the first contact came. */
  ageDays: number
  /** A different seed produces different people. */
  seed: number
}

const at = (name: string) => `${name}@lanternandoak.example`
const { buyers, sellers, relocation, investments, suburbs } = teams

const weekdays: Hours['days'] = ['mon', 'tue', 'wed', 'thu', 'fri']

/** A brokerage of a dozen people in and around Chicago. */
const brokerage: Company = {
  name: 'Lantern & Oak Realty',
  isMain: true,
  lines: { phone: '+13125550199', whatsapp: '+13125550198', email: at('hello') },
  rules: brokerageRules,
  onLeave: 'Calvin Oyelaran',
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
      shifts: [
        { days: weekdays, from: '08:00', to: '20:00' },
        { days: ['sat'], from: '09:00', to: '17:00' },
      ],
    },
    {
      name: 'Priscilla Okonkwo',
      email: at('priscilla'),
      role: 'agent',
      office: 'Lincoln Park',
      teams: [buyers, relocation],
      share: 12,
      shifts: [{ days: ['tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '09:00', to: '20:00' }],
    },
    {
      name: 'Rubén Arriaga',
      email: at('ruben'),
      role: 'agent',
      office: 'Lincoln Park',
      teams: [buyers, investments],
      share: 11,
      shifts: [{ days: [...weekdays, 'sat'], from: '08:00', to: '20:00' }],
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
      shifts: [{ days: weekdays, from: '07:00', to: '19:00' }],
    },
    {
      name: 'Soo-jin Bae',
      email: at('soojin'),
      role: 'agent',
      office: 'Evanston',
      teams: [suburbs, sellers],
      share: 9,
      shifts: [{ days: ['wed', 'thu', 'fri', 'sat', 'sun'], from: '09:00', to: '21:00' }],
    },
    {
      name: 'Farah Siddiqui',
      email: at('farah'),
      role: 'agent',
      office: 'Naperville',
      teams: [relocation],
      share: 8,
      shifts: [{ days: weekdays, from: '08:00', to: '18:00' }],
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
  contacts: 46,
  listings: 20,
  ageDays: 545,
  leadDays: 300,
  seed: 20_250_301,
}

/** One person with a handful of contacts: a workspace in its second month. */
const soloAgent: Company = {
  name: 'Juniper Street Homes',
  isMain: false,
  lines: { phone: '+13125550197', whatsapp: '+13125550196', email: 'hello@juniperstreet.example' },
  rules: [],
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
  listings: 1,
  ageDays: 55,
  leadDays: 55,
  seed: 20_260_108,
}

export const companies: readonly Company[] = [brokerage, soloAgent]
