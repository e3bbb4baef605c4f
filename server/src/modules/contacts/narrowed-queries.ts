import { Type } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import { type Sql, empty, join, sql } from '#kernel/db/sql.ts'
import { type Reach, within } from '#kernel/reach.ts'
import { nullable } from '#kernel/schemas.ts'
import { type Contact, contacts } from './contact.ts'

/** What SQL can test of contacts without losing one: each part that is given must hold. */
export interface Narrowing {
  stages?: readonly Contact['stage'][]
  owners?: readonly string[]
  /** Folded texts, one of which the source is. */
  sources?: readonly string[]
  /** Of each of these lists of folded texts, one is a tag. */
  tags?: readonly (readonly string[])[]
}

interface Window {
  after: string
  before: string
  reach: Reach
}

const EndRow = Type.Object({ last: nullable(Type.String()), looked: Type.Integer() })

/** The last of the next contacts, so many at most, in the order of their ids, and how many there are. */
export const findEndOfWindow = (db: Db, { after, before }: Window, size: number) =>
  db.one(EndRow)`
    select max(id) as last, count(*)::integer as looked from (
      select id from contacts
      where workspace_id = ${db.workspaceId} and id > ${after} and id < ${before} ${within(db, sql`owner_id`)}
      order by id limit ${size}) as next`

/** Contacts of a window, `last` included, but for erased ones and the stage TRASH, in the order of their ids. */
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

/** Of plain ASCII, folding is `trim` and `lower`. Whether any other text folds to one of these, SQL leaves open. */
const mayBeOneOf = (column: Sql, folded: readonly string[]): Sql =>
  sql`(lower(btrim(${column})) = any (${folded}::text[]) or ${column} ~ '[^ -~]')`
