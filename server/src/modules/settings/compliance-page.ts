import type { Runtime } from '#kernel/context.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import {
  type ComplianceSettings,
  changeComplianceSettings,
  findComplianceSettings,
  validateSettings,
} from '../compliance/public.ts'
import { type FormFields, area, choices, field, html, seeOther } from '../pages/public.ts'
import { type FormState, rejected, untouched } from './form-state.ts'
import { settingsForm, settingsPage } from './settings-page.ts'
import { type SettingsRequest, settingsRoute } from './settings-route.ts'

/** Shows and changes the compliance settings. */
export const complianceRoutes = (runtime: Runtime): PlainRoute[] => [
  settingsRoute(runtime, '/compliance', {
    GET: async (request) => compliancePage(request, enteredOf(await findComplianceSettings(request.ctx.db))),
    POST: save,
  }),
]

interface Entered {
  countries: readonly string[]
  postalAddress: string
  supportContact: string
  coldSources: string
  emergencyStates: string
  retentionDays: string
  recordCalls: boolean
  recordingDays: string
}

const enteredOf = (settings: ComplianceSettings): Entered => ({
  countries: settings.enabled_countries,
  postalAddress: settings.postal_address ?? '',
  supportContact: settings.support_contact ?? '',
  coldSources: settings.cold_sources.join('\n'),
  emergencyStates: settings.emergency_states.join(', '),
  retentionDays: String(settings.retention_days ?? ''),
  recordCalls: settings.record_calls,
  recordingDays: String(settings.recording_retention_days ?? ''),
})

const countryNames = { US: 'United States', CA: 'Canada' }

const compliancePage = (
  request: SettingsRequest,
  {
    countries,
    postalAddress,
    supportContact,
    coldSources,
    emergencyStates,
    retentionDays,
    recordCalls,
    recordingDays,
  }: Entered,
  { status, errors }: FormState = untouched,
): PlainResponse =>
  settingsPage(request, 'compliance', {
    title: 'Compliance',
    status,
    main: settingsForm(request, {
      label: 'Save',
      back: request.base,
      fields: html`${choices(
        'enabled_countries',
        'Countries whose numbers may be sent messages and called',
        Object.entries(countryNames).map(([value, label]) => ({
          value,
          label,
          chosen: countries.includes(value),
        })),
        { error: errors['enabled_countries'] },
      )}
${area({
  name: 'postal_address',
  label: 'Postal address',
  value: postalAddress,
  rows: 3,
  hint: 'Shown in marketing email, which is not sent without it.',
  error: errors['postal_address'],
  optional: true,
})}
${field({
  name: 'support_contact',
  label: 'Support contact',
  value: supportContact,
  hint: 'A phone number, an email address, or a website. The response to HELP names it.',
  error: errors['support_contact'],
  maxLength: 60,
  optional: true,
})}
${area({
  name: 'cold_sources',
  label: 'Cold sources, one a line',
  value: coldSources,
  rows: 4,
  hint: 'Sources whose leads did not ask for anything, such as purchased lists.',
  error: errors['cold_sources'],
  optional: true,
})}
${field({
  name: 'emergency_states',
  label: 'States under a declared emergency',
  value: emergencyStates,
  hint: 'Two letters each, such as NY, LA. No marketing by phone to people there until you remove the state.',
  error: errors['emergency_states'],
  maxLength: 300,
  optional: true,
})}
${field({
  name: 'retention_days',
  label: 'Days after which the content of messages is erased',
  value: retentionDays,
  hint: '30 to 3650. Times and statuses stay. Erased content cannot be restored. Leave it empty to keep all content.',
  error: errors['retention_days'],
  maxLength: 4,
  optional: true,
})}
${choices('record_calls', 'Recording', [
  {
    value: 'on',
    label: 'Record calls. People hear it first; several states require everyone to agree.',
    chosen: recordCalls,
  },
])}
${field({
  name: 'recording_retention_days',
  label: 'Days after which recordings of calls are erased',
  value: recordingDays,
  hint: '1 to 3650. Transcripts and summaries stay. Leave it empty to keep all recordings.',
  error: errors['recording_retention_days'],
  maxLength: 4,
  optional: true,
})}`,
    }),
  })

async function save(request: SettingsRequest, form: FormFields): Promise<PlainResponse> {
  const entered = {
    countries: form.all('enabled_countries'),
    postalAddress: form.text('postal_address').trim(),
    supportContact: form.text('support_contact').trim(),
    coldSources: form.text('cold_sources'),
    emergencyStates: form.text('emergency_states'),
    retentionDays: form.text('retention_days').trim(),
    recordCalls: form.all('record_calls').includes('on'),
    recordingDays: form.text('recording_retention_days').trim(),
  }
  const lines = entered.coldSources.split('\n').map((line) => line.trim())
  try {
    const patch = validateSettings({
      enabled_countries: entered.countries,
      postal_address: entered.postalAddress === '' ? null : entered.postalAddress,
      support_contact: entered.supportContact === '' ? null : entered.supportContact,
      cold_sources: lines.filter((line) => line !== ''),
      emergency_states: entered.emergencyStates.toUpperCase().match(/[^\s,]+/g) ?? [],
      retention_days: daysOf(entered.retentionDays),
      record_calls: entered.recordCalls,
      recording_retention_days: daysOf(entered.recordingDays),
    })
    await changeComplianceSettings(request.ctx, patch)
    return seeOther(request.path)
  } catch (error) {
    return compliancePage(request, entered, rejected(error))
  }
}

const daysOf = (typed: string) => (typed === '' ? null : Number(typed))
