import { type Static, Type } from 'typebox'
import { type Lease, isUnclaimed, leaseEnd, leaseFrom } from '#kernel/background/lease.ts'
import { type Clock, later } from '#kernel/clock.ts'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'
import { assignments } from '#kernel/records/columns.ts'
import { nullable } from '#kernel/schemas.ts'

export const pushStatuses = ['pending', 'synced', 'failed', 'removed'] as const

const PushRow = Type.Object({
  appointment_id: Type.String(),
  member_id: Type.String(),
  status: Type.Enum(pushStatuses),
  error: nullable(Type.String()),
  etag: nullable(Type.String()),
  moves: Type.Union([Type.Integer(), Type.Null()]),
  claimed_until: nullable(Type.String()),
  updated_at: Type.String(),
})
export type Push = Static<typeof PushRow>

const columns = sql`appointment_id, member_id, status, error, etag, moves, claimed_until, updated_at`

/** The push status of these appointments. The caller must have checked that they are within reach. */
export const listPushes = (db: Db, appointmentIds: readonly string[]) =>
  db.many(PushRow)`
    select ${columns} from calendar_pushes
    where workspace_id = ${db.workspaceId} and appointment_id = any (${appointmentIds}::text[])
    order by appointment_id, member_id`

const MemberRow = Type.Object({ member_id: Type.String() })

/**
 * Marks an appointment to be written to these members' calendars and removed from all others. An event that a member
 * deleted from their calendar stays deleted until the appointment moves again. Returns the members whose calendars need
 * a push.
 */
export const markPending = async (
  tx: WorkspaceTx,
  { id, moves }: { id: string; moves: number },
  memberIds: readonly string[],
  at: Date,
): Promise<string[]> => {
  const rows = await tx.many(MemberRow)`
    insert into calendar_pushes (workspace_id, appointment_id, member_id, status, updated_at)
    select ${tx.workspaceId}, ${id}, member_id, 'pending', ${at}::timestamptz
    from (
      select unnest(${memberIds}::text[]) collate "C" as member_id
      union
      select member_id from calendar_pushes where workspace_id = ${tx.workspaceId} and appointment_id = ${id}
    ) as concerned
    on conflict (workspace_id, appointment_id, member_id) do update set status = 'pending', error = null, updated_at = excluded.updated_at
      where calendar_pushes.status <> 'removed' or calendar_pushes.moves < ${moves}
    returning member_id`
  return rows.map(({ member_id }) => member_id)
}

/** Marks many appointments for one member. Events that the member deleted from their calendar stay deleted. */
export const markAllPending = (
  tx: WorkspaceTx,
  appointmentIds: readonly string[],
  memberId: string,
  at: Date,
): void =>
  tx.write`
    insert into calendar_pushes (workspace_id, appointment_id, member_id, status, updated_at)
    select ${tx.workspaceId}, id, ${memberId}, 'pending', ${at}::timestamptz from unnest(${appointmentIds}::text[]) as upcoming (id)
    on conflict (workspace_id, appointment_id, member_id) do update
      set status = 'pending', error = null, updated_at = excluded.updated_at where calendar_pushes.status <> 'removed'`

/** Claims a push. Undefined if there is nothing to push or another run holds the claim. */
export const claimPush = (tx: Db, appointmentId: string, memberId: string, lease: Lease) =>
  tx.maybeOne(PushRow)`
    update calendar_pushes set claimed_until = ${leaseEnd(lease)}
    where workspace_id = ${tx.workspaceId} and appointment_id = ${appointmentId} and member_id = ${memberId}
      and status in ('pending', 'failed') and ${isUnclaimed(lease)}
    returning ${columns}`

/** Fails a push to a calendar that Gable does not use now. It becomes pending again when the connection works. */
export const failPush = (
  tx: WorkspaceTx,
  { appointment_id, member_id }: Pick<Push, 'appointment_id' | 'member_id'>,
  error: string | null,
  clock: Clock,
): void =>
  tx.write`
    update calendar_pushes set status = 'failed', error = ${error}, claimed_until = null, updated_at = ${clock.now()}
    where workspace_id = ${tx.workspaceId} and appointment_id = ${appointment_id} and member_id = ${member_id}
      and status in ('pending', 'failed') and ${isUnclaimed(leaseFrom(clock))}`

