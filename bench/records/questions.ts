import type { Database } from '@gable/server/src/kernel/db/database.ts'
import type { Db, Reach } from '@gable/server/src/kernel/db/handles.ts'
import { type Page, createPage, newestFirst } from '@gable/server/src/kernel/http/paging.ts'
import {
  listAppointments,
  listAppointmentsWithin,
} from '@gable/server/src/modules/calendar/appointment-queries.ts'
import { listTasks, listTasksWithin } from '@gable/server/src/modules/calendar/tasks/queries.ts'
import { daysOf } from '@gable/server/src/modules/calendar/view/range.ts'
import { readBoard } from '@gable/server/src/modules/deals/board/read-board.ts'
import { listDealDatesWithin } from '@gable/server/src/modules/deals/date-queries.ts'
import { listDeals, searchDeals } from '@gable/server/src/modules/deals/queries.ts'
import { listOpenHousesWithin } from '@gable/server/src/modules/listings/open-house-queries.ts'
import { listListings } from '@gable/server/src/modules/listings/queries.ts'
import type { Question } from '../question-times.ts'
import { boardDeals, recordId } from './fill.ts'
import type { Brokerage } from './scene.ts'

type Asked = Record<string, string | number | string[]>

interface List {
  noun: string
  kind: Parameters<typeof recordId>[0]
  filters: Asked[]
  /** Whether its statements run on the connections for searches, which plan them each time. */
  searches(filters: Asked): boolean
  list(db: Db, filters: Asked, page: Page): Promise<unknown>
}

/** These filters take several values. */
const choices = new Set(['status', 'type', 'property_type', 'outcome'])

const each = <K extends string>(name: K, ...values: string[]) =>
  values.map((value) => ({ [name]: choices.has(name) ? [value] : value }))

/** Every filter of every list alone, and the combinations that people use. */
const listsOf = ({ memberIds }: Brokerage): List[] => {
  const [owner_id = ''] = memberIds
  const contact_id = recordId('c', 7)
  const december = { expected_close_from: '2026-12-01', expected_close_to: '2026-12-31' }
  const week = { from: '2026-11-09T00:00:00Z', to: '2026-11-16T00:00:00Z' }
  const due = { due_after: week.from, due_before: week.to }
  return [
    {
      noun: 'deals',
      kind: 'd',
      searches: ({ q }) => q !== undefined,
      list: (db, filters, page) =>
        typeof filters['q'] === 'string'
          ? searchDeals(db, filters, [filters['q']], page)
          : listDeals(db, filters, page),
      filters: [
        {},
        ...each('status', 'open', 'won', 'cancelled'),
        ...each('type', 'seller', 'landlord'),
        { owner_id },
        { owner_id, status: ['open'] },
        { contact_id },
        { contact_id, status: ['open'] },
        { expected_close_from: december.expected_close_from },
        { expected_close_to: december.expected_close_to },
        december,
        { ...december, status: ['open'] },
        ...each('q', 'client', '777', 'absent'),
        { q: '999', status: ['open'] },
      ],
    },
    {
      noun: 'listings',
      kind: 'l',
      searches: () => true,
      list: (db, filters, page) => listListings(db, filters, page),
      filters: [
        {},
        ...each('status', 'active', 'coming_soon', 'hold'),
        ...each('property_type', 'land', 'farm'),
        ...each('city', 'City 7', 'Nowhere'),
        ...each('postal_code', '60007'),
        { list_agent_id: owner_id },
        { list_agent_id: owner_id, status: ['active'] },
        { price_min: 990_000 },
        { price_max: 60_000 },
        { price_min: 400_000, price_max: 405_000, status: ['active'] },
        { bedrooms_min: 6 },
        { bedrooms_min: 6, city: 'City 7', status: ['active'] },
        ...each('q', 'elm', 'mls77777', 'nothing'),
      ],
    },
    {
      noun: 'appointments',
      kind: 'a',
      searches: () => false,
      list: (db, filters, page) => listAppointments(db, filters, page),
      filters: [
        {},
        ...each('status', 'scheduled', 'completed', 'cancelled'),
        ...each('type', 'closing', 'video'),
        ...each('outcome', 'showed', 'no-show'),
        { host_id: owner_id },
        { host_id: owner_id, status: ['scheduled'] },
        { contact_id },
        week,
        { ...week, host_id: owner_id },
        { from: week.from },
        { to: week.to },
      ],
    },
    {
      noun: 'tasks',
      kind: 't',
      searches: () => false,
      list: (db, filters, page) => listTasks(db, filters, page, new Date()),
      filters: [
        {},
        ...each('status', 'open', 'cancelled'),
        ...each('type', 'email', 'text'),
        { assignee_id: owner_id },
        { assignee_id: owner_id, status: ['open'] },
        { contact_id },
        due,
        { ...due, assignee_id: owner_id },
        { due_before: due.due_before, status: ['open'] },
        { due_after: due.due_after },
      ],
    },
  ]
}

