import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Slice, newestOfSlice } from '#kernel/db/slice.ts'
import { empty, sql } from '#kernel/db/sql.ts'
import type { Actor } from '#kernel/events/journal.ts'
import { custom, equals, filters, oneOf } from '#kernel/http/filters.ts'
import { reference, text } from '#kernel/records/fields.ts'
import {
  Phone,
  type SuppressionSource,
  optOutChannels,
  subjectTypes,
  suppressionKinds,
} from './suppression.ts'

const Who = Type.Unsafe<Actor>({})

export const SuppressionRow = Type.Object({
  id: Type.String(),
  subject_type: Type.Enum(['phone', 'email', 'contact']),
  /** A contact's id, or the hash of a number or an address. */
  subject: Type.String(),
  kind: Type.Enum([...suppressionKinds, 'consent_revoked']),
  channels: Type.Array(Type.Enum(optOutChannels)),
  source: Type.String(),
  actor: Who,
  created_at: Type.String(),
  lifted_at: Type.Union([Type.String(), Type.Null()]),
  lifted_by: Type.Union([Who, Type.Null()]),
})
export type SuppressionRow = Static<typeof SuppressionRow>

const columns = sql`id, subject_type, subject, kind, channels, source, actor, created_at, lifted_at, lifted_by`

/** Active suppressions of these subjects. `subjects` are in the form of `nameOf`. */
export const listHeld = (db: Db, subjects: readonly string[]) =>
  db.many(SuppressionRow)`
    select ${columns} from suppressions
    where workspace_id = ${db.workspaceId} and subject = any (${subjects}::text[]) and lifted_at is null
    order by id`

export const suppressionFilters = filters({
  kind: oneOf(Type.Enum(suppressionKinds)),
  subject_type: oneOf(Type.Enum(subjectTypes)),
  contact_id: equals(
    reference('contact', 'Return only suppressions of the contact itself, not of its numbers.'),
    'subject',
  ),
  lifted: {
    schema: Type.Boolean({
      description: 'Return only lifted suppressions, or only active ones. Both by default.',
    }),
    condition: (lifted_at, isLifted) =>
      isLifted === true ? sql`${lifted_at} is not null` : sql`${lifted_at} is null`,
    column: 'lifted_at',
  },
  phone: custom(Phone),
  email: custom(text(254)),
})

/**
 * Revocations are shown with the consent instead. Masked credentials do not see suppressions that were copied to former points: after
 * such a credential suppresses a number, they would reveal that it belongs to a contact that has had another one.
 */
const shown = (masked: boolean) =>
  masked ? sql`kind <> 'consent_revoked' and source <> 'former'` : sql`kind <> 'consent_revoked'`

interface Wanted extends Omit<Static<typeof suppressionFilters.query>, 'phone' | 'email'> {
  /** In the form of `nameOf`. */
  subject?: string
  masked?: boolean
}

/** Newest first. */
export const listSuppressions = (db: Db, { subject, masked = false, ...query }: Wanted, page: Slice) =>
  db.many(SuppressionRow)`
    select ${columns} from suppressions
    where workspace_id = ${db.workspaceId} and ${shown(masked)} ${suppressionFilters.where(query)}
      ${subject === undefined ? empty : sql`and subject = ${subject}`} ${newestOfSlice(page)}`

export const findSuppression = (db: Db, id: string, masked: boolean) =>
  db.maybeOne(SuppressionRow)`
    select ${columns} from suppressions where workspace_id = ${db.workspaceId} and id = ${id} and ${shown(masked)}`

export const lockSuppression = (tx: Db, id: string, masked: boolean) =>
  tx.maybeOne(SuppressionRow)`
    select ${columns} from suppressions
    where workspace_id = ${tx.workspaceId} and id = ${id} and ${shown(masked)} for update`

export interface NewSuppression extends Pick<
  SuppressionRow,
  'id' | 'subject_type' | 'subject' | 'kind' | 'created_at'
> {
  channels: readonly string[]
  source: SuppressionSource
}

/**
 * Adds each suppression, or adds its channels to the active one, and returns the rows that changed. A revocation takes the latest
 * time, and any other source replaces `unverified_email`. The caller must pass at most one row per subject and kind, sorted by subject and kind, so that two such statements cannot
 * deadlock.
 */
export const insertSuppressions = (tx: Db, rows: readonly NewSuppression[], actor: Actor) =>
  tx.many(SuppressionRow)`
    insert into suppressions as held (workspace_id, id, subject_type, subject, kind, channels, source, actor, created_at)
    select ${tx.workspaceId}, id, subject_type, subject, kind, string_to_array(channels, ' '), source,
      ${JSON.stringify(actor)}::jsonb, created_at
    from unnest(${rows.map((row) => row.id)}::text[], ${rows.map((row) => row.subject_type)}::text[],
      ${rows.map((row) => row.subject)}::text[], ${rows.map((row) => row.kind)}::text[],
      ${rows.map((row) => row.channels.join(' '))}::text[], ${rows.map((row) => row.source)}::text[],
      ${rows.map((row) => row.created_at)}::timestamptz[]
    ) as added (id, subject_type, subject, kind, channels, source, created_at)
    on conflict (workspace_id, subject, kind) where lifted_at is null do update set
      channels = array(select distinct unnest(held.channels || excluded.channels) order by 1),
      created_at = case held.kind
        when 'consent_revoked' then greatest(held.created_at, excluded.created_at) else held.created_at end,
      source = case held.source when 'unverified_email' then excluded.source else held.source end
      where not held.channels @> excluded.channels
        or (held.kind = 'consent_revoked' and excluded.created_at > held.created_at)
        or (held.source = 'unverified_email' and excluded.source <> held.source)
    returning ${columns}`

/** Lifts and returns the active suppression; undefined if there is none. */
export const updateLifted = (
  tx: Db,
  { subject, kind }: Pick<SuppressionRow, 'subject' | 'kind'>,
  by: Actor,
  at: Date,
) =>
  tx.maybeOne(SuppressionRow)`
    update suppressions set lifted_at = ${at}, lifted_by = ${JSON.stringify(by)}
    where workspace_id = ${tx.workspaceId} and subject = ${subject} and kind = ${kind} and lifted_at is null
    returning ${columns}`

const KeyRow = Type.Object({ sealed: Type.Unsafe<Buffer>({}) })

export const findSealedKey = async (db: Db): Promise<Buffer | undefined> =>
  (await db.maybeOne(KeyRow)`select sealed from suppression_keys where workspace_id = ${db.workspaceId}`)
    ?.sealed

/** Keeps an existing key. */
export const insertKey = (tx: WorkspaceTx, sealed: Buffer, at: Date): void =>
  tx.write`
    insert into suppression_keys (workspace_id, sealed, created_at) values (${tx.workspaceId}, ${sealed}, ${at})
    on conflict (workspace_id) do nothing`

/** Locks and returns the sealed key if a secret other than the newest application secret sealed it. */
export const lockKeySealedOtherwise = async (tx: Db, mark: Buffer): Promise<Buffer | undefined> =>
  (
    await tx.maybeOne(KeyRow)`
      select sealed from suppression_keys
      where workspace_id = ${tx.workspaceId} and substring(sealed for ${mark.length}) <> ${mark}
      for update`
  )?.sealed

export const saveSealedKey = (tx: WorkspaceTx, sealed: Buffer): void =>
  tx.write`update suppression_keys set sealed = ${sealed} where workspace_id = ${tx.workspaceId}`
