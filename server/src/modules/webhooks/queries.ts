import { type Static, Type } from 'typebox'
import type { Db, Queries, WorkspaceTx } from '#kernel/db/handles.ts'
import { lock } from '#kernel/db/lock.ts'
import { empty, sql } from '#kernel/db/sql.ts'
import type { Actor } from '#kernel/events/journal.ts'
import type { Page } from '#kernel/http/paging.ts'
import { withinCreated } from '#kernel/reach.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { nullable } from '#kernel/schemas.ts'
import { type WebhookRow, maxWebhooks, webhookRecord } from './webhook.ts'

const { Row, columns } = webhookRecord

/**
 * An OAuth app sees only the webhooks that it created, and so does a key that sees only what it created. Other keys, people
 * and jobs see all webhooks of the workspace.
 */
const visibleTo = ({ type, id }: Actor, db: Db) =>
  withinCreated(db, sql`created_by`, type === 'oauth_app' ? sql`and app_id = ${id}` : empty)

/** A page of the webhooks, newest first; without `page`, all of them. */
export const listWebhooks = (db: Db, actor: Actor, page?: Page) =>
  db.many(Row)`
    select ${columns} from webhooks where workspace_id = ${db.workspaceId} ${visibleTo(actor, db)}
    ${page?.keyset() ?? sql`order by id desc limit ${maxWebhooks}`}`

export const findWebhook = (db: Db, actor: Actor, id: string) =>
  db.maybeOne(Row)`
    select ${columns} from webhooks where workspace_id = ${db.workspaceId} and id = ${id} ${visibleTo(actor, db)}`

