import { type Static, Type } from 'typebox'
import type { Clock } from '#kernel/clock.ts'
import type { DirectoryDb, DirectoryTx, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, empty, sql } from '#kernel/db/sql.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { type ConnectionRow, type Stop, connections } from './connection.ts'
import { isMailboxDue } from './mailbox-queries.ts'
import type { Provider, ProviderAccount } from './ports.ts'

const { Row, columns } = connections

/**
 * Lists the connections of a workspace. `rest`: further conditions, order, and limit; by default newest first, at most
 * 1,000.
 */
export const listConnections = (
  directory: DirectoryDb,
  workspaceId: string,
  rest: Sql = sql`order by id desc limit 1000`,
) => directory.many(Row)`select ${columns} from connections where workspace_id = ${workspaceId} ${rest}`

export const findConnection = async (directory: DirectoryDb, workspaceId: string, id: string) =>
  (await listConnections(directory, workspaceId, sql`and id = ${id}`))[0]

export const lockConnection = async (tx: WorkspaceTx, id: string) =>
  (await listConnections(tx, tx.workspaceId, sql`and id = ${id} for update`))[0]

/** The oldest simulated connection of this provider. */
export const findSimulatedConnection = async (tx: WorkspaceTx, provider: Provider) =>
  (
    await listConnections(
      tx,
      tx.workspaceId,
      sql`and simulated and provider = ${provider} order by id limit 1`,
    )
  )[0]

/** The connections to these providers that are neither simulated nor disconnected, oldest first. */
export const listRealConnections = (
  directory: DirectoryDb,
  workspaceId: string,
  among: readonly Provider[],
) =>
  listConnections(
    directory,
    workspaceId,
    sql`and not simulated and disconnected_at is null and provider = any (${among}::text[]) order by id limit 1000`,
  )

/** The simulated connections of all workspaces. */
export const listSimulatedConnections = (directory: DirectoryDb) =>
  directory.many(Row)`select ${columns} from connections where simulated order by id`

/** Connections of all workspaces to servers that their settings name, in pages of 1,000. */
export const listOwnServers = (directory: DirectoryDb, after: string) =>
  directory.many(Row)`
    select ${columns} from connections
    where provider in ('email', 'documenso') and not simulated and disconnected_at is null and id > ${after}
    order by id limit 1000`

export const insertConnection = (tx: DirectoryTx, row: ConnectionRow, secret: Buffer) =>
  tx.write`insert into connections ${values({ ...row, secret, swept_at: row.created_at, mailbox_due_at: row.created_at, mailbox_failures: 0 })}`

/** Writes the changed columns. The caller holds the row's lock. */
export const saveConnection = (tx: WorkspaceTx, id: string, changed: Partial<ConnectionRow>) =>
  tx.write`
    update connections set ${assignments(changed)} where workspace_id = ${tx.workspaceId} and id = ${id}`

/** Deletes the credentials. `nothing`: an empty buffer that replaces them, because the column is not nullable. */
export const deleteCredentials = (tx: WorkspaceTx, id: string, nothing: Buffer) =>
  tx.write`
    update connections set secret = ${nothing}, previous_secret = null
    where workspace_id = ${tx.workspaceId} and id = ${id}`

/** Replaces the credentials. The current ones become the previous ones. */
export const saveNewCredentials = (tx: WorkspaceTx, id: string, secret: Buffer) =>
  tx.write`
    update connections set previous_secret = nullif(secret, ''::bytea), secret = ${secret}
    where workspace_id = ${tx.workspaceId} and id = ${id}`

const Sealed = Type.Unsafe<Buffer>({})
const Secrets = Type.Object({ secret: Sealed, previous_secret: Type.Unsafe<Buffer | null>({}) })

/** A connection of any workspace, with its sealed credentials. */
export const findSealedConnection = (directory: DirectoryDb, id: string) =>
  directory.maybeOne(Type.Intersect([Row, Secrets]))`
    select ${columns}, secret, previous_secret from connections where id = ${id}`

const SealedCredentials = Type.Object({ id: Type.String(), ...Secrets.properties })
export type SealedCredentials = Static<typeof SealedCredentials>

