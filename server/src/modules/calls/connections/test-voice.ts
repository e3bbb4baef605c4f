import type { Ctx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { findConnection, markCredentials, noteTested, openAccount } from '../../senders/public.ts'
import type { VoiceCarriers } from '../ports.ts'

/** What a provider says of the credentials of a connection. */
export type VoiceTest = 'accepted' | 'rejected' | 'unknown_account' | 'unreachable' | 'disconnected'

/**
 * Asks a provider of calls whether it accepts the credentials of a connection, and whether it has the account, and records what it
 * says. Nothing is recorded where it cannot be reached. 404 for a connection of another workspace.
 */
export async function testVoice(ctx: Ctx, voice: VoiceCarriers, id: string): Promise<VoiceTest> {
  found(await findConnection(ctx.directory, ctx.workspaceId, id))
  const account = await openAccount(ctx, id)
  if (account === undefined) return 'disconnected'
  const result = (await voice[account.provider]?.test(account)) ?? 'unreachable'
  if (result === 'unreachable') return result
  const isAccepted = result === 'accepted'
  await ctx.transaction((tx) => markCredentials(tx, id, !isAccepted))
  if (isAccepted) await noteTested(ctx, id)
  return result
}
