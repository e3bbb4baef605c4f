import { createHash } from 'node:crypto'
import pg from 'pg'
import { listenTo } from '#kernel/background/listening.ts'
import { createContext } from '#kernel/context.ts'
import type { Exchange } from '#kernel/egress/egress.ts'
import type { TestApp } from '#test/support/app.ts'
import type { ClaimResult, ClaimRequest, Settlement } from '../../src/modules/deliveries/dispatcher/ports.ts'
import {
  claimLock,
  deliveryWorkers,
  releaseEndpointLeases,
  settleLazily,
} from '../../src/modules/deliveries/dispatcher/queue-queries.ts'
import { type OutgoingDelivery, deliveryQueue } from '../../src/modules/deliveries/dispatcher/queue.ts'
import {
  failPending,
  fanOut,
  deleteDeliveries,
  releaseLease,
  requeue,
} from '../../src/modules/deliveries/queries.ts'
import { sealSecret } from '../../src/modules/webhooks/secret.ts'

const role = 'gable_sender'

/** The product's queue in PostgreSQL, and the changes that people make to it. */
export type RealQueue = Awaited<ReturnType<typeof openRealQueue>>

/** The id of the delivery of an event to a webhook. */
export const deliveryIdOf = (eventId: string, webhookId: string): string =>
  eventId.slice(0, 14) +
  createHash('sha256')
    .update(eventId + webhookId)
    .digest('hex')
    .slice(0, 11)

export async function openRealQueue({ runtime, clock, databaseUrl }: TestApp) {
  const opened = new AsyncDisposableStack()
  const listening = opened.use(listenTo(runtime, deliveryWorkers, { role, before: [claimLock] }))
  const settlements = opened.use(runtime.database.across(role, [settleLazily]))
  const owner = new pg.Client({ connectionString: databaseUrl, application_name: 'gable tests' })
  await owner.connect()
  opened.defer(() => owner.end())

  const actor = { type: 'system', id: null, name: 'test' }
  const context = (workspaceId: string) => createContext(runtime, { workspaceId, actor, scopes: new Set() })
  const queueOf = (worker: string) => deliveryQueue(runtime, { listening, settlements }, worker)
  const lines = async (text: string) =>
    (await owner.query<{ line: string }>(text)).rows.map(({ line }) => line).sort()

  return {
    async addHooks(workspaceId: string, ids: readonly string[], scopes: readonly string[]): Promise<void> {
      const secrets = ids.map((id) => sealSecret(runtime.keys, workspaceId, id, 'whsec_c2VjcmV0'))
      await owner.query(
        `insert into webhooks (workspace_id, id, url, event_types, scopes, secret, paused, paused_with_app, created_at, updated_at)
         select $1, id, 'https://receiver.example/', '{}', $3, secret, false, false, $5, $5
         from unnest($2::text[], $4::bytea[]) as made (id, secret)`,
        [workspaceId, ids, scopes, secrets, clock.now()],
      )
    },
    setPaused: (id: string, paused: boolean) =>
      owner.query('update webhooks set paused = $2 where id = $1', [id, paused]),
    setDisabled: (id: string, disabled: boolean) =>
      owner.query('update webhooks set disabled_at = $2 where id = $1', [id, disabled ? clock.now() : null]),
    setScopes: (id: string, scopes: readonly string[]) =>
      owner.query('update webhooks set scopes = $2 where id = $1', [id, scopes]),
    removeHook: (id: string) => owner.query('delete from webhooks where id = $1', [id]),
    publish: (workspaceId: string, eventId: string, scope: string) =>
      context(workspaceId).transaction(async (tx) =>
        fanOut(tx, { event: 'thing.happened', scope, eventId, at: clock.now().toISOString(), body: '{}' }),
      ),
    claim: (worker: string, request: ClaimRequest): Promise<ClaimResult<OutgoingDelivery>> =>
      queueOf(worker).claim(request),
    settle: (worker: string, settled: readonly Settlement<OutgoingDelivery, Exchange>[]) =>
      queueOf(worker).settle(settled),
    release: (worker: string) => releaseEndpointLeases(settlements, worker),
    dropClaims: (id: string) =>
      owner.query('update webhook_deliveries set claimed_by = null where webhook_id = $1', [id]),
    requeue: (workspaceId: string, webhookId: string, id: string) =>
      context(workspaceId).transaction(async (tx) => void (await requeue(tx, webhookId, id, clock))),
    failPending: (workspaceId: string, id: string) =>
      context(workspaceId).transaction(async (tx) => void (await failPending(tx, id, clock, 1000))),
    forget: (workspaceId: string, id: string) =>
      context(workspaceId).transaction(async (tx) => {
        await deleteDeliveries(tx, id, 1000)
        await releaseLease(tx, id)
      }),

    /** All rows, one per line. */
    rows: () =>
      lines(`
        with ms (webhook_id, id, due, until) as (
          select webhook_id, id, round(extract(epoch from due_at) * 1000), round(extract(epoch from claimed_until) * 1000)
          from webhook_deliveries
        )
        select concat_ws(' ', d.webhook_id, d.id, status, attempt, due, coalesce(claimed_by, '-'),
          coalesce(until::text, '-'), jsonb_array_length(attempts)) as line
        from webhook_deliveries d join ms using (webhook_id, id)
        union all
        select concat_ws(' ', webhook_id, 'held by', worker, round(extract(epoch from leased_until) * 1000))
        from webhook_leases
        union all
        select concat_ws(' ', id, case when failing_since is null then 'responds' else 'fails' end) from webhooks`),
    async [Symbol.asyncDispose]() {
      await opened.disposeAsync()
    },
  }
}
