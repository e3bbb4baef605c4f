import type { Ctx } from '#kernel/context.ts'
import type { HandoffReason } from '../events.ts'
import { handOff } from './hand-off.ts'
import { readScene } from './read-scene.ts'

/** Hands off a conversation if the AI would respond in it. Otherwise does nothing. */
export async function leaveToPerson(ctx: Ctx, conversationId: string, reason: HandoffReason): Promise<void> {
  const scene = await readScene(ctx, conversationId)
  if (scene !== undefined) await handOff(ctx, scene, reason)
}
