import { later } from '#kernel/clock.ts'
import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { type Automation, findVersion, lockAutomationForShare } from '../automations/public.ts'
import { type Contact, findContact, lockPersons, pointFor } from '../contacts/public.ts'
import { type Hold, isHeld, addEnrollment, findActive, mayEnterAgain } from '../enrollments/public.ts'
import { type Backfill, turnMs } from './backfill.ts'
import { changeBackfillStatus } from './change-backfill.ts'
import { leftOutFor, pointKey, sharedRecipient } from './freeze.ts'
import {
  findNextContact,
  listKnownPoints,
  lockBackfill,
  lockWaiting,
  saveBackfill,
  saveBackfillContact,
} from './queries.ts'

/** `stopped`: the backfill enrolls no contacts now, or another engine has taken over. */
type Entry = 'entered' | 'left_out' | 'stopped'

/** How much lag a backfill catches up on. The limit keeps a pause or an outage from being followed by many enrollments at once. */
const slackMs = 1000

/**
 * Enrolls one contact of a backfill, or records why not, in one transaction, so that each contact enters exactly once. `counts`: whether
 * the contact counts toward the pace.
 */
export const enterContact = (
  ctx: Ctx,
  hold: Hold,
  backfillId: string,
  { id, contactId, counts }: { id: string; contactId: string; counts: boolean },
): Promise<Entry> =>
  ctx.transaction(async (tx): Promise<Entry> => {
    if (!(await isHeld(tx, hold))) return 'stopped'
    const now = tx.clock.now()
    const backfill = await lockBackfill(tx, backfillId)
    if (
      backfill?.status !== 'running' ||
      backfill.next_at === null ||
      Date.parse(backfill.next_at) > now.getTime()
    )
      return 'stopped'
    await lockPersons(tx, { contactIds: [contactId], points: [] })
    const automation = orNotFound(await lockAutomationForShare(tx, backfill.automation_id))
    if (!automation.enabled) {
      await changeBackfillStatus(tx, backfill, 'paused', 'automation_disabled')
      return 'stopped'
    }
    const waiting = await lockWaiting(tx, id)
    if (waiting === undefined) return 'left_out'
    const contact = orNotFound(await findContact(tx, contactId))
    const point = backfill.channel === null ? undefined : pointFor(contact, backfill.channel)
    const key = point === undefined ? null : pointKey(tx.keys, backfillId, point)
    const reason =
      (await obstacle(tx, automation, contact)) ??
      (backfill.channel === null ? undefined : await wrongPoint(tx, backfill, key, waiting.point))
    const source = backfill.channel === null ? ('backfill' as const) : ('campaign' as const)
    const added =
      reason === undefined
        ? await addEnrollment(tx, automation, { contact_id: contactId, source })
        : undefined
    const enrollment = added?.taken === undefined ? added?.enrollment : undefined
    const decided_at = now.toISOString()
    const common = { due_at: null, decided_at, point: contact.erased_at === null ? key : null }
    if (enrollment === undefined) {
      const left = { ...common, point: null, status: 'left_out' as const }
      saveBackfillContact(tx, id, { ...left, reason: reason ?? added?.taken ?? 'active' })
      return 'left_out'
    }
    saveBackfillContact(tx, id, { ...common, status: 'entered', enrollment_id: enrollment.id })
    const isLast = (await findNextContact(tx, backfillId)) === undefined
    if (counts && !isLast) saveBackfill(tx, backfillId, { next_at: turnAfter(backfill, now).toISOString() })
    return 'entered'
  })

/** When the next contact enters. */
const turnAfter = (of: Pick<Backfill, 'next_at' | 'per_hour'>, now: Date): Date =>
  later(new Date(Math.max(Date.parse(of.next_at ?? ''), now.getTime() - slackMs)), turnMs(of))

/** Why a contact may not enter, by the rules of the automation itself. */
async function obstacle(tx: Tx, automation: Automation, contact: Contact): Promise<string | undefined> {
  if (contact.erased_at !== null) return 'erased'
  if (contact.stage === 'TRASH') return 'trash'
  if ((await findActive(tx, automation.id, contact.id)) !== undefined) return 'active'
  const { definition } = orNotFound(await findVersion(tx, automation.id, automation.version ?? 0))
  const scene = { tx, now: tx.clock.now() }
  return (await mayEnterAgain(scene, automation, definition, contact)) ? undefined : 're_enrollment'
}

/**
 * Why a contact must not be messaged at their current number or address. If that has changed since the snapshot, another contact of the
 * backfill may already have been messaged there.
 */
async function wrongPoint(
  tx: Tx,
  { channel }: Backfill,
  key: string | null,
  before: string | null,
): Promise<string | undefined> {
  if (key === null) return leftOutFor(orNotFound(channel ?? undefined))
  if (key === before) return undefined
  return (await listKnownPoints(tx, [key])).has(key) ? sharedRecipient : undefined
}
