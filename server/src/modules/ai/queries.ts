import { Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import type { generationDecisions } from './generation-record.ts'

/** The outcome of a proposal. */
export type GenerationDecision = (typeof generationDecisions)[number]

/** A request to a model, as inserted before it is sent. */
export interface Generation {
  id: string
  persona_id: string | null
  persona_version: number | null
  call_id: string | null
  conversation_id: string | null
  contact_id: string | null
  last_message_id: string | null
  model: string
  prompt_digest: string
  /**
   * What the prompt was made from. Null for an erased contact, and for a call, whose prompt is made from its
   * transcript.
   */
  material: object | null
  prompt_tokens: number
  completion_tokens: number
  reserved: number
  created_at: string
  updated_at: string
}

/** The columns that are set after the request. */
interface Outcome {
  prompt_tokens: number
  completion_tokens: number
  price: number
  proposal: object | null
  checks: readonly string[]
  decision: GenerationDecision
  reason: string | null
  message_id: string
  approver: object
  updated_at: string
}

export const insertGeneration = (tx: WorkspaceTx, { material, ...generation }: Generation): void =>
  tx.write`
    insert into generations ${values({
      workspace_id: tx.workspaceId,
      ...generation,
      material: material === null ? null : JSON.stringify(material),
      checks: [],
    })}`

const stored = ({ proposal, approver, ...rest }: Partial<Outcome>) => ({
  ...rest,
  ...(proposal === undefined ? {} : { proposal: proposal === null ? null : JSON.stringify(proposal) }),
  ...(approver === undefined ? {} : { approver: JSON.stringify(approver) }),
})

export const saveGeneration = (tx: WorkspaceTx, id: string, outcome: Partial<Outcome>): void =>
  tx.write`
    update generations set ${assignments(stored(outcome))} where workspace_id = ${tx.workspaceId} and id = ${id}`

/** Adds the cost of another request about a proposal. */
export const addCost = (
  tx: WorkspaceTx,
  id: string,
  {
    promptTokens,
    completionTokens,
    price,
  }: { promptTokens: number; completionTokens: number; price: number },
): void =>
  tx.write`
    update generations set prompt_tokens = prompt_tokens + ${promptTokens},
      completion_tokens = completion_tokens + ${completionTokens}, price = coalesce(price, 0) + ${price}
    where workspace_id = ${tx.workspaceId} and id = ${id}`

/** Saves the text and the prompt digest of a second look. Omits the text if the contact has been erased. */
export const saveReviewed = (tx: WorkspaceTx, id: string, reviewed: string, digest: string): void =>
  tx.write`
    update generations set review_digest = ${digest},
      reviewed = case when material is not null then ${reviewed} end
    where workspace_id = ${tx.workspaceId} and id = ${id}`

/** Saves the outcome of the message that a generation produced. */
export const saveOfMessage = (tx: WorkspaceTx, messageId: string, outcome: Partial<Outcome>): void =>
  tx.write`
    update generations set ${assignments(stored(outcome))}
    where workspace_id = ${tx.workspaceId} and message_id = ${messageId}`

const OfMessageRow = Type.Object({ id: Type.String(), decision: Type.Union([Type.String(), Type.Null()]) })

/** Locks the generation that produced a message. */
export const lockGenerationOf = (tx: WorkspaceTx, messageId: string) =>
  tx.maybeOne(OfMessageRow)`
    select id, decision from generations
    where workspace_id = ${tx.workspaceId} and message_id = ${messageId} for update`

const MessageRow = Type.Object({ message_id: Type.String() })

/** IDs of messages to a contact that are waiting for approval. */
export const listPending = async (tx: Db, contactId: string): Promise<string[]> => {
  const rows = await tx.many(MessageRow)`
    select message_id from generations
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} and decision = 'pending'`
  return rows.map(({ message_id }) => message_id)
}

/** Erases what models read and wrote about a contact who is being erased. */
export const eraseGenerations = (tx: WorkspaceTx, contactId: string): void =>
  tx.write`
    update generations set material = null, proposal = null, reviewed = null
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId}`

/** Erases what models read and wrote before `at`. */
export const eraseGenerationsBefore = (tx: WorkspaceTx, at: Date): void =>
  tx.write`
    update generations set material = null, proposal = null, reviewed = null
    where workspace_id = ${tx.workspaceId} and id < ${firstIdAt(at.getTime())}
      and (proposal is not null or material is not null)`

const SpentRow = Type.Object({ day: Type.String() })

/** Reserves an amount in the day's budget, in millionths of a dollar. Returns false if not enough is left. */
export const reserveSpending = async (
  tx: WorkspaceTx,
  { day, amount, budget }: { day: string; amount: number; budget: number },
): Promise<boolean> => {
  if (amount > budget) return false
  const row = await tx.maybeOne(SpentRow)`
    insert into ai_spending as known ${values({ workspace_id: tx.workspaceId, day, spent: amount })}
    on conflict (workspace_id, day) do update set spent = known.spent + excluded.spent
    where known.spent + excluded.spent <= ${budget}
    returning day::text`
  return row !== undefined
}

/** Adjusts the day's spending by the difference between the actual and the reserved cost. */
export const correctSpending = (tx: WorkspaceTx, day: string, by: number): void =>
  tx.write`
    update ai_spending set spent = spent + ${by} where workspace_id = ${tx.workspaceId} and day = ${day}`
