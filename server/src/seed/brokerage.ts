import type { Hours } from '../modules/routing/public.ts'
import type { Role } from '../modules/workspaces/public.ts'
import { type RulesOfDays, brokerageRules, teams } from './brokerage-rules.ts'
import type { Lines } from './connect-senders.ts'

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
  /** When they take leads; always, where nothing is said. */
  shifts?: Hours[]
  /** Has left: kept for their history, and owns no contacts. */
  left?: true
}

export interface Staffing {
  offices: string[]
  teams: { name: string; office: string | null }[]
  members: CastMember[]
}

export interface Company extends Staffing {
  name: string
  /** What its messages come from. */
  lines: Lines
  /** Online inquiries of this many days before now come in as leads; earlier ones were entered by a member. */
  leadDays: number
  /** Who gets which leads; the built-in rules where there are none. */
  rules: readonly RulesOfDays[]
  /** Takes no new leads from shortly before now on, for a week. */
  onLeave?: string
  contacts: number
  /** Besides those of contacts who sell. */
  listings: number
  /** How long ago the first contact came. */
  ageDays: number
  /** Another seed, another crowd. */
  seed: number
}

const at = (name: string) => `${name}@lanternandoak.example`
const { buyers, sellers, relocation, investments, suburbs } = teams

const weekdays: Hours['days'] = ['mon', 'tue', 'wed', 'thu', 'fri']

/** A brokerage of a dozen people in and around Chicago. */
const brokerage: Company = {
  name: 'Lantern & Oak Realty',
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
  contacts: 1200,
  listings: 54,
  ageDays: 545,
  leadDays: 300,
  seed: 20_250_301,
}

/** One person with a handful of contacts: what a workspace looks like in its second month. */
const soloAgent: Company = {
  name: 'Juniper Street Homes',
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
