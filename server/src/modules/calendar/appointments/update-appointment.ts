import type { Ctx, Tx } from '#kernel/context.ts'
import { ValidationFailed, orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { changesOf } from '#kernel/records/changes.ts'
import type { Patched } from '#kernel/records/record.ts'
import { retainWithheld } from '#kernel/references.ts'
import {
  ContactErased,
  lockFurtherForShare,
  lockNamedForShare,
  listContactsById,
} from '../../contacts/public.ts'
import { findAppointment, lockAppointment, lockHost, saveAppointment } from '../appointment-queries.ts'
import { type AppointmentRow, appointmentFields, appointments, contactIdsOf } from '../appointment.ts'
import { requireActive, requireMembers, requireRecords } from '../members.ts'
import { announce } from './announce.ts'
import { defaultTimezone, contactsNamedIn, namedMembers, requireFree } from './book-appointment.ts'
import { AppointmentClosed } from './errors.ts'
import { AppointmentOutcome, AppointmentRescheduled, AppointmentUpdated } from './events.ts'
import { presentAppointment } from './present.ts'
import type { AppointmentPatch } from './schemas.ts'

/**
 * Applies the patch. A move, an outcome, and changed details each publish an event of their own. Throws 409
 * `appointment_closed` for a move after an outcome is recorded.
 */
export const updateAppointment = (ctx: Ctx, id: string, patch: AppointmentPatch) =>
  ctx.transaction(async (tx) => {
    const { if_free = false, outcome, ...fields } = patch
    requireBothEnds(fields)
    const known = orNotFound(await findAppointment(tx, id))
    const requireContacts = await lockNamedForShare(tx, contactsNamedIn(fields), contactIdsOf(known))
    const before = requireMatch(ctx, orNotFound(await lockAppointment(tx, id)))
    requireContacts(contactIdsOf(before))
    await lockFurtherForShare(tx, contactIdsOf(known), contactIdsOf(before))
    const invited = new Set(before.attendees.map(({ member_id }) => member_id))
    await requireMembers(
      tx,
      namedMembers(fields).filter(([, memberId]) => !invited.has(memberId)),
    )
    if (typeof fields.host_id === 'string' && fields.host_id !== before.host_id)
      await requireActive(tx, fields.host_id, 'host_id')
    await requireRecords(tx, fields, before)
    await requireNoErased(tx, before, fields)
    if (fields.timezone === null)
      fields.timezone = await defaultTimezone(tx, fields.host_id ?? before.host_id)
    const kept = await retainWithheld(ctx, tx, { schema: appointments.Patch, patch: fields, before })
    const after = await change(
      tx.unrestricted(),
      before,
      { ...kept, ...outcomeOf(before, outcome, ctx.clock.now()) },
      if_free,
    )
    return presentAppointment(tx, after)
  })

type Changes = Parameters<typeof appointments.applyPatch>[1]

async function change(
  tx: Tx,
  before: AppointmentRow,
  patch: Changes,
  if_free: boolean,
): Promise<AppointmentRow> {
  const patched = appointments.applyPatch(before, patch, tx.clock.now())
  if (patched === undefined) return before
  const moved = isMoved(before, patched.after)
  if (moved && before.outcome !== null) throw AppointmentClosed()
  const { after, changed } = counted(before, patched)
  if ((moved || before.host_id !== after.host_id) && after.host_id !== null) lockHost(tx, after.host_id)
  saveAppointment(tx, after, changed)
  if (if_free) await requireFree(tx, after)
  await emitChanges(tx, before, after)
  await announce(tx, after)
  return after
}

function requireBothEnds({ starts_at, ends_at }: AppointmentPatch): void {
  if ((starts_at === undefined) === (ends_at === undefined)) return
  const [missing, given] = starts_at === undefined ? ['starts_at', 'ends_at'] : ['ends_at', 'starts_at']
  throw ValidationFailed([{ path: missing, message: `is required with ${given}` }])
}

const isMoved = (before: AppointmentRow, after: AppointmentRow) =>
  before.starts_at !== after.starts_at || before.ends_at !== after.ends_at

/** The fields that appear in an invitation or in a calendar event. */
const announced = [
  'title',
  'type',
  'status',
  'starts_at',
  'ends_at',
  'timezone',
  'location',
  'meeting_url',
] as const

function counted(before: AppointmentRow, { after, changed }: Patched<AppointmentRow>) {
  const counts = {
    reschedule_count: before.reschedule_count + Number(isMoved(before, after)),
    sequence: before.sequence + Number(announced.some((name) => before[name] !== after[name])),
  }
  return { after: { ...after, ...counts }, changed: { ...changed, ...counts } }
}

function outcomeOf(
  before: AppointmentRow,
  outcome: AppointmentPatch['outcome'],
  at: Date,
): Partial<AppointmentRow> {
  if (outcome === undefined || outcome === before.outcome) return {}
  const status = outcome === 'cancelled' ? 'cancelled' : 'completed'
  return { outcome, status, outcome_at: at.toISOString() }
}

/**
 * Fields that an erasure emptied must stay empty. Under the appointment's lock, an erasure has either committed and is
 * visible here, or has not started on this appointment.
 */
async function requireNoErased(tx: Tx, before: AppointmentRow, patch: AppointmentPatch): Promise<void> {
  const { title, location, meeting_url, attendees } = patch
  if ([title, location, meeting_url, attendees].every((text) => text === undefined || text === null)) return
  const contacts = await listContactsById(tx.unrestricted(), contactIdsOf(before))
  if (contacts.some(({ erased_at }) => erased_at !== null)) throw ContactErased()
}

const {
  starts_at: _,
  ends_at: __,
  outcome: ___,
  outcome_at: ____,
  status: _____,
  ...rest
} = appointmentFields
const { reschedule_count: ______, created_by: _______, sequence: ________, ...details } = rest
const detailNames = Object.keys(details) as (keyof typeof details)[]

async function emitChanges(tx: Tx, before: AppointmentRow, after: AppointmentRow): Promise<void> {
  const data = { ...after, contact_ids: [...new Set([...contactIdsOf(after), ...contactIdsOf(before)])] }
  const { outcome } = after
  if (isMoved(before, after))
    await tx.emit(AppointmentRescheduled, {
      ...data,
      previous_starts_at: before.starts_at,
      previous_ends_at: before.ends_at,
    })
  const changes = changesOf(appointments, detailNames, before, after)
  if (changes.length > 0) await tx.emit(AppointmentUpdated, { ...data, changes })
  if (outcome !== null && outcome !== before.outcome) await tx.emit(AppointmentOutcome, { ...data, outcome })
}
