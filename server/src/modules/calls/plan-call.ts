import type { Ctx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import { ReferenceNotFound, ValidationFailed } from '#kernel/errors.ts'
import { requireReach } from '#kernel/reach.ts'
import type { KeyRing } from '#kernel/secrets.ts'
import { type Allowed, type Blocked, type Send, judge } from '../compliance/public.ts'
import { ContactErased, type Point, findContact } from '../contacts/public.ts'
import { type Addressee, addresseeOf, findRecipient, findSendFacts } from '../messages/public.ts'
import { type SenderRow, findDefaultSender, findSender, findVoiceConnection } from '../senders/public.ts'
import { MemberInactive, findMember } from '../workspaces/public.ts'
import type { CallRow } from './call.ts'
import { requireCarried } from './connections/require-carried.ts'
import type { CallDraft } from './draft.ts'
import { requireTalkingAi } from './talking-persona.ts'

/** A requested call: whom to call, from which number, and whether it may be placed now. Planning writes nothing. */
export interface CallPlan extends Addressee {
  sender: SenderRow
  handledBy: CallRow['handled_by']
  verdict: Allowed<null> | Blocked
}

/**
 * Plans a call and judges it as of now. Throws 400 if it can't be a call at all; 404 if the contact, member, persona,
 * connection, or sender doesn't exist; and 409 if the AI is off, the member is inactive, the contact is erased, or
 * nothing can carry the call.
 */
export async function planCall(ctx: Ctx, draft: CallDraft): Promise<CallPlan> {
  await requireMember(ctx, draft)
  if (draft.connection_id !== undefined) await findVoiceConnection(ctx, draft.connection_id)
  await requireTalkingAi(ctx, draft)
  const recipient = await findRecipient(
    ctx,
    {
      channel: 'voice',
      to: draft.to ?? (await phoneOf(ctx, draft.contact_id)),
      contact_id: draft.contact_id,
    },
    draft.to !== undefined,
  )
  const handledBy = draft.member_id === undefined ? 'ai' : 'human'
  const db = ctx.lookups()
  const sender = await senderFor(db, draft.from)
  await requireCarried(ctx, sender, { handledBy, connectionId: draft.connection_id })
  const { verdict } = await judgeCall({ db, keys: ctx.keys }, null, {
    to: recipient.to,
    contactId: recipient.contact?.id ?? null,
    handledBy,
    at: ctx.clock.now(),
  })
  return {
    ...(await addresseeOf(ctx, recipient, async () => sender.id)),
    sender,
    handledBy,
    verdict,
  }
}

/** Judges a call by everything known about it. The verdict clears `call` if the call is allowed. */
export async function judgeCall<C>(
  handle: { db: Db; keys: KeyRing },
  call: C,
  {
    to,
    contactId,
    handledBy,
    at,
    callId = null,
  }: {
    to: Point
    contactId: string | null
    handledBy: CallRow['handled_by']
    at: Date
    /** The call itself, so that it doesn't count toward its own limits. */
    callId?: string | null
  },
) {
  const known = await findSendFacts(handle, [{ channel: 'voice', to, contactId, callId }], at)
  const [{ facts } = nothingKnown()] = known
  const send: Send = {
    channel: 'voice',
    purpose: 'outbound',
    messageClass: 'marketing',
    actor: handledBy === 'ai' ? 'ai' : 'human',
    kind: 'standard',
  }
  return { verdict: judge(call, send, { ...facts, sender: { type: 'voice' } }, at) }
}

function nothingKnown(): never {
  throw new Error('A call of which nothing is known.')
}

async function requireMember(ctx: Ctx, { member_id, connection_id }: CallDraft): Promise<void> {
  if (member_id === undefined) return
  const fail = (path: string, message: string) => {
    throw ValidationFailed([{ path, message }])
  }
  if (connection_id !== undefined) fail('connection_id', 'cannot be combined with member_id')
  requireReach(ctx.reach, member_id, 'member_id')
  const member = await findMember(ctx.db, member_id)
  if (member === undefined) throw ReferenceNotFound('member_id')
  if (!member.active) throw MemberInactive('member_id')
  if (member.phone === null) fail('member_id', 'has no phone number')
}

async function phoneOf(ctx: Ctx, contactId: string | undefined): Promise<string> {
  if (contactId === undefined)
    throw ValidationFailed([{ path: 'to', message: 'is required unless contact_id is set' }])
  const contact = await findContact(ctx.db, contactId)
  if (contact === undefined) throw ReferenceNotFound('contact_id')
  if (contact.erased_at !== null) throw ContactErased()
  if (contact.phone === null) throw ValidationFailed([{ path: 'contact_id', message: 'has no phone number' }])
  return contact.phone
}

async function senderFor(db: Db, from: string | undefined): Promise<SenderRow> {
  const sender = from === undefined ? await findDefaultSender(db, 'SMS') : await findSender(db, from, 'SMS')
  if (sender !== undefined) return sender
  if (from !== undefined) throw ReferenceNotFound('from')
  throw ValidationFailed([{ path: 'from', message: 'is required: the workspace has no number to call from' }])
}
