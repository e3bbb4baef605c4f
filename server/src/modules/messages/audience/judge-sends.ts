import type { Ctx } from '#kernel/context.ts'
import { ReferenceNotFound } from '#kernel/errors.ts'
import { type Allowed, type Blocked, judge } from '../../compliance/public.ts'
import type { Point } from '../../contacts/public.ts'
import {
  type SenderRow,
  findDefaultSender,
  listSendersById,
  recordChannels,
  senderState,
} from '../../senders/public.ts'
import { listLastSenders } from '../conversations/conversation-queries.ts'
import type { MessageDraft } from '../draft.ts'
import { findSendFacts } from '../facts.ts'
import { type OwnPart, contentOfDraft, sendOfDraft, templateState } from '../plan-message.ts'

/** One recipient of a message to many, and when to send it to them. */
export interface PlannedSend {
  contactId: string
  to: Point
  at: Date
}

/**
 * Judges one message to each of these recipients at its time, by what is known now. Returns the verdicts in the same
 * order. Needs few queries, however many recipients there are, and writes nothing. `draft`: the message; its recipient
 * is ignored. Throws 404 if the sender in `draft.from` does not exist.
 */
export async function judgeSends(
  ctx: Ctx,
  draft: MessageDraft,
  own: OwnPart,
  sends: readonly PlannedSend[],
): Promise<(Allowed<null> | Blocked)[]> {
  const channel = recordChannels[draft.channel]
  const personaId = own.personaId ?? null
  const sought = sends.map(({ contactId, to }) => ({ channel: draft.channel, to, contactId, personaId }))
  const db = ctx.lookups()
  const [standard, last, known] = await Promise.all([
    findDefaultSender(db, channel),
    draft.from === undefined
      ? listLastSenders(
          db,
          channel,
          sends.map(({ to }) => to.value),
        )
      : new Map<string, string>(),
    findSendFacts({ db, keys: ctx.keys }, sought, ctx.clock.now()),
  ])
  const ids = [...new Set([...last.values(), draft.from ?? []].flat())]
  const senders = new Map((await listSendersById(db, ids)).map((sender) => [sender.id, sender]))
  if (draft.from !== undefined && !senders.has(draft.from)) throw ReferenceNotFound('from')
  const content = await contentOfDraft(draft, own)
  const template = draft.channel === 'whatsapp' ? draft.template : undefined
  const sendOf = memoized(async (sender: SenderRow | undefined) =>
    sendOfDraft(ctx, draft, own, template && (await templateState(ctx, sender, template))),
  )
  return Promise.all(
    sends.map(async ({ to, at }, index) => {
      const sender = senders.get(draft.from ?? last.get(to.value) ?? '') ?? standard
      const facts = known[index]?.facts
      if (facts === undefined) throw new Error('A send of which nothing is known.')
      const state = sender === undefined ? null : senderState(sender)
      return judge(null, await sendOf(sender), { ...facts, content, sender: state }, at)
    }),
  )
}

function memoized<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const value = known.get(key) ?? make(key)
    known.set(key, value)
    return value
  }
}
