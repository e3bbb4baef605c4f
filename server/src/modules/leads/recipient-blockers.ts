import type { Ctx } from '#kernel/context.ts'
import { AppError } from '#kernel/errors.ts'
import {
  type Held,
  type Subject,
  SuppressionsUnreadable,
  findSuppressions,
  stopsPhone,
} from '../compliance/public.ts'
import type { RecipientBlocker } from './consent.ts'
import type { Lead } from './lead.ts'

type Recipient = Pick<Lead, 'phone' | 'contact_id'>

/**
 * Tells of each of these leads what is known against its phone number and its contact, asked for once for all of them.
 * What is known against an e-mail address alone does not stop the phone. Where the suppressions cannot be read every lead
 * is blocked, rather than none to be seen.
 */
export async function recipientBlockers(
  ctx: Ctx,
  leads: readonly Recipient[],
): Promise<(lead: Recipient) => RecipientBlocker[]> {
  try {
    const held = await findSuppressions(ctx, leads.flatMap(subjectsOf))
    return (lead) => blockersOf(lead, held)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== SuppressionsUnreadable.code) throw error
    ctx.log.error({ err: error, workspaceId: ctx.workspaceId }, 'leads are shown as blocked')
    return (lead) => (subjectsOf(lead).length === 0 ? [] : ['suppressions_unreadable'])
  }
}

/** The phone is in E.164 already. */
const subjectsOf = ({ phone, contact_id }: Recipient): Subject[] => [
  ...(phone === null ? [] : [{ type: 'phone' as const, value: phone }]),
  ...(contact_id === null ? [] : [{ type: 'contact' as const, value: contact_id }]),
]

function blockersOf(lead: Recipient, held: Held): RecipientBlocker[] {
  const against = subjectsOf(lead)
    .flatMap(({ value }) => held.get(value) ?? [])
    .filter(stopsPhone)
  return [
    ...(against.some(({ kind }) => kind === 'opted_out') ? ['opted_out' as const] : []),
    ...(against.some(({ kind }) => kind !== 'opted_out') ? ['suppressed' as const] : []),
  ]
}
