import { type House, createContext } from '#kernel/context.ts'
import type { Queries } from '#kernel/db/rows.ts'
import type { Exchange } from '#kernel/egress/egress.ts'
import { disableWebhook, giveUpMs, noteHealth, openSecret } from '../webhooks/public.ts'
import type { Claimed } from './lane.ts'
import type { Claim, ClaimOrder, Settlement } from './ports.ts'
import { type ClaimRow, type Settled, claimDeliveries, settleDeliveries } from './queue-queries.ts'

/** How to reach an endpoint and sign for it, as of its claim. */
export interface Endpoint {
  url: string
  /** The present secret, and the one before it while that still holds. */
  secrets: readonly [string, ...string[]]
}

/** All that it takes to send a delivery. */
export interface Ready extends Claimed {
  eventId: string
  event: string
  body: string
  /** Tells this claim from every other of the delivery. */
  claimedUntil: string
  /** Undefined where its secret cannot be opened. */
  endpoint: Endpoint | undefined
}

/** The table of deliveries as a queue, for the worker of this name. */
export interface DeliveryQueue {
  claim(order: ClaimOrder): Promise<Claim<Ready>>
  settle(settlements: readonly Settlement<Ready, Exchange>[]): Promise<void>
}

export function deliveryQueue(
  house: House,
  { claims, settlements }: { claims: Queries; settlements: Queries },
  worker: string,
): DeliveryQueue {
  const { clock, log } = house

  /** Which endpoints have failed or answered, each by the last that is known of it. */
  async function noteHealthOf(settled: readonly Settlement<Ready, Exchange>[]): Promise<void> {
    const telling = [...healthOf(settled)].filter(([, { changed }]) => changed)
    if (telling.length === 0) return
    const now = clock.now()
    const health = {
      ids: telling.map(([webhookId, { workspaceId }]) => ({ workspaceId, webhookId })),
      failing: telling.map(([, { failing }]) => failing),
      exhausted: telling.map(([, { exhausted }]) => exhausted),
    }
    const hopeless = await noteHealth(settlements, health, now, new Date(now.getTime() - giveUpMs))
    for (const { workspace_id, webhook_id } of hopeless) await giveUp(workspace_id, webhook_id)
  }

  async function giveUp(workspaceId: string, webhookId: string): Promise<void> {
    const actor = { type: 'system', id: null, name: 'deliveries' }
    const ctx = createContext(house, { workspaceId, actor, scopes: new Set() })
    if (await disableWebhook(ctx, webhookId))
      log.warn({ webhookId }, 'webhook disabled: it failed for five days')
  }

  return {
    async claim(order) {
      const rows = await claimDeliveries(claims, { ...order, worker, wall: clock.now().getTime() })
      return { deliveries: readyRows(endpointsOf(house, rows), rows), after: rows[0]?.after ?? '' }
    },
    async settle(settled) {
      await settleDeliveries(settlements, worker, settled.map(row), clock.now())
      await noteHealthOf(settled)
    },
  }
}

interface Health {
  workspaceId: string
  failing: boolean
  /** A delivery has failed for good. */
  exhausted: boolean
  /** Worth noting: it fails, or did when it was claimed. */
  changed: boolean
}

function healthOf(settled: readonly Settlement<Ready, Exchange>[]): ReadonlyMap<string, Health> {
  const seen = new Map<string, Health>()
  for (const { delivery, result } of settled) {
    if (result === undefined) continue
    const before = seen.get(delivery.webhookId)
    const failing = !result.outcome.ok
    seen.set(delivery.webhookId, {
      workspaceId: delivery.workspaceId,
      failing,
      exhausted: failing && (before?.exhausted === true || result.verdict.status === 'failed'),
      changed: failing || delivery.failing || before?.changed === true,
    })
  }
  return seen
}

const row = ({ delivery, result }: Settlement<Ready, Exchange>): Settled => ({
  workspaceId: delivery.workspaceId,
  webhookId: delivery.webhookId,
  id: delivery.id,
  attempt: delivery.attempt,
  claimedUntil: delivery.claimedUntil,
  status: result?.verdict.status ?? 'pending',
  dueAt: result?.verdict.dueAt ?? 0,
  record: result === undefined ? undefined : JSON.stringify(recordOf(result)),
})

const recordOf = ({ outcome, startedAt }: { outcome: Exchange; startedAt: number }) => ({
  started_at: new Date(startedAt).toISOString(),
  duration_ms: outcome.duration_ms,
  status: outcome.status,
  failure: outcome.failure,
  answer: outcome.answer,
})

/** How to reach the endpoints of the rows, the first of each carries it; none whose secret cannot be opened. */
function endpointsOf({ keys, clock, log }: House, rows: readonly ClaimRow[]): ReadonlyMap<string, Endpoint> {
  const now = clock.now().toISOString()
  const endpoints = new Map<string, Endpoint>()
  for (const { workspace_id, webhook_id, url, secret, previous_secret, previous_secret_until } of rows) {
    if (workspace_id === null || webhook_id === null || url === null || secret === null) continue
    const opened = (sealed: Buffer) => openSecret(keys, workspace_id, webhook_id, sealed)
    const holds = previous_secret !== null && previous_secret_until !== null && previous_secret_until > now
    try {
      endpoints.set(webhook_id, {
        url,
        secrets: [opened(secret), ...(holds ? [opened(previous_secret)] : [])],
      })
    } catch (error) {
      log.error({ err: error, webhookId: webhook_id }, 'the secret of a webhook cannot be opened')
    }
  }
  return endpoints
}

const readyRows = (endpoints: ReadonlyMap<string, Endpoint>, rows: readonly ClaimRow[]): Ready[] =>
  rows.flatMap(({ id, workspace_id, webhook_id, event_id, event, attempt, claimed_until, body, failing }) => {
    if (id === null || workspace_id === null || webhook_id === null) return []
    return {
      workspaceId: workspace_id,
      webhookId: webhook_id,
      id,
      attempt: attempt ?? 1,
      claimedUntil: claimed_until ?? '',
      failing: failing ?? false,
      eventId: event_id ?? '',
      event: event ?? '',
      body: body ?? '',
      endpoint: endpoints.get(webhook_id),
    }
  })
