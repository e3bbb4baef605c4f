import type { Ctx } from '#kernel/context.ts'
import { listSendersById } from '../senders/public.ts'
import { findMember } from '../workspaces/public.ts'
import type { CallRow } from './call.ts'
import type { ProviderAccount, VoiceCarrier } from './ports.ts'
import { findCallByProviderId } from './queries.ts'
import { recordReport } from './reports/record-report.ts'

/** Asks the provider about a call, and records what it says. False if it is not found, or the provider cannot be reached. */
export async function lookForCall(
  ctx: Ctx,
  { account, carrier }: { account: ProviderAccount; carrier: VoiceCarrier },
  call: CallRow,
): Promise<boolean> {
  // It was rung, though the member may have been deactivated since.
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

/** The number that a call of ours came from, of which an erasure leaves the sender. */
async function ourNumber({ db }: Ctx, { direction, sender_id }: CallRow): Promise<string | null> {
  if (direction === 'INBOUND' || sender_id === null) return null
  const [sender] = await listSendersById(db, [sender_id])
  return sender?.address ?? null
}