/** Like `findWebhook` for the transaction's actor, but locks the row. */
export const lockWebhook = (tx: WorkspaceTx & { readonly actor: Actor }, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from webhooks
    where workspace_id = ${tx.workspaceId} and id = ${id} ${visibleTo(tx.actor, tx)} for update`

const CountRow = Type.Object({ count: Type.Integer() })

/** Counts the workspace's webhooks under a lock, so that two transactions cannot both add the last one allowed. */
export const countWebhooks = async (tx: WorkspaceTx): Promise<number> => {
  lock(tx, 'webhooks')
  const { count } = await tx.one(CountRow)`
    select count(*) as count from webhooks where workspace_id = ${tx.workspaceId}`
  return count
}

export const insertWebhook = (tx: WorkspaceTx, row: WebhookRow, secret: Buffer) =>
  tx.run`insert into webhooks ${values({ workspace_id: tx.workspaceId, ...row, secret })}`

/** Writes the changed columns. The caller holds the row's lock. */
export const saveWebhook = (tx: WorkspaceTx, id: string, changed: Partial<WebhookRow>) =>
  tx.run`
    update webhooks set ${assignments(changed)} where workspace_id = ${tx.workspaceId} and id = ${id}`

/** Writes the changed columns and a new secret. The current secret becomes the previous one. */
export const saveNewSecret = (tx: WorkspaceTx, id: string, secret: Buffer, changed: Partial<WebhookRow>) =>
  tx.run`
    update webhooks set previous_secret = secret, secret = ${secret}, ${assignments(changed)}
    where workspace_id = ${tx.workspaceId} and id = ${id}`

/** Locks the webhooks that an app created. */
export const lockWebhooksOfApp = (tx: WorkspaceTx, appId: string) =>
  tx.many(Row)`
    select ${columns} from webhooks where workspace_id = ${tx.workspaceId} and app_id = ${appId} order by id for update`

/** Pauses the webhooks of an app, except those that are already paused. */
export const pauseWithApp = (tx: WorkspaceTx, appId: string) =>
  tx.run`
    update webhooks set paused = true, paused_with_app = true
    where workspace_id = ${tx.workspaceId} and app_id = ${appId} and not paused`

/** Resumes the webhooks that `pauseWithApp` paused. */
export const resumeWithApp = (tx: WorkspaceTx, appId: string) =>
  tx.run`
    update webhooks set paused = false, paused_with_app = false
    where workspace_id = ${tx.workspaceId} and app_id = ${appId} and paused_with_app`

/**
 * Removes all scopes but the given ones from the webhooks of an app. Pending deliveries of events that the webhooks may
 * no longer receive are not sent either.
 */
export const narrowWithApp = (tx: WorkspaceTx, appId: string, scopes: readonly string[]) =>
  tx.run`
    update webhooks set scopes = array(
      select scope from unnest(scopes) with ordinality as held (scope, place)
      where scope = any (${scopes}::text[]) order by place)
    where workspace_id = ${tx.workspaceId} and app_id = ${appId} and not scopes <@ ${scopes}::text[]`

export const deleteWebhookRow = (tx: WorkspaceTx, id: string) =>
  tx.run`delete from webhooks where workspace_id = ${tx.workspaceId} and id = ${id}`

/** Deletes previous secrets that have expired. Returns how many. */
export const deletePreviousSecrets = (tx: WorkspaceTx, now: Date) =>
  tx.run`
    update webhooks set previous_secret = null, previous_secret_until = null
    where workspace_id = ${tx.workspaceId} and previous_secret_until <= ${now}`

const SealedSecretRow = Type.Object({
  id: Type.String(),
  secret: Type.Unsafe<Buffer>({}),
  previous_secret: Type.Unsafe<Buffer | null>({}),
})
export type SealedSecretRow = Static<typeof SealedSecretRow>

const SecretsRow = Type.Object({
  ...SealedSecretRow.properties,
  previous_secret_until: nullable(Type.String()),
})

export const findSealedSecrets = (db: Db, id: string) =>
  db.maybeOne(SecretsRow)`
    select id, secret, previous_secret, previous_secret_until from webhooks
    where workspace_id = ${db.workspaceId} and id = ${id}`

/** Locks the secrets that are not sealed with the newest application secret. */
export const lockOutdatedSecrets = (tx: WorkspaceTx, mark: Buffer) =>
  tx.many(SealedSecretRow)`
    select id, secret, previous_secret from webhooks
    where workspace_id = ${tx.workspaceId}
      and (substring(secret for ${mark.length}) <> ${mark}
        or substring(previous_secret for ${mark.length}) <> ${mark})
    for update`

export const saveSealedSecrets = (tx: WorkspaceTx, id: string, secret: Buffer, previous: Buffer | null) =>
  tx.run`
    update webhooks set secret = ${secret}, previous_secret = ${previous}
    where workspace_id = ${tx.workspaceId} and id = ${id}`

/** The observed health of endpoints. The arrays are parallel. */
export interface EndpointHealth {
  ids: { workspaceId: string; webhookId: string }[]
  failing: boolean[]
  /** A delivery has used up its attempts. */
  exhausted: boolean[]
}

const EndpointRow = Type.Object({ workspace_id: Type.String(), webhook_id: Type.String() })

/**
 * Sets or clears `failing_since` of endpoints in all workspaces, for the dispatcher. Returns the endpoints that have an
 * exhausted delivery and have been failing since `givenUp` or longer. Skips locked rows: the next attempt reports the
 * same.
 */
export const saveHealth = (
  sender: Queries,
  { ids, failing, exhausted }: EndpointHealth,
  now: Date,
  givenUp: Date,
) =>
  sender.many(EndpointRow)`
  with seen as materialized (
    select * from unnest(${ids.map((one) => one.workspaceId)}::text[], ${ids.map((one) => one.webhookId)}::text[],
      ${failing}::boolean[], ${exhausted}::boolean[]) as seen (workspace_id, id, failing, exhausted)
  ), changing as materialized (
    select w.workspace_id, w.id, seen.failing from seen join webhooks w
      on w.workspace_id = seen.workspace_id and w.id = seen.id and (w.failing_since is null) = seen.failing
    for update of w skip locked
  ), noted as (
    update webhooks w set failing_since = case when c.failing then ${now}::timestamptz end
    from changing c where w.workspace_id = c.workspace_id and w.id = c.id
  )
  select w.workspace_id, w.id as webhook_id
  from seen join webhooks w on w.workspace_id = seen.workspace_id and w.id = seen.id
  where seen.exhausted and w.disabled_at is null and w.failing_since <= ${givenUp}`
