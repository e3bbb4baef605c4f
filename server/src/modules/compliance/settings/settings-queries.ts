import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { lock } from '#kernel/db/lock.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { type ComplianceSettings, SettingsRow, defaultSettings } from './compliance-settings.ts'

/** The workspace's compliance settings, or the defaults. */
export const findComplianceSettings = async (db: Db): Promise<ComplianceSettings> =>
  (await db.maybeOne(SettingsRow)`
    select enabled_countries, postal_address, support_contact, cold_sources, emergency_states, retention_days,
      record_calls, recording_retention_days
    from compliance_settings
    where workspace_id = ${db.workspaceId}`) ?? defaultSettings

/** Reads the settings for a change, under a lock that serializes changes. */
export function lockComplianceSettings(tx: WorkspaceTx): Promise<ComplianceSettings> {
  lock(tx, 'compliance settings')
  return findComplianceSettings(tx)
}

export const saveComplianceSettings = (tx: WorkspaceTx, settings: ComplianceSettings): void =>
  tx.write`
    insert into compliance_settings ${values({ workspace_id: tx.workspaceId, ...settings })}
    on conflict (workspace_id) do update set ${assignments(settings)}`
