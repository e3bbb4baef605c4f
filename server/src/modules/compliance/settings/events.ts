import { Type } from 'typebox'
import { event } from '#kernel/events/event.ts'
import { ComplianceSettings } from './compliance-settings.ts'

const exampleSettings = {
  enabled_countries: ['US' as const],
  postal_address: null,
  support_contact: null,
  cold_sources: ['Purchased list'],
  emergency_states: [],
  retention_days: null,
  record_calls: true,
  recording_retention_days: 365,
}

export const ComplianceSettingsChanged = event('compliance_settings.updated', {
  scope: null,
  summary: 'The compliance settings were changed',
  subject: 'workspace',
  data: Type.Object({ id: Type.String(), from: ComplianceSettings, to: ComplianceSettings }),
  example: {
    id: 'cmi8h0x2d0000q1w4e7r9t2y5',
    from: { ...exampleSettings, cold_sources: [] },
    to: exampleSettings,
  },
})
