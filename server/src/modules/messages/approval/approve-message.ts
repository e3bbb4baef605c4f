import { type Static, Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { masked } from '#kernel/masking/masked.ts'
import { lockPersons, pauseAiOf } from '../../contacts/public.ts'
import { complianceOf } from '../compliance-of.ts'
import type { MessageDraft } from '../draft.ts'
import { ComplianceBlocked, MessageErased, MessageNotPending } from '../errors.ts'
import { MessageApproved, MessageBlocked } from '../events.ts'
import { eventOf } from '../message-event.ts'
import { type Message, messageRecord } from '../message.ts'
import { type Plan, planMessage } from '../plan-message.ts'
import { findMessage, lockMessage, saveMessage } from '../queries.ts'
import { queueMessage } from '../queue/queries.ts'
import { draftAgain } from '../resend-message.ts'
import { segmentsOf } from '../segments.ts'

export const Approval = Type.Object(
  {
    body: Type.Optional(
      masked(
        'text',
        Type.String({
          minLength: 1,
          maxLength: 4000,
          description:
            'A text to send instead. The message then counts as written by the person who sends it.',
        }),
      ),
    ),
  },
  { title: 'Approval', additionalProperties: false, examples: [{}] },
)

/** A message of the AI that a person approves, unchanged or with another text. */
interface Approved {
  message: Message
  draft: MessageDraft
  plan: Plan
  edited: boolean
}

/**
 * Plans a message that waits for approval, and judges it as of now. Throws 409 `message_not_pending` for any other
 * message, and 409 `message_erased` if its content has been erased.
 */
export async function planApproval(
  ctx: Ctx,
  id: string,
  { body }: Static<typeof Approval>,
): Promise<Approved> {
  const message = orNotFound(await findMessage(ctx.db, id))
  requirePending(message)
  const edited = body !== undefined && body !== message.body
  const draft = {
    ...draftAgain(message),
    ...(edited ? { body, ai_generated: false } : {}),
  } as MessageDraft
  const own = edited
    ? { source: sourceOf(ctx.actor.type) }
    : { source: message.source, personaId: message.persona_id }
  const plan = await planMessage(ctx, draft, own)
  return { message, draft, plan, edited }
}

function requirePending({ status, erased_at }: Message): void {
  if (erased_at !== null) throw MessageErased()
  if (status !== 'pending_approval') throw MessageNotPending(status)
}

/**
 * Queues the message and records who approved it. If only the hours forbid it, the message is scheduled for when they
 * begin. An edited text counts as a message of that person, and pauses the AI like any other.
 *
 * Throws 422 `compliance_blocked` if a gate forbids the message. The message keeps waiting for approval if nothing but
 * a paused AI and the hours forbid it; otherwise it becomes `blocked`.
 */
export async function approveMessage(ctx: Ctx, { message, draft, plan, edited }: Approved): Promise<Message> {
  const { verdict, to, pausesAi } = plan
  const rejection = verdict.allowed || verdict.retryAt !== null ? undefined : verdict
  const blocked = () =>
    ComplianceBlocked({ message_id: message.id, content: verdict.evidence.content }, orNotFound(rejection))
  if (rejection?.reasons.every(passes) === true) throw blocked()
  const scheduled_at =
    verdict.allowed || verdict.retryAt === null ? null : new Date(verdict.retryAt).toISOString()
  const approved = await ctx.transaction(async (limited) => {
    const tx = limited.unrestricted()
    const contactIds = message.contact_id === null ? [] : [message.contact_id]
    await lockPersons(tx, { contactIds, points: [to] })
    if (pausesAi && rejection === undefined) await pauseAiOf(tx, { contactIds, points: [to] }, 'message')
    const before = orNotFound(await lockMessage(tx, message.id))
    requirePending(before)
    const at = tx.clock.now()
    const body = draft.body ?? null
    const { type, id } = tx.actor
    const accepted = scheduled_at === null ? 'queued' : 'scheduled'
    const patched = orNotFound(
      messageRecord.applyPatch(
        before,
        {
          status: rejection === undefined ? accepted : 'blocked',
          approved_by: { type, id },
          compliance: complianceOf(verdict, at),
          ...(scheduled_at !== null && { scheduled_at, waits_for_hours: true }),
          ...(edited && { body, ai_generated: false, source: sourceOf(type), actor: tx.actor }),
          ...(before.channel === 'SMS' && { segments: segmentsOf(body ?? '') }),
        },
        at,
      ),
    )
    saveMessage(tx, before.id, patched.changed)
    if (rejection === undefined) {
      queueMessage(tx, patched.after)
      await tx.emit(MessageApproved, { ...patched.after, edited })
    } else {
      const { reason, reasons } = rejection
      await tx.emit(MessageBlocked, { ...eventOf(patched.after), reason, reasons: [...reasons] })
    }
    return patched.after
  })
  if (rejection !== undefined) throw blocked()
  return approved
}

/** Whether a reason passes: by itself, or when a person resumes the AI. */
const passes = (code: string): boolean => ['ai_paused', 'quiet_hours', 'restricted_day'].includes(code)

const sourceOf = (actor: string): Message['source'] => (actor === 'member' ? 'user' : 'api')
