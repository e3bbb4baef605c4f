import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { changeComplianceSettings } from './change-settings.ts'
import { ComplianceSettings, ComplianceSettingsPatch } from './compliance-settings.ts'
import { findComplianceSettings } from './settings-queries.ts'

const tag = 'Compliance settings'

export const getComplianceSettings = endpoint('GET /compliance-settings', {
  scope: 'compliance:read',
  tag,
  summary: 'Retrieve the compliance settings',
  description:
    'The settings that apply to every message and call of the workspace. Those that have never been changed have their defaults.',
  responses: { 200: ComplianceSettings },
  handle: async (ctx) => ok(await findComplianceSettings(ctx.db)),
})

export const patchComplianceSettings = endpoint('PATCH /compliance-settings', {
  scope: 'settings:manage',
  tag,
  summary: 'Update the compliance settings',
  description: 'Changes apply to the whole workspace, starting with the next message.',
  body: ComplianceSettingsPatch,
  responses: { 200: ComplianceSettings },
  handle: async (ctx, { body }) => ok(await changeComplianceSettings(ctx, body)),
})
