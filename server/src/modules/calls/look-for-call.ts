import type { Ctx } from '#kernel/context.ts'
import { listSendersById } from '../senders/public.ts'
import { findMember } from '../workspaces/public.ts'
import type { CallRow } from './call.ts'
import type { ProviderAccount, VoiceCarrier } from './ports.ts'
import { findCallByProviderId } from './queries.ts'
import { recordReport } from './reports/record-report.ts'

/**
 * Looks up a call at the provider and records what it reports. Returns false if the call isn't found or the provider is
 * unreachable.
 */
export async function lookForCall(
  ctx: Ctx,
  { account, carrier }: { account: ProviderAccount; carrier: VoiceCarrier },
  call: CallRow,
): Promise<boolean> {
  // Include deactivated members: the member's phone rang, even if the member was deactivated later.
  const member = call.member_id === null ? undefined : await findMember(ctx.db, call.member_id)
  const found = await carrier.find(account, {
    callId: call.id,
    providerCallId: call.provider_call_id,
    from: call.from ?? (await ourNumber(ctx, call)),
    to: call.to,
    member: member?.phone ?? null,
    direction: call.direction,
    since: new Date(call.began_at ?? call.created_at),
    isAnother: async (sid) => (await findCallByProviderId(ctx.db, account.id, sid)) !== undefined,
  })
  if (found === undefined) return false
  await recordReport(ctx, account, found)
  return true
}

/** The workspace's number in an outbound call. An erasure clears `from` but keeps the sender. */
async function ourNumber({ db }: Ctx, { direction, sender_id }: CallRow): Promise<string | null> {
  if (direction === 'INBOUND' || sender_id === null) return null
  const [sender] = await listSendersById(db, [sender_id])
  return sender?.address ?? null
}
