import { leaseFrom } from '#kernel/background/lease.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { queueMail } from '../../mail/public.ts'
import { findMember } from '../../workspaces/public.ts'
import { findAppointment } from '../appointment-queries.ts'
import type { AppointmentRow } from '../appointment.ts'
import { calendarFile } from '../event-file.ts'
import type { CalendarFailure, CalendarServer, PutOutcome } from '../ports.ts'
import { accountOf } from './account.ts'
import {
  type CalendarConnection,
  findCalendarConnection,
  lockCalendarConnection,
  saveCalendarConnection,
} from './connection-queries.ts'
import { type Push, claimPush, deletePush, failPush, lockPush, savePush } from './push-queries.ts'
import { membersOf, queuePush } from './queue-pushes.ts'

type Outcome = PutOutcome | { kind: 'removed' } | CalendarFailure

/**
 * Brings one member's calendar up to date with an appointment. Idempotent, and safe to run concurrently, because only
 * one run holds the claim. No transaction is open during the requests; the run that holds the claim queues a push of what
 * has changed in the meantime. Throws to have the job retried.
 */
export async function pushAppointment(
  ctx: Ctx,
  calendars: CalendarServer,
  appointmentId: string,
  memberId: string,
): Promise<void> {
  const connection = await findCalendarConnection(ctx.directory, ctx.workspaceId, memberId)
  if (connection?.status !== 'active' || connection.calendar_url === null)
    return ctx.transaction(async (tx) =>
      failPush(
        tx,
        { appointment_id: appointmentId, member_id: memberId },
        connection?.error ?? null,
        ctx.clock,
      ),
    )
  const push = await ctx.transaction((tx) => claimPush(tx, appointmentId, memberId, leaseFrom(tx.clock)))
  if (push === undefined) return
  const row = await findAppointment(ctx.db, appointmentId)
  const isTheirs = row !== undefined && membersOf(row).includes(memberId)
  const account = accountOf(ctx.keys, connection)
  const outcome: Outcome =
    isTheirs && row.status !== 'cancelled'
      ? await calendars.put(account, connection.calendar_url, {
          id: appointmentId,
          file: calendarFile(row),
          etag: push.etag,
        })
      : await calendars.remove(account, connection.calendar_url, appointmentId)
  await ctx.transaction((tx) => settle(tx, ctx, { connection, push, row, isTheirs, outcome }))
  if (outcome.kind === 'later')
    throw new Error(`An appointment was not pushed to a calendar: ${appointmentId}`)
}

interface Settled {
  connection: CalendarConnection
  push: Push
  row: AppointmentRow | undefined
  isTheirs: boolean
  outcome: Outcome
}

async function settle(
  tx: Tx,
  ctx: Ctx,
  { connection, push, row, isTheirs, outcome }: Settled,
): Promise<void> {
  const present = await lockPush(tx, push.appointment_id, push.member_id)
  const after = await findAppointment(tx, push.appointment_id)
  // The claim expired before the push finished, or the calendar was disconnected.
  if (present === undefined || present.claimed_until !== push.claimed_until) return
  const updated_at = tx.clock.now().toISOString()
  const settled = { error: null, claimed_until: null, updated_at }
  switch (outcome.kind) {
    case 'put':
      savePush(tx, push, { ...settled, status: 'synced', etag: outcome.etag, moves: null })
      break
    case 'gone':
      savePush(tx, push, { ...settled, status: 'removed', etag: null, moves: row?.reschedule_count ?? 0 })
      break
    case 'removed':
      if (isTheirs)
        savePush(tx, push, { ...settled, status: 'removed', etag: null, moves: row?.reschedule_count ?? 0 })
      else deletePush(tx, push)
      break
    case 'unauthorized':
      savePush(tx, push, { ...settled, status: 'failed', error: outcome.message })
      await rest(tx, ctx, connection, outcome.message)
      return
    default:
      savePush(tx, push, { ...settled, status: 'failed', error: outcome.message })
      return
  }
  if (row?.updated_at === after?.updated_at) return
  savePush(tx, push, { status: 'pending' })
  queuePush(tx, push.appointment_id, push.member_id)
}

/** Suspends a connection whose credentials were rejected, and emails the member once. */
async function rest(tx: Tx, ctx: Ctx, tried: CalendarConnection, message: string): Promise<void> {
  const { workspace_id, member_id } = tried
  const connection = await lockCalendarConnection(tx, workspace_id, member_id)
  const isSame = connection !== undefined && connection.password.equals(tried.password)
  if (!isSame || connection.status !== 'active') return
  saveCalendarConnection(tx, connection, {
    status: 'resting',
    error: message,
    updated_at: tx.clock.now().toISOString(),
  })
  const member = await findMember(tx, member_id)
  if (member?.active !== true) return
  queueMail(tx, ctx, {
    to: member.email,
    subject: 'Your calendar is no longer updated',
    text: `Gable can no longer write to your calendar “${connection.calendar_name ?? ''}”: the server rejects the name or the password.\n\nConnect it again: ${ctx.origin()}/settings/calendar?workspace=${workspace_id}\n`,
  })
}
