import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { lockNamedForShare } from '../../contacts/public.ts'
import { findAgent } from '../../routing/public.ts'
import { findWorkspace } from '../../workspaces/public.ts'
import { insertAppointment, listConflicts, lockHost } from '../appointment-queries.ts'
import { type AppointmentRow, type Attendee, appointments, contactIdsOf } from '../appointment.ts'
import { creator, creatorMember, hostOf, requireActive, requireMembers, requireRecords } from '../members.ts'
import { announce } from './announce.ts'
import { HostBusy } from './errors.ts'
import { AppointmentBooked } from './events.ts'
import { presentAppointment } from './present.ts'
import type { AppointmentDraft } from './schemas.ts'

/**
 * Books an appointment. Throws 404 for contacts and members that are unknown or out of reach, 409 for an erased contact
 * or an inactive host, and, with `if_free`, 409 for a busy host.
 */
export const bookAppointment = (ctx: Ctx, { if_free = false, ...draft }: AppointmentDraft) =>
  ctx.transaction(async (tx) => {
    const drafted = appointments.create(draft, ctx.clock.now())
    const contacts = (await lockNamedForShare(tx, contactsNamedIn(draft)))()
    await requireMembers(tx, namedMembers(draft))
    if (draft.host_id !== undefined) await requireActive(tx, draft.host_id, 'host_id')
    await requireRecords(tx, draft)
    const host_id = draft.host_id ?? (await hostOf(ctx, tx, contacts.get(draft.contact_id ?? '')))
    const timezone = draft.timezone ?? (await defaultTimezone(tx, host_id))
    const creator_id = await creatorMember(ctx)
    const row = { ...drafted, host_id, timezone, created_by: creator(ctx), creator_id }
    if (host_id !== null) lockHost(tx, host_id)
    insertAppointment(tx, row)
    if (if_free) await requireFree(tx, row)
    await tx.emit(AppointmentBooked, { ...row, contact_ids: contactIdsOf(row) })
    await announce(tx, row)
    return presentAppointment(tx, row)
  })

interface Named {
  contact_id?: string | null
  attendees?: readonly Attendee[]
}

/** The contacts that a request body names, each with its path. */
export const contactsNamedIn = ({ contact_id, attendees }: Named) => [
  ...(typeof contact_id === 'string' ? [['contact_id', contact_id] as const] : []),
  ...namedAttendees('contact_id', attendees),
]

/** The members among the attendees in a request body, each with their path. */
export const namedMembers = ({ attendees }: Named) => namedAttendees('member_id', attendees)

const namedAttendees = (name: 'contact_id' | 'member_id', attendees: readonly Attendee[] = []) =>
  attendees.flatMap((attendee, i) => {
    const id = attendee[name]
    return id === undefined ? [] : [[`attendees.${i}.${name}`, id] as const]
  })

/** The host's time zone, falling back to the workspace's. */
export async function defaultTimezone(tx: Tx, hostId: string | null): Promise<string> {
  const host = hostId === null ? undefined : await findAgent(tx, hostId)
  return host?.timezone ?? orNotFound(await findWorkspace(tx, tx.workspaceId)).timezone
}

/** Throws 409 `host_busy` if the host has another appointment at that time. The caller must hold the host's lock. */
export async function requireFree(tx: Tx, row: AppointmentRow): Promise<void> {
  if (row.host_id !== null && (await listConflicts(tx, [row])).length > 0) throw HostBusy()
}
