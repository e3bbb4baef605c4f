import type { QueueListener } from '#kernel/background/listening.ts'
import { restFor } from '#kernel/background/poll-loop.ts'
import { type Runtime, createContext } from '#kernel/context.ts'
import type { Queries } from '#kernel/db/handles.ts'
import type { Exchange } from '#kernel/egress/egress.ts'
import { disableWebhook, giveUpMs, saveHealth, openSecret } from '../../webhooks/public.ts'
import type { Claimed } from './endpoint-queue.ts'
import type { ClaimResult, ClaimRequest, Settlement } from './ports.ts'
import {
  type ClaimRow,
  type Settled,
  claimDeliveries,
  findNextClaimAcrossWorkspaces,
  settleDeliveries,
} from './queue-queries.ts'

/** An endpoint at the time of the claim. */
export interface WebhookEndpoint {
  url: string
  /** The current secret, then the previous one while it is valid. */
  secrets: readonly [string, ...string[]]
}

/** A claimed delivery with everything needed to send it. */
export interface OutgoingDelivery extends Claimed {
  eventId: string
  event: string
  body: string
  /** The `ctid` of its row after the claim. */
  place: string
  /** Identifies this claim of the delivery. */
  claimedUntil: string
  /** Undefined if its secret cannot be decrypted. */
  endpoint: WebhookEndpoint | undefined
}

/** The table of deliveries, as the queue of one worker. */
export interface DeliveryQueue {
  claim(order: ClaimRequest): Promise<ClaimResult<OutgoingDelivery>>
  settle(settlements: readonly Settlement<OutgoingDelivery, Exchange>[]): Promise<void>
}

export function deliveryQueue(
  runtime: Runtime,
  { listening, settlements }: { listening: QueueListener; settlements: Queries },
  worker: string,
): DeliveryQueue {
  const { clock, log } = runtime
  const { queue: claims } = listening
  let idle = false

  /** Records for each endpoint whether its last attempt failed, and disables endpoints that have failed for too long. */
  async function recordHealth(settled: readonly Settlement<OutgoingDelivery, Exchange>[]): Promise<void> {
    const changes = [...healthOf(settled)].filter(([, { changed }]) => changed)
    if (changes.length === 0) return
    const now = clock.now()
    const health = {
      ids: changes.map(([webhookId, { workspaceId }]) => ({ workspaceId, webhookId })),
      failing: changes.map(([, { failing }]) => failing),
      exhausted: changes.map(([, { exhausted }]) => exhausted),
    }
    const exhausted = await saveHealth(settlements, health, now, new Date(now.getTime() - giveUpMs))
    for (const { workspace_id, webhook_id } of exhausted) await disable(workspace_id, webhook_id)
  }

  async function disable(workspaceId: string, webhookId: string): Promise<void> {
    const actor = { type: 'system', id: null, name: 'deliveries' }
    const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
    if (await disableWebhook(ctx, webhookId))
      log.warn({ webhookId }, 'webhook disabled: it failed for five days')
  }

  return {
    async claim(order) {
      const mostMs = order.idle ? await listening.becomeIdle() : 0
      if (idle && !order.idle) await listening.becomeBusy()
      idle = order.idle
      const lookedAt = clock.now()
      const rows = await claimDeliveries(claims, { ...order, worker, wall: lookedAt.getTime() }, clock)
      const mayRest = mostMs > 0 && rows.every(({ id, after }) => id === null && after === '')
      return {
        deliveries: outgoingDeliveries(endpointsOf(runtime, rows), rows),
        after: rows.find(({ after }) => after !== null)?.after ?? '',
        restMs: mayRest
          ? restFor(
              clock,
              mostMs,
              lookedAt,
              await findNextClaimAcrossWorkspaces(claims, worker, lookedAt, clock),
            )
          : 0,
      }
    },
    async settle(settled) {
      await settleDeliveries(settlements, worker, settled.map(row), clock.now())
      await recordHealth(settled)
    },
  }
}

interface Health {
  workspaceId: string
  failing: boolean
  /** A delivery has used up its attempts. */
  exhausted: boolean
  /** Whether to save the health: the endpoint is failing now, or was when the delivery was claimed. */
  changed: boolean
}

function healthOf(settled: readonly Settlement<OutgoingDelivery, Exchange>[]): ReadonlyMap<string, Health> {
  const seen = new Map<string, Health>()
  for (const { delivery, result } of settled) {
    if (result === undefined) continue
    const before = seen.get(delivery.webhookId)
    const failing = !result.outcome.ok
    seen.set(delivery.webhookId, {
      workspaceId: delivery.workspaceId,
      failing,
      exhausted: failing && (before?.exhausted === true || result.next.status === 'failed'),
      changed: failing || delivery.failing || before?.changed === true,
    })
  }
  return seen
}

const row = ({ delivery, result }: Settlement<OutgoingDelivery, Exchange>): Settled => ({
  workspaceId: delivery.workspaceId,
  webhookId: delivery.webhookId,
  id: delivery.id,
  place: delivery.place,
  attempt: delivery.attempt,
  claimedUntil: delivery.claimedUntil,
  status: result?.next.status ?? 'pending',
  dueAt: result?.next.dueAt ?? 0,
  record: result === undefined ? undefined : JSON.stringify(recordOf(result)),
})

const recordOf = ({ outcome, startedAt }: { outcome: Exchange; startedAt: number }) => ({
  started_at: new Date(startedAt).toISOString(),
  duration_ms: outcome.duration_ms,
  status: outcome.status,
  failure: outcome.failure,
  answer: outcome.answer,
})

/** Returns the endpoints in the rows, except those whose secret cannot be decrypted. */
function endpointsOf(
  { keys, clock, log }: Runtime,
  rows: readonly ClaimRow[],
): ReadonlyMap<string, WebhookEndpoint> {
  const now = clock.now().toISOString()
  const endpoints = new Map<string, WebhookEndpoint>()
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
      log.error({ err: error, webhookId: webhook_id }, 'a webhook secret cannot be decrypted')
    }
  }
  return endpoints
}

const outgoingDeliveries = (
  endpoints: ReadonlyMap<string, WebhookEndpoint>,
  rows: readonly ClaimRow[],
): OutgoingDelivery[] =>
  rows.flatMap(
    ({ id, place, workspace_id, webhook_id, event_id, event, attempt, claimed_until, body, failing }) => {
      if (id === null || workspace_id === null || webhook_id === null) return []
      return {
        workspaceId: workspace_id,
        webhookId: webhook_id,
        id,
        place: place ?? '',
        attempt: attempt ?? 1,
        claimedUntil: claimed_until ?? '',
        failing: failing ?? false,
        eventId: event_id ?? '',
        event: event ?? '',
        body: body ?? '',
        endpoint: endpoints.get(webhook_id),
      }
    },
  )
