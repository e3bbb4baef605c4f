import type { Ctx, Tx } from '#kernel/context.ts'
import { NotFound, ValidationFailed, defineError, orNotFound } from '#kernel/errors.ts'
import { findMember } from '../../workspaces/public.ts'
import { CalendarConnected, CalendarDisconnected } from '../events.ts'
import type { CalendarServer, Discovery } from '../ports.ts'
import { accountOf, originsOf, sealPassword } from './account.ts'
import {
  type CalendarConnection,
  deleteCalendarConnection,
  findCalendarConnection,
  lockCalendarConnection,
  replaceCalendarConnection,
  saveCalendarConnection,
} from './connection-queries.ts'
import { deletePushesOf } from './push-queries.ts'
import { queueUpcoming } from './queue-pushes.ts'

export const CalendarUnreachable = defineError('calendar_unreachable', 422, (message: string) => ({
  message,
}))

/** What a member enters to connect their calendar. */
export interface AccountEntry {
  address: string
  username: string
  password: string
}

const limits = { address: 2048, username: 254, password: 500 } as const

/**
 * Discovers the calendars of a member's account. The connection then waits until the member chooses one, or confirms a
 * host that the address leads to. Throws 400 for an invalid entry, and 422 `calendar_unreachable` if discovery fails.
 */
export async function connectCalendar(
  ctx: Ctx,
  calendars: CalendarServer,
  memberId: string,
  entry: AccountEntry,
): Promise<CalendarConnection> {
  if ((await findMember(ctx.db, memberId))?.active !== true)
    throw NotFound('The workspace has no active member with this ID.')
  const url = requireEntry(ctx, entry)
  const owner = { workspace_id: ctx.workspaceId, member_id: memberId }
  const place = { address: url.href, hosts: [url.host] }
  const account = { username: entry.username, password: entry.password, origins: originsOf(place) }
  const state = stateOf(await calendars.discover(account, url.href))
  const now = ctx.clock.now().toISOString()
  return ctx.transaction(async (tx) => {
    const before = await lockCalendarConnection(tx, ctx.workspaceId, memberId)
    const row: CalendarConnection = {
      ...owner,
      ...place,
      username: entry.username,
      password: sealPassword(ctx.keys, owner, entry.password),
      ...state,
      calendar_url: before?.calendar_url ?? null,
      calendar_name: before?.calendar_name ?? null,
      error: null,
      created_at: now,
      updated_at: now,
    }
    replaceCalendarConnection(tx, row)
    return row
  })
}

/** Allows a host to receive the credentials, and continues discovery there. */
export async function confirmHost(
  ctx: Ctx,
  calendars: CalendarServer,
  memberId: string,
  host: string,
): Promise<CalendarConnection> {
  const known = orNotFound(await findCalendarConnection(ctx.directory, ctx.workspaceId, memberId))
  if (known.status !== 'new_host' || known.new_host !== host) throw NotFound('There is no host to confirm.')
  const hosts = [...known.hosts, host]
  const account = accountOf(ctx.keys, { ...known, hosts })
  const state = stateOf(await calendars.discover(account, known.address))
  return change(ctx, memberId, known, () => ({ hosts, ...state }))
}

/** Selects one of the discovered calendars, and queues pushes of upcoming appointments to it. */
export async function chooseCalendar(
  ctx: Ctx,
  calendars: CalendarServer,
  memberId: string,
  url: string,
): Promise<CalendarConnection> {
  const known = orNotFound(await findCalendarConnection(ctx.directory, ctx.workspaceId, memberId))
  const chosen = known.calendars.find((one) => one.url === url)
  if (known.status !== 'choosing' || chosen === undefined) throw NotFound('There is no such calendar.')
  const tried = await calendars.test(accountOf(ctx.keys, known), url)
  if (tried.kind !== 'ok') throw CalendarUnreachable(tried.message)
  return change(ctx, memberId, known, async (tx) => {
    if (known.calendar_url !== null && known.calendar_url !== url) deletePushesOf(tx, memberId)
    await tx.emit(CalendarConnected, { id: memberId, host: new URL(url).host })
    await queueUpcoming(tx, memberId)
    return { status: 'active', calendars: [], calendar_url: url, calendar_name: chosen.name, error: null }
  })
}

