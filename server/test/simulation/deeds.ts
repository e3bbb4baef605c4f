import { type Endpoint, newDelivery } from './facts.ts'
import { type Deed, scopes } from './scenario.ts'
import type { World } from './world.ts'

/** Something happens in a workspace, or somebody changes a subscription. */
export function doDeed(world: World, deed: Deed): void {
  const { timeline, queue, endpoints, checks, count, trace } = world
  const now = timeline.now()
  if (deed.kind === 'burst') {
    for (let i = 0; i < deed.events; i++) happen(world, deed.workspaceId)
    return
  }
  const { webhookId } = deed
  const endpoint = endpoints.get(webhookId)
  const hook = queue.hook(webhookId)
  if (endpoint === undefined || hook === undefined) return
  trace?.(`${deed.kind} ${webhookId}`)
  count(deed.kind)
  switch (deed.kind) {
    case 'unsubscribe':
      endpoint.removedAt = now
      queue.removeHook(webhookId)
      timeline.at(now + deed.forgottenAfterMs, () => {
        queue.forget(webhookId)
        checks.forgotten(endpoint)
      })
      return
    case 'loseScope':
      endpoint.scopeLostAt = now
      hook.scopes = []
      return
    case 'rest':
      if (endpoint.restsSince !== undefined) return
      endpoint.restsSince = now
      if (deed.disabled) hook.disabled = true
      else hook.paused = true
      if (deed.disabled) failWaiting(world, endpoint)
      timeline.at(now + deed.forMs, () => {
        endpoint.restsSince = undefined
        endpoint.openSince = timeline.now()
        hook.paused = hook.disabled = hook.failing = false
      })
      return
    case 'erase':
      queue.disown(webhookId)
      checks.disowned(endpoint)
      return
    case 'redeliver':
      redeliver(world, endpoint)
  }
}

/** The event is told to every subscription of the workspace that may see it. */
function happen({ timeline, random, queue, endpoints, deliveries, count }: World, workspaceId: string): void {
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
}

function failWaiting({ timeline, queue, deliveries }: World, { id }: Endpoint): void {
  queue.failPending(id, timeline.now())
  for (const row of queue.rows(id)) {
    const delivery = deliveries.get(row.id)
    if (delivery !== undefined && row.status === 'failed') delivery.over = 'failed'
  }
}

function redeliver({ timeline, random, queue, deliveries }: World, { id }: Endpoint): void {
  const over = queue.rows(id).filter(({ status }) => status !== 'pending')
  if (over.length === 0) return
  for (const row of random.sample(over, random.integer(1, 5))) {
    const delivery = deliveries.get(row.id)
    if (delivery === undefined || !queue.startAnew(id, row.id, timeline.now())) continue
    Object.assign(delivery, {
      over: undefined,
      counted: 0,
      begun: 0,
      lastIsOfRound: false,
      due: timeline.now(),
    })
  }
}
