import type { Ctx } from '#kernel/context.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import type { ProviderTemplate } from './ports.ts'
import { findTemplate } from './queries.ts'
import { type Registration, kindsOfSender, maxStateLength } from './registration.ts'
import { updateSender } from './save-sender.ts'
import { createTemplate, updateTemplate } from './save-template.ts'
import type { SenderRow } from './sender.ts'
import { type TemplateDraft, templates } from './template.ts'

const isReported = { isReported: true }

/** Whether a provider's value can be stored as it comes. */
const isState = (value: unknown): boolean =>
  typeof value === 'boolean' ||
  (typeof value === 'string' &&
    value !== '' &&
    value.length <= maxStateLength &&
    !value.includes('\0') &&
    value.isWellFormed())

/**
 * Saves the states that a provider reports if they differ. All others stay. A number that a carrier rejected as
 * unregistered stays `UNREGISTERED` until the operator sets another state, because the provider still lists it as
 * registered.
 */
export async function recordRegistration(
  ctx: Ctx,
  sender: SenderRow,
  reported: Registration,
): Promise<SenderRow> {
  const { id, kind, registration } = sender
  const states = Object.entries(reported).filter(
    ([name, value]) =>
      Object.hasOwn(kindsOfSender[kind].unregistered, name) &&
      isState(value) &&
      value !== registration[name as keyof Registration] &&
      !(name === 'number' && registration.number === 'UNREGISTERED'),
  )
  if (states.length === 0) return sender
  return updateSender(ctx, id, { registration: Object.fromEntries(states) }, isReported)
}

const validateDraft: (draft: unknown) => void = bodyValidator(templates.Draft)

/** Adds a template that a provider lists, or updates what differs. Logs a template that Gable cannot store. */
export async function recordTemplate(
  ctx: Ctx,
  connection_id: string,
  { name, language, ...reported }: ProviderTemplate,
): Promise<void> {
  const { status, ...described } = reported
  const named = { connection_id, name, language, ...described }
  try {
    validateDraft(named)
    if (!isState(status)) throw new Error('The status is not a text that can be stored.')
  } catch (error) {
    ctx.log.warn({ err: error, connectionId: connection_id }, 'a template of a provider was not stored')
    return
  }
  const draft = { ...named, status } as TemplateDraft & { status: string }
  const { category, body } = draft
  const known = await findTemplate(ctx.db, { connectionId: connection_id, name, language })
  if (known === undefined) await createTemplate(ctx, draft, isReported)
  else if (known.status !== status || known.category !== category || known.body !== body)
    await updateTemplate(ctx, known.id, { category, body, status }, isReported)
}
