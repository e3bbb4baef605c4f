import type { Ctx } from '#kernel/context.ts'
import { endReply, listAwaitedBefore } from './awaited-queries.ts'
import { recordHandoff } from './hand-off.ts'
import { readScene } from './read-scene.ts'
import { NotNow } from './require-standing.ts'

/**
 * Hands off the conversations whose last message came before a time and awaits a response, without a message to the contact.
 * Where the AI would no longer respond, the wait just ends.
 */
export async function leaveAwaited(ctx: Ctx, before: Date): Promise<void> {
  for (const awaited of await listAwaitedBefore(ctx.db, before)) {
    const scene = await readScene(ctx, awaited.conversation_id, awaited.persona_id)
    try {
      await ctx.transaction(async (tx) => {
        if (scene !== undefined) await recordHandoff(tx, ctx, scene, 'restored', undefined)
        endReply(tx, awaited)
      })
    } catch (error) {
      if (!(error instanceof NotNow)) throw error
      await ctx.transaction(async (tx) => endReply(tx, awaited))
    }
  }
}
