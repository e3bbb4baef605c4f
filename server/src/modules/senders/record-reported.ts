import type { Ctx } from '#kernel/context.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import type { ProviderTemplate } from './ports.ts'
import { findTemplate } from './queries.ts'
import { type Registration, kindsOfSender } from './registration.ts'
import { updateSender } from './save-sender.ts'
import { createTemplate, updateTemplate } from './save-template.ts'
import type { SenderRow } from './sender.ts'
import { type TemplateDraft, templates } from './template.ts'

/** What changed in a sender or template because its provider reported it. */
export interface ReportedChange {
  workspace_id: string
  type: 'sender' | 'template'
  id: string
  /** The address of a sender, or the name and language of a template. */
  name: string
  /** The new values, such as `brand=APPROVED`; `body` for a new text; `added` for a new template. */
  changed: string[]
}

const isState = (value: unknown) => typeof value === 'boolean' || /^[A-Z][A-Z_]{0,39}$/.test(String(value))

/**
 * Saves the states that a provider reports if they differ. All others stay. Returns undefined if nothing changed. A
 * number that a carrier rejected as unregistered stays `UNREGISTERED` until the operator sets another state, because
 * the provider still lists it as registered.
 */
export async function recordRegistration(
  ctx: Ctx,
  { id, kind, address, registration }: SenderRow,
  reported: Registration,
): Promise<ReportedChange | undefined> {
  const states = Object.entries(reported).filter(
    ([name, value]) =>
      Object.hasOwn(kindsOfSender[kind].unregistered, name) &&
      isState(value) &&
      value !== registration[name as keyof Registration] &&
      !(name === 'number' && registration.number === 'UNREGISTERED'),
  )
  if (states.length === 0) return undefined
  await updateSender(ctx, id, { registration: Object.fromEntries(states) })
  return {
    workspace_id: ctx.workspaceId,
    type: 'sender',
    id,
    name: address,
    changed: states.map(([name, value]) => `${name}=${value}`),
  }
}

const validateDraft: (draft: unknown) => void = bodyValidator(templates.Draft)

/**
 * Adds a template that a provider lists, or updates what differs. Returns undefined if nothing changed. Throws
 * `ValidationFailed` for a template that Gable cannot store.
 */
export async function recordTemplate(
  ctx: Ctx,
  connection_id: string,
  { name, language, ...reported }: ProviderTemplate,
): Promise<ReportedChange | undefined> {
  const draft = { connection_id, name, language, ...reported }
  validateDraft(draft)
  const { category, status, body } = draft as TemplateDraft
  const change = (id: string, changed: string[]): ReportedChange => ({
    workspace_id: ctx.workspaceId,
    type: 'template',
    id,
    name: `${name} ${language}`,
    changed,
  })
  const known = await findTemplate(ctx.db, { connectionId: connection_id, name, language })
  if (known === undefined) return change((await createTemplate(ctx, draft as TemplateDraft)).id, ['added'])
  if (known.status === status && known.category === category && known.body === body) return undefined
  await updateTemplate(ctx, known.id, { category, body, ...(status !== undefined && { status }) })
  return change(known.id, [
    ...(known.status === status ? [] : [`status=${status}`]),
    ...(known.category === category ? [] : [`category=${category}`]),
    ...(known.body === body ? [] : ['body']),
  ])
}