export const lockPush = (tx: Db, appointmentId: string, memberId: string) =>
  tx.maybeOne(PushRow)`
    select ${columns} from calendar_pushes
    where workspace_id = ${tx.workspaceId} and appointment_id = ${appointmentId} and member_id = ${memberId} for update`

export const savePush = (
  tx: WorkspaceTx,
  { appointment_id, member_id }: Pick<Push, 'appointment_id' | 'member_id'>,
  changed: Partial<Push>,
): void =>
  tx.write`
    update calendar_pushes set ${assignments(changed)}
    where workspace_id = ${tx.workspaceId} and appointment_id = ${appointment_id} and member_id = ${member_id}`

export const deletePush = (tx: WorkspaceTx, { appointment_id, member_id }: Push): void =>
  tx.write`
    delete from calendar_pushes
    where workspace_id = ${tx.workspaceId} and appointment_id = ${appointment_id} and member_id = ${member_id}`

/** Deletes the record of what was pushed to a member's calendar. */
export const deletePushesOf = (tx: WorkspaceTx, memberId: string): void =>
  tx.write`delete from calendar_pushes where workspace_id = ${tx.workspaceId} and member_id = ${memberId}`

const CountRow = Type.Object({ count: Type.Integer() })

const IdRow = Type.Object({ id: Type.String() })

/** Upcoming appointments that belong in a member's calendar, soonest first. */
export const listUpcoming = async (db: Db, memberId: string, now: Date, limit: number): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from appointments
    where workspace_id = ${db.workspaceId} and starts_at > ${now} and status = 'scheduled'
      and (host_id = ${memberId} or creator_id = ${memberId})
    order by starts_at, id limit ${limit}`
  return rows.map(({ id }) => id)
}

const UnfinishedRow = Type.Object({ appointment_id: Type.String() })

/** Pushes to a member's calendar that are unfinished and unclaimed. */
export const listUnfinished = async (db: Db, memberId: string, clock: Clock): Promise<string[]> => {
  const rows = await db.many(UnfinishedRow)`
    select appointment_id from calendar_pushes
    where workspace_id = ${db.workspaceId} and member_id = ${memberId} and status in ('pending', 'failed')
      and ${isUnclaimed(leaseFrom(clock))}
    order by appointment_id limit 1000`
  return rows.map(({ appointment_id }) => appointment_id)
}

const isPendingBefore = (before: Date) => sql`
  (status = 'pending' or claimed_until is not null) and updated_at < ${before}`

export const countPushesBefore = async (db: Db, before: Date): Promise<number> =>
  (
    await db.one(CountRow)`
    select count(*)::integer as count from calendar_pushes
    where workspace_id = ${db.workspaceId} and ${isPendingBefore(before)}`
  ).count

/** Fails the pushes that wait since before a time. */
export const dropPushes = (tx: WorkspaceTx & { clock: Clock }, before: Date): void =>
  tx.write`
    update calendar_pushes set status = 'failed', error = 'Not written: it was dropped after the database was restored.',
      claimed_until = null, updated_at = ${tx.clock.now()}
    where workspace_id = ${tx.workspaceId} and ${isPendingBefore(before)}`

/** A push that has been pending for this long may have lost its job. */
const graceMs = 60_000

/** Pushes whose job may be lost, or whose run was killed, each as appointment and member. Longest overdue first. */
export const listDuePushes = async (db: Db, at: Date, limit: number, clock: Clock): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select appointment_id || ' ' || member_id as id from calendar_pushes
    where workspace_id = ${db.workspaceId} and (status = 'pending' or claimed_until is not null)
      and updated_at <= ${later(at, -graceMs)} and ${isUnclaimed(leaseFrom(clock))}
    order by updated_at limit ${limit}`
  return rows.map(({ id }) => id)
}
