import { type Endpoint, newDelivery } from './facts.ts'
import { type Action, scopes } from './scenario.ts'
import type { World } from './world.ts'

/** Runs one action: events in a workspace, or a change of a webhook. */
export function runAction(world: World, action: Action): void {
  const { timeline, queue, endpoints, checks, count, trace } = world
  const now = timeline.now()
  if (action.kind === 'events') {
    for (let i = 0; i < action.events; i++) happen(world, action.workspaceId)
    return
  }
  const { webhookId } = action
  const endpoint = endpoints.get(webhookId)
  const hook = queue.hook(webhookId)
  if (endpoint === undefined || hook === undefined) return
  trace?.(`${action.kind} ${webhookId}`)
  count(action.kind)
  switch (action.kind) {
    case 'unsubscribe':
      endpoint.removedAt = now
      queue.removeHook(webhookId)
      timeline.at(now + action.forgottenAfterMs, () => {
        queue.forget(webhookId)
        checks.forgotten(endpoint)
      })
      return
    case 'loseScope':
      endpoint.scopeLostAt = now
      hook.scopes = []
      return
    case 'rest':
      if (endpoint.pausedSince !== undefined) return
      endpoint.pausedSince = now
      if (action.disabled) hook.disabled = true
      else hook.paused = true
      if (action.disabled) failWaiting(world, endpoint)
      timeline.at(now + action.forMs, () => {
        endpoint.pausedSince = undefined
        endpoint.openSince = timeline.now()
        hook.paused = hook.disabled = hook.failing = false
      })
      return
    case 'erase':
      queue.dropClaims(webhookId)
      checks.claimsDropped(endpoint)
      return
    case 'redeliver':
      redeliver(world, endpoint)
  }
}

/** New deliveries wake the workers that listen. */
function wake({ timeline, random, hosts, count }: World): void {
  for (const host of hosts) {
    if (!host.listening) continue
    count('woken')
    timeline.at(timeline.now() + random.integer(1, 8), () => host.wake())
  }
}

/** An event goes to every webhook of the workspace that has its scope. */
function happen(world: World, workspaceId: string): void {
  const { timeline, random, queue, endpoints, deliveries, count } = world
  const scope = random.pick(scopes)
  for (const endpoint of endpoints.values()) {
    const hook = queue.hook(endpoint.id)
    if (endpoint.workspaceId !== workspaceId || hook?.scopes.includes(scope) !== true) continue
    const id = `d${String(deliveries.size).padStart(5, '0')}`
    const delivery = newDelivery(endpoint, id, scope, timeline.now())
    deliveries.set(id, delivery)
    queue.insert({ workspaceId, webhookId: endpoint.id, id, scope, dueAt: timeline.now() })
    if (hook.disabled) delivery.over = 'failed'
    count('deliveries')
  }
  wake(world)
}

function failWaiting({ timeline, queue, deliveries }: World, { id }: Endpoint): void {
  queue.failPending(id, timeline.now())
  for (const row of queue.rows(id)) {
    const delivery = deliveries.get(row.id)
    if (delivery !== undefined && row.status === 'failed') delivery.over = 'failed'
  }
}

function redeliver(world: World, { id }: Endpoint): void {
  const { timeline, random, queue, deliveries } = world
  const over = queue.rows(id).filter(({ status }) => status !== 'pending')
  if (over.length === 0) return
  for (const row of random.sample(over, random.integer(1, 5))) {
    const delivery = deliveries.get(row.id)
    if (delivery === undefined || !queue.requeue(id, row.id, timeline.now())) continue
    Object.assign(delivery, {
      over: undefined,
      counted: 0,
      begun: 0,
      lastIsOfRound: false,
      due: timeline.now(),
    })
  }
  wake(world)
}
