import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '#kernel/context.ts'
import {
  type ComplianceSettings,
  type ComplianceSettingsPatch,
  distinctSources,
} from './compliance-settings.ts'
import { ComplianceSettingsChanged } from './events.ts'
import { lockComplianceSettings, saveComplianceSettings } from './settings-queries.ts'

/** Changes the workspace's compliance settings, starting with the next message. Removes repeated values from lists. */
export const changeComplianceSettings = (
  ctx: Ctx,
  patch: ComplianceSettingsPatch,
): Promise<ComplianceSettings> =>
  ctx.transaction(async (tx) => {
    const before = await lockComplianceSettings(tx)
    const given = { ...before, ...patch }
    const after = {
      ...given,
      enabled_countries: [...new Set(given.enabled_countries)],
      cold_sources: distinctSources(given.cold_sources),
      emergency_states: [...new Set(given.emergency_states)],
    }
    if (isDeepStrictEqual(before, after)) return before
    saveComplianceSettings(tx, after)
    await tx.emit(ComplianceSettingsChanged, { id: tx.workspaceId, from: before, to: after })
    return after
  })
