import type { Ctx } from '#kernel/context.ts'
import { lock } from '#kernel/db/lock.ts'
import { defineError, orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { findConnection } from './connection-queries.ts'
import { TemplateCreated, TemplateUpdated } from './events.ts'
import { requireMayState } from './may-state.ts'
import { findTemplate, insertTemplate, lockTemplate, saveTemplate } from './queries.ts'
import { connectionFor } from './save-connection.ts'
import { type MessageTemplate, type TemplateDraft, type TemplatePatch, templates } from './template.ts'

const TemplateExists = defineError('conflict', 409, (name: string, language: string) => ({
  message: `The account already has a template ${name} in ${language}.`,
}))

/**
 * Records a template that exists at WhatsApp. Throws 409 if the account already has one with this name and language.
 * `isReported`: WhatsApp has reported its status.
 */
export const createTemplate = (
  ctx: Ctx,
  draft: TemplateDraft,
  { isReported = false } = {},
): Promise<MessageTemplate> =>
  ctx.transaction(async (tx) => {
    lock(tx, 'message templates')
    const connection = await connectionFor(tx, ctx, 'whatsapp', draft.connection_id)
    if (draft.status !== undefined && !isReported) requireMayState(ctx, connection, 'status')
    const row = { ...templates.create(draft, tx.clock.now()), connection_id: connection.id }
    const { id, name, language } = row
    if ((await findTemplate(tx, { connectionId: connection.id, name, language })) !== undefined)
      throw TemplateExists(name, language)
    insertTemplate(tx, row)
    await tx.emit(TemplateCreated, { id, name, language })
    return row
  })

/**
 * Applies the patch. With a new text or category, the template waits for approval again, unless the patch sets a status.
 * `isReported`: WhatsApp has reported it.
 */
export const updateTemplate = (
  ctx: Ctx,
  id: string,
  patch: TemplatePatch,
  { isReported = false } = {},
): Promise<MessageTemplate> =>
  ctx.transaction(async (tx) => {
    const before = requireMatch(ctx, orNotFound(await lockTemplate(tx, id)))
    if (patch.status !== undefined && !isReported)
      requireMayState(
        ctx,
        orNotFound(await findConnection(tx, tx.workspaceId, before.connection_id)),
        'status',
      )
    const differs =
      (patch.body ?? before.body) !== before.body || (patch.category ?? before.category) !== before.category
    const patched = templates.applyPatch(
      before,
      { ...(differs ? { status: 'PENDING' } : {}), ...patch },
      tx.clock.now(),
    )
    if (patched === undefined) return before
    const { updated_at: _, ...changed } = patched.changed
    saveTemplate(tx, id, patched.changed)
    const { name, language } = before
    await tx.emit(TemplateUpdated, { id, name, language, changed: Object.keys(changed) })
    return patched.after
  })
