import { type Static, Type } from 'typebox'
import type { Queries } from '#kernel/db/rows.ts'
import { empty, sql } from '#kernel/db/sql.ts'

const nullableText = Type.Union([Type.String(), Type.Null()])

export const WebhookRow = Type.Object({
  id: Type.String(),
  url: Type.String(),
  description: nullableText,
  event_types: Type.Array(Type.String()),
  scopes: Type.Array(Type.String()),
  previous_secret_until: nullableText,
  paused: Type.Boolean(),
  disabled_at: nullableText,
  failing_since: nullableText,
  /** The app that subscribed; null where it was the workspace itself. */
  app_id: nullableText,
  /** Whether it rests because its app is disabled. */
  paused_with_app: Type.Boolean(),
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type WebhookRow = Static<typeof WebhookRow>

interface Tenant extends Queries {
  readonly workspaceId: string
}

const columns = sql`
  id, url, description, event_types, scopes, previous_secret_until, paused, disabled_at, failing_since, app_id,
  paused_with_app, created_at, updated_at`

export const listWebhooks = (db: Tenant, page: { before: string | null; limit: number }) =>
  db.many(
    WebhookRow,
    sql`
  select ${columns} from webhooks
  where workspace_id = ${db.workspaceId} ${page.before === null ? empty : sql`and id < ${page.before}`}
  order by id desc limit ${page.limit}`,
  )

export const findWebhook = (db: Tenant, id: string) =>
  db.maybeOne(
    WebhookRow,
    sql`select ${columns} from webhooks where workspace_id = ${db.workspaceId} and id = ${id}`,
  )

export const lockWebhook = (tx: Tenant, id: string) =>
  tx.maybeOne(
    WebhookRow,
    sql`select ${columns} from webhooks where workspace_id = ${tx.workspaceId} and id = ${id} for update`,
  )

const CountRow = Type.Object({ count: Type.Integer() })

/** Counts under a lock that lasts as long as the transaction, so that two cannot both be the last that fits. */
export const countWebhooks = async (tx: Tenant): Promise<number> => {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${tx.workspaceId}`}, 0))`)
  const { count } = await tx.one(
    CountRow,
    sql`select count(*) as count from webhooks where workspace_id = ${tx.workspaceId}`,
  )
  return count
}

export const insertWebhook = (tx: Tenant, row: WebhookRow, secret: Buffer) =>
  tx.run(sql`
    insert into webhooks (workspace_id, ${columns}, secret)
    values (${tx.workspaceId}, ${row.id}, ${row.url}, ${row.description}, ${row.event_types}, ${row.scopes},
      ${row.previous_secret_until}, ${row.paused}, ${row.disabled_at}, ${row.failing_since}, ${row.app_id},
      ${row.paused_with_app}, ${row.created_at}, ${row.updated_at}, ${secret})`)

export const saveWebhook = (tx: Tenant, row: WebhookRow) =>
  tx.run(sql`
    update webhooks set
      url = ${row.url}, description = ${row.description}, event_types = ${row.event_types}, paused = ${row.paused},
      disabled_at = ${row.disabled_at}, failing_since = ${row.failing_since}, updated_at = ${row.updated_at}
    where workspace_id = ${tx.workspaceId} and id = ${row.id}`)

/** Those that the app made; they stay as they are until the transaction ends. */
export const lockWebhooksOfApp = (tx: Tenant, appId: string) =>
  tx.many(
    WebhookRow,
    sql`
    select ${columns} from webhooks where workspace_id = ${tx.workspaceId} and app_id = ${appId} order by id for update`,
  )

/** Lets those that the app made rest, but for those that rest already. */
export const pauseWithApp = (tx: Tenant, appId: string) =>
  tx.run(sql`
    update webhooks set paused = true, paused_with_app = true
    where workspace_id = ${tx.workspaceId} and app_id = ${appId} and not paused`)

/** Takes up again what pauseWithApp let rest. */
export const resumeWithApp = (tx: Tenant, appId: string) =>
  tx.run(sql`
    update webhooks set paused = false, paused_with_app = false
    where workspace_id = ${tx.workspaceId} and app_id = ${appId} and paused_with_app`)

/** Those that the app made keep to these scopes: of other events nothing is sent any more, what waits included. */
export const narrowWithApp = (tx: Tenant, appId: string, scopes: readonly string[]) =>
  tx.run(sql`
    update webhooks set scopes = array(
      select scope from unnest(scopes) with ordinality as held (scope, place)
      where scope = any (${scopes}::text[]) order by place)
    where workspace_id = ${tx.workspaceId} and app_id = ${appId} and not scopes <@ ${scopes}::text[]`)

/** The present secret becomes the previous one, which ends at `until`. */
export const replaceSecret = (tx: Tenant, id: string, secret: Buffer, until: Date, now: Date) =>
  tx.maybeOne(
    WebhookRow,
    sql`
    update webhooks set
      previous_secret = secret, previous_secret_until = ${until}, secret = ${secret}, updated_at = ${now}
    where workspace_id = ${tx.workspaceId} and id = ${id}
    returning ${columns}`,
  )

export const removeWebhook = (tx: Tenant, id: string) =>
  tx.run(sql`delete from webhooks where workspace_id = ${tx.workspaceId} and id = ${id}`)

/** Forgets secrets whose time is over; answers how many. */
export const forgetPreviousSecrets = (tx: Tenant, now: Date) =>
  tx.run(sql`
    update webhooks set previous_secret = null, previous_secret_until = null
    where workspace_id = ${tx.workspaceId} and previous_secret_until <= ${now}`)

const SealedRow = Type.Object({
  id: Type.String(),
  secret: Type.Unsafe<Buffer>({}),
  previous_secret: Type.Unsafe<Buffer | null>({}),
})
export type SealedRow = Static<typeof SealedRow>

/** Those whose secrets another than the newest application secret sealed. */
export const listSealedOtherwise = (tx: Tenant, mark: Buffer) =>
  tx.many(
    SealedRow,
    sql`
    select id, secret, previous_secret from webhooks
    where workspace_id = ${tx.workspaceId}
      and (substring(secret for ${mark.length}) <> ${mark}
        or substring(previous_secret for ${mark.length}) <> ${mark})
    for update`,
  )

export const saveSealed = (tx: Tenant, id: string, secret: Buffer, previous: Buffer | null) =>
  tx.run(sql`
    update webhooks set secret = ${secret}, previous_secret = ${previous}
    where workspace_id = ${tx.workspaceId} and id = ${id}`)

/** What attempts have shown of endpoints, a place each in all three. */
export interface Health {
  ids: { workspaceId: string; webhookId: string }[]
  failing: boolean[]
  /** Whether a delivery has failed for good. */
  exhausted: boolean[]
}

const EndpointRow = Type.Object({ workspace_id: Type.String(), webhook_id: Type.String() })

/**
 * Notes which endpoints answer again and since when others do not, in all workspaces; for the worker that sends.
 * Answers those that have used up a delivery's attempts and done nothing but fail since before `givenUp`. A row that is
 * being changed is passed over: the next attempt says the same.
 */
export const noteHealth = (sender: Queries, { ids, failing, exhausted }: Health, now: Date, givenUp: Date) =>
  sender.many(
    EndpointRow,
    sql`
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
  where seen.exhausted and w.disabled_at is null and w.failing_since <= ${givenUp}`,
  )
