import { later } from '#kernel/clock.ts'
import type { Ctx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { isSenderCode } from '../../compliance/public.ts'
import { listContactsById, pointFor } from '../../contacts/public.ts'
import { judgeSends } from '../../messages/public.ts'
import { recordChannels } from '../../senders/public.ts'
import { findWorkspace } from '../../workspaces/public.ts'
import { draftOfSend } from '../definition/send-draft.ts'
import { windowOpening } from '../engine/send-window.ts'
import { findAutomation, findVersion } from '../queries.ts'
import type { Backfill, BackfillContact } from './backfill.ts'

/** What is to be expected of a contact's first step, where that is a message. */
export interface Outlook {
  /** It may not be sent before. */
  until?: Date
  /** Whether it is sent, so that it counts for the pace. What a gate forbids does not. */
  counts: boolean
  /** What the sender lacks, if anything. */
  sender?: string
}

/** A message that may not be sent for so long is left to its enrollment, which records it as too late. */
const patienceMs = 7 * 24 * 3_600_000

/**
 * Looks at the first messages of contacts before they enter, in few statements: who may not be written to before the morning enters then,
 * one after the other. What is found here decides nothing else: the gates judge every message when it is sent.
 */
export async function findOutlooks(
  ctx: Ctx,
  backfill: Backfill,
  waiting: readonly Pick<BackfillContact, 'id' | 'contact_id'>[],
): Promise<Map<string, Outlook>> {
  const automation = found(await findAutomation(ctx.db, backfill.automation_id))
  const { definition } = found(await findVersion(ctx.db, automation.id, automation.version ?? 0))
  const [step] = definition.steps
  if (step?.type !== 'send') return new Map()
  const { timezone } = found(await findWorkspace(ctx.directory, ctx.workspaceId))
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
      const verdict = found(verdicts[index])
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

/** What the gates have to know of a text, they know before its placeholders are filled. */
const asIs = (text: string): string => text
