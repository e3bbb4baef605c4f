import type { Ctx } from '#kernel/context.ts'
import { defineError } from '#kernel/errors.ts'
import { type SenderRow, findConnection, findVoiceConnection } from '../../senders/public.ts'
import type { CallRow } from '../call.ts'

const VoiceNotConnected = defineError('voice_not_connected', 409, (handledBy: CallRow['handled_by']) => ({
  message:
    handledBy === 'ai'
      ? 'No connection can carry AI calls. Connect Retell.'
      : 'The call comes from a number of a simulated connection, and calls are not simulated here. Connect Twilio.',
}))

/**
 * Throws 409 `voice_not_connected` if no connection can carry the call. Only calls from simulated numbers are
 * simulated: a workspace that reaches real people never gets made-up calls.
 */
export async function requireCarried(
  ctx: Ctx,
  sender: SenderRow,
  { handledBy, connectionId }: { handledBy: CallRow['handled_by']; connectionId: string | undefined },
): Promise<void> {
  const { directory, workspaceId } = ctx
  const ofSender = await findConnection(directory, workspaceId, sender.connection_id)
  const used = handledBy === 'ai' ? await findVoiceConnection(ctx, connectionId) : ofSender
  if (used?.simulated === false) return
  if (ofSender?.simulated !== true || !ctx.simulatesProviders) throw VoiceNotConnected(handledBy)
}
