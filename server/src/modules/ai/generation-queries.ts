import { type Static, Type } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'
import { equals, filters, oneOf } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { reference } from '#kernel/records/fields.ts'
import { nullable } from '#kernel/schemas.ts'
import { GenerationShown, generationDecisions } from './generation-record.ts'
import type { KeptMaterial } from './reply/prompt.ts'

export const generationFilters = filters({
  contact_id: equals(reference('contact', 'Return only generations for this contact.')),
  call_id: equals(reference('call', 'Return only generations for this call.')),
  persona_id: equals(reference('persona', 'Return only generations by this persona.')),
  decision: oneOf(Type.Enum(generationDecisions)),
})
type GenerationQuery = Static<typeof generationFilters.query>

const columns = sql`
  id, contact_id, call_id, conversation_id, last_message_id, persona_id, persona_version, model, prompt_digest, review_digest,
  prompt_tokens, completion_tokens, price::double precision / 1000000 as price,
  case when proposal is not null then
    jsonb_build_object('action', proposal -> 'action', 'text', proposal -> 'text',
      'disposition', proposal -> 'disposition', 'extracted', jsonb_build_object(
        'timeframe', proposal -> 'extracted' -> 'timeframe', 'area', proposal -> 'extracted' -> 'area',
        'budget', proposal -> 'extracted' -> 'budget', 'financing', proposal -> 'extracted' -> 'financing',
        'appointment', proposal -> 'extracted' -> 'appointment')) end as proposal,
  checks, decision, reason, message_id,
  case when approver is not null then
    jsonb_build_object('type', approver -> 'type', 'id', approver -> 'id') end as decided_by,
  created_at, updated_at`

/** Newest first. The table's row-level policy hides generations for contacts outside the member's reach. */
export const listGenerations = (db: Db, query: GenerationQuery, page: Page) =>
  db.many(GenerationShown)`
    select ${columns} from generations
    where workspace_id = ${db.workspaceId} ${generationFilters.where(query)} ${page.keyset()}`

export const findGeneration = (db: Db, id: string) =>
  db.maybeOne(GenerationShown)`
    select ${columns} from generations where workspace_id = ${db.workspaceId} and id = ${id}`

const Asked = Type.Object({
  id: Type.String(),
  persona_id: nullable(Type.String()),
  persona_version: nullable(Type.Integer()),
  call_id: nullable(Type.String()),
  prompt_digest: Type.String(),
  material: Type.Unsafe<KeptMaterial | null>({ type: ['object', 'null'] }),
  reviewed: nullable(Type.String()),
  review_digest: nullable(Type.String()),
  created_at: Type.String(),
})

/** The stored parts of a generation's prompts. */
export const findAsked = (db: Db, id: string) =>
  db.maybeOne(Asked)`
    select id, persona_id, persona_version, call_id, prompt_digest, material, reviewed, review_digest, created_at
    from generations where workspace_id = ${db.workspaceId} and id = ${id}`
