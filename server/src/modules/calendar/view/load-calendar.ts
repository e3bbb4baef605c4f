import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { listDealDatesWithin } from '../../deals/public.ts'
import { listOpenHousesWithin } from '../../listings/public.ts'
import { findWorkspace } from '../../workspaces/public.ts'
import { listAppointmentsWithin } from '../appointment-queries.ts'
import { listTasksWithin } from '../tasks/queries.ts'
import { ofAppointment, ofDealDate, ofOpenHouse, ofTask } from './entries.ts'
import { type Range, daysOf } from './range.ts'
import { maxEntries } from './schemas.ts'

/**
 * The entries of all calendars within reach, or of one member's calendar, in chronological order. Open houses and deal
 * dates require the scope that reads them.
 */
export async function loadCalendar(ctx: Ctx, range: Range, memberId: string | undefined) {
  const db = ctx.searches()
  const most = maxEntries + 1
  const [appointments, tasks, openHouses, dealDates] = await Promise.all([
    listAppointmentsWithin(db, range, memberId, most),
    listTasksWithin(db, range, memberId, most),
    ctx.scopes.has('listings:read') ? listOpenHousesWithin(db, range, memberId, most) : [],
    ctx.scopes.has('deals:read') ? loadDealDates(ctx, range, memberId, most) : [],
  ])
  const entries = [
    ...appointments.map(ofAppointment),
    ...tasks.map(ofTask),
    ...openHouses.map(ofOpenHouse),
    ...dealDates,
  ].toSorted((a, b) => compare(a.starts_at, b.starts_at) || compare(a.id, b.id) || compare(a.type, b.type))
  return { data: entries.slice(0, maxEntries), has_more: entries.length > maxEntries }
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))

async function loadDealDates(ctx: Ctx, range: Range, memberId: string | undefined, most: number) {
  const { timezone } = orNotFound(await findWorkspace(ctx.directory, ctx.workspaceId))
  const dated = await listDealDatesWithin(ctx.searches(), daysOf(range, timezone), memberId, most)
  return dated.map(ofDealDate(timezone))
}
