import type { Runtime } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { type FormFields, field, html, seeOther } from '../pages/public.ts'
import { findWorkspace, updateWorkspace, workspaceRecord } from '../workspaces/public.ts'
import { type FormState, rejected, untouched } from './form-state.ts'
import { settingsForm, settingsPage } from './settings-page.ts'
import { type SettingsRequest, settingsRoute } from './settings-route.ts'

/** Shows and changes the workspace's name, time zone, and currency. */
export const workspaceRoutes = (runtime: Runtime): PlainRoute[] => [
  settingsRoute(runtime, '/workspace', {
    GET: async (request) =>
      workspacePage(request, orNotFound(await findWorkspace(request.ctx.directory, request.ctx.workspaceId))),
    POST: save,
  }),
]

interface Entered {
  name: string
  timezone: string
  currency: string
}

const workspacePage = (
  request: SettingsRequest,
  { name, timezone, currency }: Entered,
  { status, errors }: FormState = untouched,
): PlainResponse =>
  settingsPage(request, 'workspace', {
    title: 'Workspace',
    status,
    main: settingsForm(request, {
      label: 'Save',
      back: request.base,
      fields: html`${field({ name: 'name', label: 'Name', value: name, error: errors['name'], maxLength: 120 })}
${field({
  name: 'timezone',
  label: 'Time zone',
  value: timezone,
  hint: 'An IANA name, such as America/Chicago.',
  error: errors['timezone'],
  maxLength: 64,
})}
${field({
  name: 'currency',
  label: 'Currency',
  value: currency,
  hint: 'An ISO 4217 code, such as USD. Deals and listings that exist keep theirs.',
  error: errors['currency'],
  maxLength: 3,
})}`,
    }),
  })

const validate: (value: unknown) => void = bodyValidator(workspaceRecord.Patch)

async function save(request: SettingsRequest, form: FormFields): Promise<PlainResponse> {
  const entered = {
    name: form.text('name').trim(),
    timezone: form.text('timezone').trim(),
    currency: form.text('currency').trim().toUpperCase(),
  }
  try {
    validate(entered)
    await updateWorkspace(request.ctx, entered)
    return seeOther(request.path)
  } catch (error) {
    return workspacePage(request, entered, rejected(error))
  }
}
