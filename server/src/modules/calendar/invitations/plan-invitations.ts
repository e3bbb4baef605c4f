import type { AppointmentRow } from '../appointment.ts'
import type { Invitation } from './invitation-queries.ts'

/** An invitation or cancellation to send to one person. */
export interface Due extends Invitation {
  /** The name that the appointment has for the person; null if it has none or no longer invites them. */
  name: string | null
}

/** Everyone the appointment invites except its host: contacts and members by ID, others by lowercase email address. */
function invitedTo({ contact_id, attendees, host_id }: AppointmentRow): Map<string, string | null> {
  const invited = new Map<string, string | null>()
  if (contact_id !== null) invited.set(contact_id, null)
  for (const { contact_id: contact, member_id, name, email } of attendees) {
    const person = contact ?? member_id ?? email?.toLowerCase()
    if (person !== undefined && person !== host_id) invited.set(person, name ?? null)
  }
  return invited
}

/**
 * Compares what was sent with the current state. Each person gets each version of the appointment once, with an
 * increasing sequence number. People who are no longer invited, or whose appointment is cancelled, get a cancellation.
 * Past appointments are not announced.
 */
export function planInvitations(row: AppointmentRow, sent: readonly Invitation[], now: Date): Due[] {
  if (!row.invite || row.status === 'completed') return []
  const isAhead = row.status === 'scheduled' && Date.parse(row.ends_at) > now.getTime()
  const invited = invitedTo(row)
  const known = new Map(sent.map((one) => [one.person, one]))
  const requests = isAhead ? [...invited] : []
  const cancellations = sent
    .filter(({ person }) => row.status === 'cancelled' || !invited.has(person))
    .map(({ person }) => [person, invited.get(person) ?? null] as const)
  const due = (person: string, name: string | null, method: Due['method']): Due[] => {
    const last = known.get(person)
    if (last?.method === method && (method === 'CANCEL' || last.version >= row.sequence)) return []
    const sequence = last === undefined ? row.sequence : Math.max(row.sequence, last.sequence + 1)
    return [{ person, name, method, sequence, version: row.sequence }]
  }
  return [
    ...requests.flatMap(([person, name]) => due(person, name, 'REQUEST')),
    ...cancellations.flatMap(([person, name]) => due(person, name, 'CANCEL')),
  ]
}
