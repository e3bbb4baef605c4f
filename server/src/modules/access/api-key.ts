import { type Static, Type } from 'typebox'
import type { Reach } from '#kernel/db/handles.ts'
import { reachOfCreator } from '#kernel/reach.ts'
import { extendRecord } from '#kernel/records/extend.ts'
import { type RowOf, internal, optional, readOnly, reference, required } from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { Line } from '../workspaces/public.ts'
import { allScopes } from './scopes.ts'

export const defaultLifetimeDays = 90
export const maxLifetimeDays = 365

const time = (description: string) => readOnly(nullable({ ...Timestamp, description }), null)

const Scopes = Type.Array(Type.Enum(allScopes, { title: 'Scope' }), { minItems: 1, maxItems: 50 })
const MemberId = reference(
  'member',
  'The member that the key acts for, limited to their role and access. Without a member, the key acts for the workspace.',
)

const createdBySelf =
  'Whether the key sees only what it created: the leads that it captured, the contacts that it made with `POST /contacts`, its webhooks, and the events that it caused. It never learns whether a person was known.'

const fields = {
  workspace_id: internal(Type.String(), ''),
  name: required(Line),
  prefix: readOnly(
    Type.String({ description: 'The first characters, which help people recognize the key.' }),
    '',
  ),
  scopes: required(Scopes, { normalize: (held) => allScopes.filter((scope) => held.includes(scope)) }),
  member_id: optional(MemberId),
  created_by_self: readOnly(Type.Boolean({ description: createdBySelf }), false),
  expires_at: time('Null for a key that never expires.'),
  revoked_at: time('When the key was revoked.'),
  last_used_at: time('Accurate to the minute.'),
}

export const apiKeyRecord = defineRecord('ApiKey', {
  fields,
  example: { name: 'Website form', scopes: ['leads:write'] },
  shownExample: { prefix: 'gbl_key_3kTz', expires_at: '2027-02-18T20:11:04.817Z' },
  patchExample: {},
})

export type ApiKeyRow = RowOf<typeof fields>

/** A request states in how many days the key expires; the key's record states when. */
export const ApiKeyDraft = Type.Object(
  {
    name: Line,
    scopes: Scopes,
    member_id: Type.Optional(MemberId),
    created_by_self: Type.Optional(Type.Boolean({ description: createdBySelf })),
    expires_in_days: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: maxLifetimeDays,
          description: `Null for a key that never expires, which only an owner can create. The default is ${defaultLifetimeDays}.`,
        }),
      ),
    ),
  },
  {
    title: 'ApiKeyDraft',
    additionalProperties: false,
    examples: [{ name: 'Website form', scopes: ['leads:write'], expires_in_days: 30 }],
  },
)

export const ApiKeyWithSecret = extendRecord(
  'ApiKeyWithSecret',
  apiKeyRecord,
  { key: Type.String({ description: 'The key. It is shown only once.' }) },
  { key: 'gbl_key_3kTzQ7vYc1mXw9RbN2pLd8HsJ5fGaVuE4nKtB6yCxZ0qWr' },
)

/** Whose records a key without a member sees. */
export const reachOfKey = ({ id, created_by_self }: Pick<ApiKeyRow, 'id' | 'created_by_self'>): Reach =>
  created_by_self ? reachOfCreator(id) : 'all'

export const presentApiKey = ({ workspace_id: _, ...row }: ApiKeyRow): Static<typeof apiKeyRecord.Record> =>
  row
