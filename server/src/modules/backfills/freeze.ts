import type { Tx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import type { KeyRing } from '#kernel/secrets.ts'
import { type Contact, type Point, pointFor } from '../contacts/public.ts'
import type { Backfill } from './backfill.ts'
import { type FrozenContact, insertBackfillContacts, listKnownPoints, saveBackfill } from './queries.ts'
import { scanContacts } from './scan-contacts.ts'

/** Adds the next contacts to the snapshot of a backfill. The caller holds its lock. */
export async function freezeBatch(tx: Tx, backfill: Backfill, timezone: string): Promise<void> {
  const { id, conditions, reach, scanned_to, started_at, status } = backfill
  const now = tx.clock.now()
  const at = new Date(started_at ?? now)
  const sought = { conditions, reach: reach ?? ('all' as const), at, timezone }
  const { contacts, last } = await scanContacts(tx, sought, scanned_to ?? '')
  const frozen = await pointed(tx, backfill, contacts)
  if (frozen.length > 0) insertBackfillContacts(tx, id, frozen, now)
  saveBackfill(tx, id, {
    ...(last === undefined ? { frozen_at: now.toISOString() } : { scanned_to: last }),
    next_at: last === undefined && status === 'paused' ? null : now.toISOString(),
  })
}

/** The keyed hash of a number or address. Each counts once within a backfill. */
export const pointKey = (keys: KeyRing, backfillId: string, { type, value }: Point): string =>
  keys.sign('backfill', `${backfillId} ${type} ${value}`).toString('base64url').slice(0, 22)

/** If contacts share a number or address, only the first one is messaged. */
async function pointed(
  tx: Tx,
  { id, channel }: Backfill,
  contacts: readonly Contact[],
): Promise<FrozenContact[]> {
  const given = contacts.map((contact) => {
    const point = channel === null ? undefined : pointFor(contact, channel)
    return {
      id: newId(tx.clock.now()),
      contactId: contact.id,
      point: point === undefined ? null : pointKey(tx.keys, id, point),
      reason: null,
    }
  })
  if (channel === null) return given
  const known = await listKnownPoints(
    tx,
    given.flatMap(({ point }) => point ?? []),
  )
  return given.map((contact): FrozenContact => {
    const { point } = contact
    if (point === null) return { ...contact, reason: leftOutFor(channel) }
    if (known.has(point)) return { ...contact, point: null, reason: sharedRecipient }
    known.add(point)
    return contact
  })
}

export const sharedRecipient = 'shared_recipient'

export const leftOutFor = (channel: NonNullable<Backfill['channel']>) =>
  channel === 'EMAIL' ? 'email_missing' : 'phone_missing'
