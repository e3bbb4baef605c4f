import { Type } from 'typebox'
import type { Db, Reach } from '#kernel/db/handles.ts'
import { type Sql, empty, join, sql } from '#kernel/db/sql.ts'
import { within } from '#kernel/reach.ts'
import { nullable } from '#kernel/schemas.ts'
import { type Contact, contacts } from './contact.ts'

/** Conditions that SQL can check without losing a match. All given conditions must hold. */
export interface Narrowing {
  stages?: readonly Contact['stage'][]
  owners?: readonly string[]
  /** Folded texts, one of which must equal the source. */
  sources?: readonly string[]
  /** Lists of folded texts. The contact must have a tag from each list. */
  tags?: readonly (readonly string[])[]
}

interface Window {
  after: string
  before: string
  reach: Reach
}

const EndRow = Type.Object({ last: nullable(Type.String()), looked: Type.Integer() })

/** The last ID of the next window of at most `size` contacts, in ID order, and the number of contacts in it. */
export const findEndOfWindow = (db: Db, { after, before }: Window, size: number) =>
  db.one(EndRow)`
    select max(id) as last, count(*)::integer as looked from (
      select id from contacts
      where workspace_id = ${db.workspaceId} and id > ${after} and id < ${before} ${within(db, sql`owner_id`)}
      order by id limit ${size}) as next`

/** The contacts of a window up to and including `last`, in ID order, except erased ones and those in stage TRASH. */
export const listNarrowed = (
  db: Db,
  { after, before, last, reach }: Window & { last: string | undefined },
  narrowing: Narrowing,
) =>
  db.many(contacts.Row)`
    select ${contacts.columns} from contacts
    where workspace_id = ${db.workspaceId} and id > ${after}
      and ${last === undefined ? sql`id < ${before}` : sql`id <= ${last}`} and erased_at is null and stage <> 'TRASH' ${within(db, sql`owner_id`)} ${within({ reach }, sql`owner_id`)}
      ${conditionsOf(narrowing)}
    order by id`

function conditionsOf({ stages, owners, sources, tags = [] }: Narrowing): Sql {
  const all = [
    stages === undefined ? empty : sql` and stage = any (${stages}::text[])`,
    owners === undefined ? empty : sql` and owner_id = any (${owners}::text[])`,
    sources === undefined ? empty : sql` and ${mayBeOneOf(sql`source`, sources)}`,
    ...tags.map(
      (some) => sql` and exists (select from unnest(tags) as tag where ${mayBeOneOf(sql`tag`, some)})`,
    ),
  ]
  return join(all, '')
}

/** For ASCII text, folding equals `trim` and `lower`. SQL cannot decide for any other text, so it always passes. */
const mayBeOneOf = (column: Sql, folded: readonly string[]): Sql =>
  sql`(lower(btrim(${column})) = any (${folded}::text[]) or ${column} ~ '[^ -~]')`
