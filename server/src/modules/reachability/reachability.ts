import { type Static, Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { maskPhone } from '#kernel/masking/mask-phone.ts'
import { masked } from '#kernel/masking/masked.ts'
import { nullable } from '#kernel/schemas.ts'
import { judgeCall } from '../calls/public.ts'
import { type Contact, type Point, pointFor } from '../contacts/public.ts'
import {
  type PreflightDraft,
  addresseeOf,
  exampleVerdict,
  planMessage,
  shownVerdict,
  verdictMembers,
} from '../messages/public.ts'
import { findDefaultSender, recordChannels } from '../senders/public.ts'

const channels = ['sms', 'whatsapp', 'email', 'voice'] as const
type Channel = (typeof channels)[number]

/** What a preflight returns, without what only a preflight needs. */
const verdictOf = <T extends Record<'gates' | 'rule_set' | 'effective_purpose' | 'warnings', unknown>>({
  gates: _,
  rule_set: __,
  effective_purpose: ___,
  warnings: ____,
  ...verdict
}: T) => verdict

const ChannelReachability = Type.Object(
  {
    channel: Type.Enum(channels, { title: 'ReachabilityChannel' }),
    to: masked(
      'text',
      nullable(Type.String({ description: 'The number or address of the contact. Null if there is none.' })),
    ),
    ...verdictOf(verdictMembers),
    consent: nullable(
      Type.Boolean({ description: 'Whether there is the consent that the channel requires.' }),
    ),
  },
  { title: 'ChannelReachability' },
)
type ChannelReachability = Static<typeof ChannelReachability>

const exampleOf = (channel: Channel, to: string): ChannelReachability => ({
  ...verdictOf(exampleVerdict),
  channel,
  to,
  consent: true,
})

export const Reachability = Type.Object(
  {
    channels: Type.Array(ChannelReachability, {
      description:
        'Text, WhatsApp, email, and a call by a member. A call also needs a number of the workspace: `sender` is null without one.',
    }),
  },
  {
    title: 'Reachability',
    examples: [{ channels: [exampleOf('sms', '+13125550123'), exampleOf('voice', '+13125550123')] }],
  },
)

/** Judges a message without content on each channel, and a call by a member, as of now. Writes nothing. */
export const findReachability = async (ctx: Ctx, contact: Contact): Promise<Static<typeof Reachability>> => ({
  channels: await Promise.all(
    channels
      .filter((channel) => ctx.scopes.has(channel === 'voice' ? 'calls:write' : 'messages:send'))
      .map((channel) => findOnChannel(ctx, contact, channel)),
  ),
})

async function findOnChannel(ctx: Ctx, contact: Contact, channel: Channel): Promise<ChannelReachability> {
  const to = pointFor(contact, channel === 'voice' ? 'SMS' : recordChannels[channel])
  if (to === undefined) return withoutAddress(channel)
  const plan =
    channel === 'voice' ? await planCall(ctx, contact, to) : await planWithoutText(ctx, contact, channel, to)
  const shown = shownVerdict(
    plan,
    ctx.clock.now(),
    channel === 'voice' ? 'The contact may be called.' : 'The contact may be written to.',
  )
  const consent = shown.gates.find(({ gate }) => gate === 'consent')?.passed ?? null
  // A phone that is no number is masked as in the contact.
  const address = ctx.masked && channel !== 'email' ? maskPhone(contact.phone ?? '') : to.value
  return { channel, to: address, ...verdictOf(shown), consent }
}

const planWithoutText = (ctx: Ctx, contact: Contact, channel: Exclude<Channel, 'voice'>, to: Point) =>
  planMessage(ctx, { channel, to: to.value, contact_id: contact.id } as PreflightDraft, {
    isFromCaller: true,
    mayLackText: true,
    recipient: { to, contact },
  })

/** What a member's call to the contact would be. */
async function planCall(ctx: Ctx, contact: Contact, to: Point) {
  const db = ctx.lookups()
  const [sender, { verdict }] = await Promise.all([
    findDefaultSender(db, 'SMS'),
    judgeCall({ db, keys: ctx.keys }, null, {
      to,
      contactId: contact.id,
      handledBy: 'human',
      at: ctx.clock.now(),
    }),
  ])
  return { ...(await addresseeOf(ctx, { to, contact }, async () => sender?.id ?? null)), sender, verdict }
}

const withoutAddress = (channel: Channel): ChannelReachability => ({
  channel,
  to: null,
  allowed: false,
  reason: null,
  reasons: [],
  message: `The contact has no ${channel === 'email' ? 'email address' : 'phone number'}.`,
  retry_at: null,
  zones: [],
  consent: null,
  sender: null,
})
