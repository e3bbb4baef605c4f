import { later } from '#kernel/clock.ts'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { draftOfSend, findAutomation, findVersion } from '../automations/public.ts'
import { isSenderCode } from '../compliance/public.ts'
import { listContactsById, pointFor } from '../contacts/public.ts'
import { windowOpening } from '../enrollments/public.ts'
import { judgeSends } from '../messages/public.ts'
import { recordChannels } from '../senders/public.ts'
import { findWorkspace } from '../workspaces/public.ts'
import type { Backfill, BackfillContact } from './backfill.ts'

/** What to expect of a contact's first step, if that is a message. */
export interface Outlook {
  /** The message may not be sent earlier. */
  until?: Date
  /** Whether the message counts toward the pace. One that a gate forbids does not. */
  counts: boolean
  /** The code of what the sender lacks, if anything. */
  sender?: string
}

/** A message that has to wait longer is left to its enrollment, which records it as too late. */
const patienceMs = 7 * 24 * 3_600_000

/**
 * Judges the first messages of contacts before they enter, in few statements. A contact who may not be messaged before the morning enters
 * then, one after the other. This decides nothing else: the gates judge every message when it is sent.
 */
export async function findOutlooks(
  ctx: Ctx,
  backfill: Backfill,
  waiting: readonly Pick<BackfillContact, 'id' | 'contact_id'>[],
): Promise<Map<string, Outlook>> {
  const automation = orNotFound(await findAutomation(ctx.db, backfill.automation_id))
  const { definition } = orNotFound(await findVersion(ctx.db, automation.id, automation.version ?? 0))
  const [step] = definition.steps
  if (step?.type !== 'send') return new Map()
  const { timezone } = orNotFound(await findWorkspace(ctx.directory, ctx.workspaceId))
  const contacts = await listContactsById(
    ctx.db,
    waiting.map(({ contact_id }) => contact_id),
  )
  const contactOf = new Map(contacts.map((contact) => [contact.id, contact]))
  const now = ctx.clock.now()
  const sends = waiting.flatMap(({ id, contact_id }) => {
    const contact = contactOf.get(contact_id)
    const to = contact && pointFor(contact, recordChannels[step.channel])
    return contact === undefined || to === undefined ? [] : [{ id, contact, to }]
  })
  const planned = sends.map(({ contact, to }) => ({ contactId: contact.id, to, at: now }))
  const source = backfill.channel === null ? 'automation' : 'campaign'
  const verdicts = await judgeSends(ctx, draftOfSend(step, '', asIs), { source }, planned)
  return new Map(
    sends.map(({ id, contact }, index): [string, Outlook] => {
      const verdict = orNotFound(verdicts[index])
      const opening = (at: Date) => windowOpening(definition, contact, timezone, at)
      if (verdict.allowed) return [id, outlookAt(opening(now), now)]
      if (verdict.retryAt !== null) return [id, outlookAt(opening(new Date(verdict.retryAt)), now)]
      const sender = verdict.reasons.find(isSenderCode)
      return [id, { counts: false, ...(sender !== undefined && { sender }) }]
    }),
  )
}

const outlookAt = (at: Date, now: Date): Outlook =>
  at > now && at <= later(now, patienceMs) ? { until: at, counts: true } : { counts: true }

/** Leaves placeholders unfilled. What the gates need to know about a text does not depend on them. */
const asIs = (text: string): string => text