/**
 * Queries against a workspace with this many records of each kind: lists with and without filters, boards, and
 * calendars.
 */
export function questionsAbout(brokerage: Brokerage, count: number): Question[] {
  const { workspaceId, memberIds } = brokerage
  const agent: Reach = memberIds.slice(0, 1)
  const lists = listsOf(brokerage).flatMap(({ noun, kind, filters, searches, list }) =>
    filters.flatMap((asked): Question[] => {
      const isWhole = Object.keys(asked).length === 0
      const named =
        Object.entries(asked)
          .map(([name, value]) => `${name} ${value}`)
          .join(', ') || 'no filter'
      const question = (what: string, reach: Reach, after: string | null): Question => ({
        kind: `${noun}: ${isWhole ? 'no filter' : 'filters'}${what}`,
        named,
        ask(database) {
          const db = searches(asked)
            ? database.searches(workspaceId, reach)
            : database.reads(workspaceId, reach)
          return list(db, asked, createPage(after === null ? null : { id: after }, 50, '', newestFirst))
        },
      })
      return [
        question('', 'all', null),
        question(', a later page', 'all', recordId(kind, Math.floor(count / 3))),
        question(', of an agent', agent, null),
      ]
    }),
  )
  return [...lists, ...boards(brokerage, agent), ...calendars(workspaceId, agent)]
}

/** The pipeline with 10,000 deals, the one with all other deals, and one without any. */
const boards = ({ workspaceId, pipelineIds: [all = '', none = '', board = ''] }: Brokerage, agent: Reach) =>
  Object.entries({ [`${boardDeals} deals`]: board, 'no deals': none, 'all other deals': all }).flatMap(
    ([named, id]) =>
      (['all', agent] as const).map((reach): Question => ({
        kind: `board of ${named}${reach === 'all' ? '' : ', of an agent'}`,
        named,
        ask: (database) => readBoard(database.reads(workspaceId, reach), id, {}),
      })),
  )

const dayMs = 24 * 3_600_000

const calendars = (workspaceId: string, agent: Reach): Question[] =>
  [1, 7, 62].flatMap((days) =>
    (['all', agent] as const).map((reach): Question => {
      const from = new Date('2026-09-01T05:00:00Z')
      const range = { from, to: new Date(from.getTime() + days * dayMs) }
      return {
        kind: `calendar${reach === 'all' ? '' : ', of an agent'}`,
        named: `${days} days`,
        ask: (database: Database) => {
          const db = database.searches(workspaceId, reach)
          return Promise.all([
            listAppointmentsWithin(db, range, undefined, 2001),
            listTasksWithin(db, range, undefined, 2001),
            listOpenHousesWithin(db, range, undefined, 2001),
            listDealDatesWithin(db, daysOf(range, 'America/Chicago'), undefined, 2001),
          ])
        },
      }
    }),
  )
