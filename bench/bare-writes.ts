import { newId } from '@gable/server/src/kernel/ids.ts'
import type { ContactDraft } from '@gable/server/src/modules/contacts/contact.ts'

/** Members are in the order of the parameters below. */
export function bareContact(draft: ContactDraft) {
  const {
    first_name = null,
    last_name = null,
    email = null,
    phone = null,
    source = null,
    notes = null,
    owner_id = null,
  } = draft
  const at = new Date()
  return {
    id: newId(at),
    first_name,
    last_name,
    email,
    phone,
    stage: draft.stage ?? 'LEAD',
    source,
    tags: draft.tags ?? [],
    notes,
    owner_id,
    ai_auto_response: 'active',
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    erased_at: null,
    search_names: ` ${first_name} ${last_name}`.toLowerCase(),
    search_details: ` ${email} ${phone?.slice(1)}`,
  }
}

export const insertContact = {
  name: 'insert contact',
  text: `insert into contacts (workspace_id, id, first_name, last_name, email, phone, stage, source, tags, notes, owner_id,
    ai_auto_response, created_at, updated_at, erased_at, search_names, search_details)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
}

/** Members are in the order of the parameters below. */
export function bareEvent({
  id,
  stage,
  owner_id,
  first_name,
  last_name,
  email,
  phone,
  source,
  tags,
  created_at,
}: ReturnType<typeof bareContact>) {
  return {
    id: newId(new Date(created_at)),
    name: 'contact.created',
    subject_type: 'contact',
    subject_id: id,
    timeline_id: id,
    actor: JSON.stringify({ type: 'api_key', id: null, name: 'bare' }),
    data: JSON.stringify({
      id,
      stage,
      owner_id,
      contact: { first_name, last_name, email, phone, source, tags },
    }),
    occurred_at: created_at,
  }
}

export const insertEvent = {
  name: 'insert event',
  text: `insert into events (workspace_id, id, name, subject_type, subject_id, timeline_id, actor, data, occurred_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
}
