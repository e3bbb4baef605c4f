import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { empty, sql } from '#kernel/db/sql.ts'
import type { Actor } from '#kernel/events/journal.ts'
import {
  type SuppressionKind,
  type SuppressionSource,
  optOutChannels,
  suppressionKinds,
} from './suppression.ts'

const Who = Type.Unsafe<Actor>({})

export const SuppressionRow = Type.Object({
  id: Type.String(),
  subject_type: Type.Enum(['phone', 'email', 'contact']),
  /** A contact's id, else a hash. */
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

/** Those that hold against these subjects, as rows name them. */
export const listHeld = (db: Db, subjects: readonly string[]) =>
  db.many(SuppressionRow)`
    select ${columns} from suppressions
    where workspace_id = ${db.workspaceId} and subject = any (${subjects}::text[]) and lifted_at is null
    order by id`

/** Newest first; those that were lifted only where they are asked for. */
export const listSuppressions = (
  db: Db,
  { kind, lifted }: { kind?: SuppressionKind | undefined; lifted: boolean },
  page: { before: string | null; limit: number },
) =>
  db.many(SuppressionRow)`
    select ${columns} from suppressions
    where workspace_id = ${db.workspaceId}
      ${lifted ? empty : sql`and lifted_at is null`}
      ${kind === undefined ? empty : sql`and kind = ${kind}`}
      ${page.before === null ? empty : sql`and id < ${page.before}`}
    order by id desc limit ${page.limit}`

export interface NewSuppression extends Pick<
  SuppressionRow,
  'id' | 'subject_type' | 'subject' | 'kind' | 'created_at'
> {
  channels: readonly string[]
  source: SuppressionSource
}

/**
 * Adds each, or adds its channels to the one that holds already, and returns those that this changed. A revocation of consent
 * holds from the latest time. No two are of one subject and kind, and all are in the order of their subjects, so that two such
 * statements cannot wait for each other.
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
        when 'consent_revoked' then greatest(held.created_at, excluded.created_at) else held.created_at end
      where not held.channels @> excluded.channels
        or (held.kind = 'consent_revoked' and excluded.created_at > held.created_at)
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

/** Leaves the key that is there already. */
export const insertKey = (tx: WorkspaceTx, sealed: Buffer, at: Date): void =>
  tx.write`
    insert into suppression_keys (workspace_id, sealed, created_at) values (${tx.workspaceId}, ${sealed}, ${at})
    on conflict (workspace_id) do nothing`

/** The key, locked, if another than the newest application secret sealed it. */
export const lockKeySealedOtherwise = async (tx: Db, mark: Buffer): Promise<Buffer | undefined> =>
  (
    await tx.maybeOne(KeyRow)`
      select sealed from suppression_keys
      where workspace_id = ${tx.workspaceId} and substring(sealed for ${mark.length}) <> ${mark}
      for update`
  )?.sealed

export const saveSealedKey = (tx: WorkspaceTx, sealed: Buffer): void =>
  tx.write`update suppression_keys set sealed = ${sealed} where workspace_id = ${tx.workspaceId}`