/** Deletes previous credentials that have expired. */
export const deletePreviousCredentials = (tx: DirectoryTx, now: Date) =>
  tx.write`
    update connections set previous_secret = null, previous_secret_until = null where previous_secret_until <= ${now}`

/** Locks credentials that are not sealed with the newest application secret. Disconnected connections have none. */
export const lockOutdatedCredentials = (tx: DirectoryTx, mark: Buffer) =>
  tx.many(SealedCredentials)`
    select id, secret, previous_secret from connections
    where disconnected_at is null
      and (substring(secret for ${mark.length}) <> ${mark} or substring(previous_secret for ${mark.length}) <> ${mark})
    for update`

export const saveResealed = (tx: DirectoryTx, id: string, secret: Buffer, previous: Buffer | null) =>
  tx.write`update connections set secret = ${secret}, previous_secret = ${previous} where id = ${id}`

const IdRow = Type.Object({ id: Type.String() })

/**
 * Ids of the connections to these providers in all workspaces, in pages of 1,000. `after`: the last id of the page before.
 * `dueBy`: leaves out mailboxes that are not to be read yet.
 */
export const listConnectionIds = async (
  directory: DirectoryDb,
  from: readonly Provider[],
  after = '',
  dueBy?: Clock,
): Promise<string[]> => {
  const rows = await directory.many(IdRow)`
    select id from connections
    where provider = any (${from}::text[]) and id > ${after}
      ${dueBy === undefined ? empty : sql`and ${isMailboxDue(dueBy)}`}
    order by id limit 1000`
  return rows.map(({ id }) => id)
}

const SweptRow = Type.Object({ swept_at: Type.String() })

/** The time up to which everything that the connection received is recorded. */
export const findSweptAt = async (
  directory: DirectoryDb,
  { id, workspaceId }: Pick<ProviderAccount, 'id' | 'workspaceId'>,
): Promise<Date> => {
  const row = await directory.one(SweptRow)`
    select swept_at from connections where workspace_id = ${workspaceId} and id = ${id}`
  return new Date(row.swept_at)
}

/**
 * Records when a callback was rejected. This is not a new version of the connection, because outsiders decide when it
 * happens.
 */
export const saveCallbackRejected = (
  directory: DirectoryDb,
  { id, workspaceId }: Pick<ProviderAccount, 'id' | 'workspaceId'>,
  at: Date,
) =>
  directory.run`
    update connections set callback_rejected_at = ${at} where workspace_id = ${workspaceId} and id = ${id}`

/** Records that everything that the connection received until then is recorded, so that it may send. */
export const saveSweptAt = (
  directory: DirectoryDb,
  { id, workspaceId }: Pick<ProviderAccount, 'id' | 'workspaceId'>,
  at: Date,
) =>
  directory.run`
    update connections set swept_at = greatest(swept_at, ${at}::timestamptz), stopped = null
    where workspace_id = ${workspaceId} and id = ${id}`

/** Records why the connection sends nothing. It keeps the time since which that is so. */
export const saveStopped = (
  directory: DirectoryDb,
  { id, workspaceId }: Pick<ProviderAccount, 'id' | 'workspaceId'>,
  stop: Stop,
) =>
  directory.run`
    update connections
    set stopped = ${JSON.stringify(stop)}::jsonb || jsonb_build_object('since', coalesce(stopped ->> 'since', ${stop.since}))
    where workspace_id = ${workspaceId} and id = ${id} and disconnected_at is null`

const isStopped = sql`(stopped is not null or credentials_rejected_at is not null) and disconnected_at is null`

/** The connections of a workspace for which messages wait. */
export const listStoppedConnections = (directory: DirectoryDb, workspaceId: string) =>
  listConnections(directory, workspaceId, sql`and ${isStopped} limit 1000`)

/** The connections of all workspaces for which messages wait, in pages of 1,000. */
export const listStoppedAcrossWorkspaces = (directory: DirectoryDb, after: string) =>
  directory.many(
    Row,
  )`select ${columns} from connections where ${isStopped} and id > ${after} order by id limit 1000`
