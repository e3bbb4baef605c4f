import type { Ctx, Tx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { listContactsById, lockPersons } from '../../contacts/public.ts'
import type { Asked } from '../model/ask-model.ts'
import { type Proposal, replyForm } from '../model/proposal.ts'
import { reserve, settle } from '../model/spending.ts'
import type { LanguageModel } from '../ports.ts'
import { insertGeneration, saveGeneration } from '../queries.ts'
import { materialOf } from './material.ts'
import { type Question, promptOf } from './prompt.ts'
import type { WritingScene } from './read-scene.ts'

/** A model request in progress: its prompt, reservation, and start. */
export interface BegunGeneration {
  id: string
  contactId: string
  question: Question
  reserved: number
  startedAt: Date
}

/**
 * Records a model request and reserves its maximum cost. `purpose` is why the AI writes on its own initiative; without
 * it, the AI responds. Returns undefined if the day's budget does not cover the cost.
 */
export const beginGeneration = (
  ctx: Ctx,
  scene: WritingScene,
  model: LanguageModel,
  purpose?: string,
): Promise<BegunGeneration | undefined> =>
  ctx.transaction(async (tx) => {
    const startedAt = tx.clock.now()
    const id = newId(startedAt)
    const { persona, ...material } = { ...materialOf(scene), ...(purpose !== undefined && { purpose }) }
    const question = promptOf({ persona, ...material }, id, startedAt)
    const isErased = await isErasedUnderLock(tx, scene.contact.id)
    const reserved = await reserve(tx, model, question, replyForm, startedAt)
    if (reserved === undefined) return undefined
    const time = startedAt.toISOString()
    insertGeneration(tx, {
      id,
      persona_id: scene.persona.id,
      persona_version: scene.persona.version,
      call_id: null,
      conversation_id: scene.conversationId,
      contact_id: scene.contact.id,
      last_message_id: scene.last?.id ?? null,
      model: model.name,
      prompt_digest: question.digest,
      material: isErased ? null : material,
      prompt_tokens: 0,
      completion_tokens: 0,
      reserved,
      created_at: time,
      updated_at: time,
    })
    return { id, contactId: scene.contact.id, question, reserved, startedAt }
  })

/** Records the model's proposal and the actual cost. Drops the proposal if the contact was erased meanwhile. */
export const settleGeneration = (
  ctx: Ctx,
  { id, contactId, reserved, startedAt }: BegunGeneration,
  model: LanguageModel,
  asked: Asked<Proposal>,
): Promise<void> => {
  recordFault(ctx, id, asked)
  return ctx.transaction(async (tx) => {
    const keeps = asked.kind === 'proposed' && !(await isErasedUnderLock(tx, contactId))
    const price = settle(tx, model, { reserved, startedAt, asked })
    saveGeneration(tx, id, {
      prompt_tokens: asked.usage.promptTokens,
      completion_tokens: asked.usage.completionTokens,
      price,
      proposal: keeps ? asked.proposal : null,
      updated_at: tx.clock.now().toISOString(),
    })
  })
}

/** Whether a contact is erased. Locks the person, so that this can't change until the transaction ends. */
async function isErasedUnderLock(tx: Tx, contactId: string): Promise<boolean> {
  await lockPersons(tx, { contactIds: [contactId], points: [] })
  const [contact] = await listContactsById(tx, [contactId])
  return contact?.erased_at !== null
}

/** Logs a fault for the operator, who may have to change the model's configuration. */
export function recordFault({ log }: Ctx, generationId: string, asked: Asked<unknown>): void {
  if (asked.kind === 'fault')
    log.warn({ generationId, reason: asked.reason, detail: asked.detail }, 'the model wrote nothing of use')
}