/** Checks whether the calendar can be reached. If it can, a resting connection becomes active again. */
export async function testCalendar(
  ctx: Ctx,
  calendars: CalendarServer,
  memberId: string,
): Promise<CalendarConnection> {
  const known = orNotFound(await findCalendarConnection(ctx.directory, ctx.workspaceId, memberId))
  const { calendar_url, status } = known
  if (calendar_url === null || (status !== 'active' && status !== 'resting'))
    throw NotFound('Choose a calendar first.')
  const tried = await calendars.test(accountOf(ctx.keys, known), calendar_url)
  return change(ctx, memberId, known, async (tx) => {
    if (tried.kind === 'ok') {
      if (status === 'resting') await queueUpcoming(tx, memberId)
      return { status: 'active', error: null }
    }
    return { status: tried.kind === 'unauthorized' ? 'resting' : status, error: tried.message }
  })
}

/** Deletes the connection. Events that are already in the calendar stay there. */
export const disconnectCalendar = (ctx: Ctx, memberId: string): Promise<void> =>
  ctx.transaction((tx) => removeConnection(tx.unrestricted(), memberId))

export async function removeConnection(tx: Tx, memberId: string): Promise<void> {
  const known = await lockCalendarConnection(tx, tx.workspaceId, memberId)
  if (known === undefined) return
  deletePushesOf(tx, memberId)
  deleteCalendarConnection(tx, tx.workspaceId, memberId)
  await tx.emit(CalendarDisconnected, { id: memberId })
}

/** Saves changes that were derived from `known`. Throws 404 if the connection has been replaced in the meantime. */
const change = (
  ctx: Ctx,
  memberId: string,
  known: CalendarConnection,
  changesOf: (tx: Tx) => Partial<CalendarConnection> | Promise<Partial<CalendarConnection>>,
): Promise<CalendarConnection> =>
  ctx.transaction(async (tx) => {
    const present = await lockCalendarConnection(tx, ctx.workspaceId, memberId)
    if (present?.password.equals(known.password) !== true)
      throw NotFound('The connection has been replaced in the meantime.')
    // Unrestricted, because a member's calendar also contains appointments that they booked for another host.
    const changed = { ...(await changesOf(tx.unrestricted())), updated_at: ctx.clock.now().toISOString() }
    saveCalendarConnection(tx, known, changed)
    return { ...present, ...changed }
  })

function stateOf(discovery: Discovery): Pick<CalendarConnection, 'status' | 'new_host' | 'calendars'> {
  if (discovery.kind === 'found')
    return { status: 'choosing', new_host: null, calendars: discovery.calendars }
  if (discovery.kind === 'new_host') return { status: 'new_host', new_host: discovery.host, calendars: [] }
  throw CalendarUnreachable(discovery.message)
}

function requireEntry({ egress }: Ctx, entry: AccountEntry): URL {
  const issues = Object.entries(limits).flatMap(([path, limit]) => {
    const { length } = entry[path as keyof AccountEntry]
    if (length === 0) return [{ path, message: 'is required' }]
    return length > limit ? [{ path, message: `must have at most ${limit} characters` }] : []
  })
  if (issues.length > 0) throw ValidationFailed(issues)
  const address = /^https?:\/\//i.test(entry.address) ? entry.address : `https://${entry.address}`
  const issue = URL.canParse(address) ? egress.issueOf(address) : 'the address is not valid'
  if (issue !== undefined) throw ValidationFailed([{ path: 'address', message: `cannot be used: ${issue}` }])
  return new URL(address)
}
