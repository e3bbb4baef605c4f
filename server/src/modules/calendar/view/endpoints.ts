import type { Ctx } from '#kernel/context.ts'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { equals, filters } from '#kernel/http/filters.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { reference } from '#kernel/records/fields.ts'
import { currentRules, listWorkingAgents } from '../../routing/public.ts'
import { listTaken } from '../appointment-queries.ts'
import { type Interval, freeTime } from './free-time.ts'
import { loadCalendar } from './load-calendar.ts'
import { rangeFilters, requestedRange } from './range.ts'
import { Availability, Calendar } from './schemas.ts'

const calendarFilters = filters({
  ...rangeFilters,
  host_id: equals(
    reference(
      'member',
      'Return only the appointments and tasks of this member, open houses of their listings, and dates of their deals.',
    ),
  ),
})

export const getCalendar = endpoint('GET /calendar', {
  scope: 'appointments:read',
  summary: 'Show a calendar',
  description:
    'Returns entries in order of time. Includes appointments and open houses that overlap the range, tasks that are due in it, and deal dates that fall on one of its days in the time zone of the workspace. Omits cancelled appointments and tasks; open houses of listings that are canceled, expired, or withdrawn; and dates of deals that are lost or cancelled. Open houses require the scope `listings:read`, and deal dates require `deals:read`.',
  query: calendarFilters.query,
  responses: { 200: Calendar },
  handle: async (ctx, { query }) =>
    ok(await loadCalendar(ctx, requestedRange(query, ctx.clock.now()), query.host_id)),
})

const availabilityFilters = filters({
  ...rangeFilters,
  host_id: equals(reference('member', 'Return only this member.'), 'id'),
})

export const getAvailability = listEndpoint('GET /availability', {
  scope: 'appointments:read',
  summary: 'List when members are free',
  description:
    'Returns active members, newest first, with the times within their shifts at which they host no appointment. A member without shifts works at any hour. Shifts without a time zone use the time zone of the routing rules.',
  item: Availability,
  filters: availabilityFilters,
  async rows(ctx, { query, page }) {
    const range = requestedRange(query, ctx.clock.now())
    const rest = { conditions: availabilityFilters.where(query, 'm'), page }
    const [rules, agents] = await Promise.all([currentRules(ctx.db), listWorkingAgents(ctx.db, rest)])
    const taken = await takenBy(
      ctx,
      agents.map(({ id }) => id),
      range,
    )
    return agents.map(({ id, name, shifts, timezone: own, created_at, updated_at }) => {
      const timezone = own ?? rules.timezone
      const free = freeTime({ shifts, timezone }, taken.get(id) ?? [], millisecondsOf(range))
      return { id, name, timezone, free: free.map(instantsOf), created_at, updated_at }
    })
  },
})

const millisecondsOf = ({ from, to }: { from: Date; to: Date }) => ({
  start: from.getTime(),
  end: to.getTime(),
})

const instantsOf = ({ start, end }: Interval) => ({
  starts_at: new Date(start).toISOString(),
  ends_at: new Date(end).toISOString(),
})

async function takenBy(ctx: Ctx, hostIds: readonly string[], range: { from: Date; to: Date }) {
  const rows = await listTaken(ctx.searches(), hostIds, range)
  const taken = rows.map(({ host_id, starts_at, ends_at }) => ({
    host_id,
    start: Date.parse(starts_at),
    end: Date.parse(ends_at),
  }))
  return Map.groupBy(taken, ({ host_id }) => host_id)
}
