import { type Static, Type } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'
import { equals, filters } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { reference } from '#kernel/records/fields.ts'
import { GenerationShown, generationDecisions } from './generation-record.ts'

export const generationFilters = filters({
  contact_id: equals(reference('contact', 'Only those for this contact.')),
  call_id: equals(reference('call', 'Only those for this call.')),
  persona_id: equals(reference('persona', 'Only those of this persona.')),
  decision: equals(Type.Enum(generationDecisions)),
})
type GenerationQuery = Static<typeof generationFilters.query>

const columns = sql`
  id, contact_id, call_id, conversation_id, last_message_id, persona_id, persona_version, model, prompt_digest, prompt_tokens,
  completion_tokens, price::double precision / 1000000 as price,
  case when proposal is not null then
    jsonb_build_object('action', proposal -> 'action', 'text', proposal -> 'text') end as proposal,
  checks, decision, reason, message_id,
  case when approver is not null then
    jsonb_build_object('type', approver -> 'type', 'id', approver -> 'id') end as approved_by,
  created_at, updated_at`

/** Newest first. Those for contacts beyond the reach of a member stay out by the policy of the table. */
export const listGenerations = (db: Db, query: GenerationQuery, page: Page) =>
  db.many(GenerationShown)`
    select ${columns} from generations
    where workspace_id = ${db.workspaceId} ${generationFilters.where(query)} ${page.keyset()}`

export const findGeneration = (db: Db, id: string) =>
  db.maybeOne(GenerationShown)`
    select ${columns} from generations where workspace_id = ${db.workspaceId} and id = ${id}`

/** The newest ones, for people at a terminal. */
export const listNewestGenerations = (
  db: Db,
  { contactId, callId, limit }: { contactId: string | undefined; callId: string | undefined; limit: number },
) =>
  db.many(GenerationShown)`
    select ${columns} from generations
    where workspace_id = ${db.workspaceId} and (${contactId ?? null}::text is null or contact_id = ${contactId ?? null})
      and (${callId ?? null}::text is null or call_id = ${callId ?? null})
    order by id desc limit ${limit}`
