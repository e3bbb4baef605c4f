import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { findConnection, markCredentials, recordTested, openAccount } from '../../senders/public.ts'
import type { VoiceCarriers } from '../ports.ts'

/** The result of testing a connection's credentials. */
export type VoiceTest = 'accepted' | 'rejected' | 'unknown_account' | 'unreachable' | 'disconnected'

/**
 * Asks the voice provider whether it accepts a connection's credentials and knows the account, and records the result.
 * Records nothing if the provider is unreachable. Throws 404 if the connection isn't in this workspace.
 */
export async function testVoice(ctx: Ctx, voice: VoiceCarriers, id: string): Promise<VoiceTest> {
  orNotFound(await findConnection(ctx.directory, ctx.workspaceId, id))
  const account = await openAccount(ctx, id)
  if (account === undefined) return 'disconnected'
  const result = (await voice[account.provider]?.test(account)) ?? 'unreachable'
  if (result === 'unreachable') return result
  const isAccepted = result === 'accepted'
  await ctx.transaction((tx) => markCredentials(tx, id, !isAccepted))
  if (isAccepted) await recordTested(ctx, id)
  return result
}
