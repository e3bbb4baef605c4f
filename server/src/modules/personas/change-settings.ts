import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '#kernel/context.ts'
import type { AiSettings, AiSettingsPatch } from './ai-settings.ts'
import { AiSettingsChanged } from './events.ts'
import { lockAiSettings, saveAiSettings } from './queries.ts'

/** Changes the settings for all personas. Once the AI is off, its queued messages are not sent. */
export const changeAiSettings = (ctx: Ctx, patch: AiSettingsPatch): Promise<AiSettings> =>
  ctx.transaction(async (tx) => {
    const before = await lockAiSettings(tx)
    const after = { ...before, ...patch }
    if (isDeepStrictEqual(before, after)) return before
    saveAiSettings(tx, after)
    await tx.emit(AiSettingsChanged, { id: tx.workspaceId, from: before, to: after })
    return after
  })
