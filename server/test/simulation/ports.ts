import type {
  ClaimResult,
  ClaimRequest,
  Ports,
  Settlement,
} from '../../src/modules/deliveries/dispatcher/ports.ts'
import { leaseMs, type AttemptOutcome } from '../../src/modules/deliveries/dispatcher/schedule.ts'
import type { Host, Sendable } from './facts.ts'
import { settleInModel } from './model-settle.ts'
import { responseOf, exchangeMs } from './receivers.ts'
import { expectBoundedLeases, expectQuotas } from './shares.ts'
import type { World } from './world.ts'

type Settled = Settlement<Sendable, AttemptOutcome>

const nameOf = ({ id, attempt }: Sendable): string => `${id}#${attempt}`

/** The ports of one simulated worker. `deliver` runs a callback in the worker's process if it is still running. */
export function portsOf(
  world: World,
  host: Host,
  deliver: (call: () => void) => void,
): Ports<Sendable, AttemptOutcome> {
  const { scenario, timeline, random, queue, database, checks, waits, count, deliveries, endpoints, trace } =
    world
  const { limits } = scenario

  function claimNow(request: ClaimRequest, askedAt: number, delivered: boolean): ClaimResult<Sendable> {
    const query = { ...request, worker: host.name, wall: askedAt, present: timeline.now() }
    if (!delivered) host.listening = false
    const claimed = queue.claim(query)
    expectQuotas(query, claimed)
    checks.looked(host, query, claimed)
    count('claims')
    for (const { id } of claimed.over) {
      const delivery = deliveries.get(id)
      if (delivery !== undefined) checks.ended(delivery, host)
    }
    const sendables: Sendable[] = []
    for (const { row, failing } of claimed.rows) {
      const { id, workspaceId, webhookId, attempt, claimedUntil = 0 } = row
      const delivery = deliveries.get(id)
      if (delivery === undefined) continue
      const claim = checks.claimed(host, delivery, attempt, askedAt)
      claim.cutOff = !delivered || host.state !== 'running'
      sendables.push({
        id,
        workspaceId,
        webhookId,
        attempt,
        failing,
        claimedUntil,
        body: delivery.body,
        claim,
      })
    }
    if (sendables.length > 0) trace?.(`${host.name} claims ${sendables.map(nameOf).join(' ')}`)
    return { deliveries: sendables, after: claimed.after }
  }

  function receiveClaim({ deliveries: leased }: ClaimResult<Sendable>): void {
    for (const { claim, failing } of leased) {
      const { id, endpoint } = claim.delivery
      claim.receivedAt = timeline.now()
      host.leased.set(id, { claim, until: claim.askedAt + leaseMs })
      if (host.known.has(endpoint.id)) continue
      host.known.set(endpoint.id, { failing, exchanges: 0, quickestMs: Number.POSITIVE_INFINITY })
    }
    expectBoundedLeases(host, timeline.now(), waits.troubledUntil(), limits)
  }

  function settleNow(settlements: readonly Settled[]): true {
    const { written, late } = settleInModel(queue, host.name, settlements)
    for (const settlement of written) {
      const { delivery, result } = settlement
      trace?.(`${host.name} settles ${nameOf(delivery)} as ${result?.next.status ?? 'never sent'}`)
      checks.settled(host, settlement)
    }
    for (const { delivery } of late) {
      trace?.(`${host.name} settles ${nameOf(delivery)} too late`)
      count('fenced')
    }
    return true
  }

  return {
    now: () => timeline.now() + host.skew,

    claim(request, done) {
      // It starts to listen before it reads the clock.
      host.listening = request.idle
      if (request.idle) count('idle')
      const askedAt = timeline.now()
      checks.asked(host)
      database.call(
        'Claim',
        (delivered) => claimNow(request, askedAt, delivered),
        (claim) =>
          deliver(() => {
            host.claiming = false
            if (claim !== undefined) receiveClaim(claim)
            done(claim)
          }),
      )
    },

    send(delivery, done) {
      const endpoint = endpoints.get(delivery.webhookId)
      if (endpoint === undefined) throw new Error(`${delivery.webhookId} is no endpoint.`)
      const attempt = checks.began(host, delivery, responseOf(endpoint.behavior, timeline.now(), random))
      const name = `${nameOf(delivery)} to ${endpoint.id}`
      trace?.(`${host.name} sends ${name}`)
      timeline.at(attempt.endsAt, () => {
        checks.over(attempt)
        trace?.(`${name} has ended, ${attempt.ok ? 'a 2xx' : 'no 2xx'}`)
        deliver(() => {
          // A process that was paused can see the timeout before the response.
          const late = timeline.now() - attempt.startedAt > exchangeMs && random.chance(0.5)
          const ok = attempt.ok && !late
          checks.delivered(attempt, ok)
          done({ ok })
        })
      })
    },

    settle(settlements, done) {
      count('settles')
      database.call(
        'Settle',
        () => settleNow(settlements),
        (written) =>
          deliver(() => {
            for (const { delivery } of settlements) {
              if (written === undefined) checks.settlementFailed(delivery.claim)
              else if (host.leased.get(delivery.id)?.claim === delivery.claim) host.leased.delete(delivery.id)
            }
            done(written === true)
          }),
      )
    },

    wake: (afterMs, call) => timeline.at(timeline.now() + afterMs, () => deliver(call)),
  }
}
