import type { Claim, ClaimOrder, Ports, Settlement } from '../../src/modules/deliveries/ports.ts'
import { leaseMs } from '../../src/modules/deliveries/schedule.ts'
import type { Outcome } from '../../src/modules/deliveries/verdict.ts'
import type { Host, Sendable } from './facts.ts'
import { settleInModel } from './model-settle.ts'
import { answerOf, exchangeMs } from './receivers.ts'
import { expectBoundedHands, expectRooms } from './shares.ts'
import type { World } from './world.ts'

type Settled = Settlement<Sendable, Outcome>

const nameOf = ({ id, attempt }: Sendable): string => `${id}#${attempt}`

/** The world as one worker is shown it. `hear` brings something to its process, if that still runs. */
export function portsOf(
  world: World,
  host: Host,
  hear: (call: () => void) => void,
): Ports<Sendable, Outcome> {
  const { scenario, timeline, random, queue, database, checks, waits, count, deliveries, endpoints, trace } =
    world
  const { limits } = scenario

  function claimNow(order: ClaimOrder, askedAt: number, heard: boolean): Claim<Sendable> {
    const query = { ...order, worker: host.name, wall: askedAt }
    const claimed = queue.claim(query)
    expectRooms(query, claimed)
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
      claim.silenced = !heard || host.state !== 'running'
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

  function tell({ deliveries: told }: Claim<Sendable>): void {
    for (const { claim, failing } of told) {
      const { id, endpoint } = claim.delivery
      claim.toldAt = timeline.now()
      host.told.set(id, { claim, until: claim.askedAt + leaseMs })
      if (host.known.has(endpoint.id)) continue
      host.known.set(endpoint.id, { failing, exchanges: 0, quickestMs: Number.POSITIVE_INFINITY })
    }
    expectBoundedHands(host, timeline.now(), waits.troubledUntil(), limits)
  }

  function settleNow(settlements: readonly Settled[]): true {
    const { written, late } = settleInModel(queue, host.name, settlements)
    for (const settlement of written) {
      const { delivery, result } = settlement
      trace?.(`${host.name} settles ${nameOf(delivery)} as ${result?.verdict.status ?? 'never sent'}`)
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

    claim(order, done) {
      const askedAt = timeline.now()
      checks.asked(host)
      database.call(
        'Claim',
        (heard) => claimNow(order, askedAt, heard),
        (claim) =>
          hear(() => {
            host.claiming = false
            if (claim !== undefined) tell(claim)
            done(claim)
          }),
      )
    },

    send(delivery, done) {
      const endpoint = endpoints.get(delivery.webhookId)
      if (endpoint === undefined) throw new Error(`${delivery.webhookId} is no endpoint.`)
      const attempt = checks.began(host, delivery, answerOf(endpoint.temper, timeline.now(), random))
      const name = `${nameOf(delivery)} to ${endpoint.id}`
      trace?.(`${host.name} sends ${name}`)
      timeline.at(attempt.endsAt, () => {
        checks.over(attempt)
        trace?.(`${name} has ended, ${attempt.ok ? 'a 2xx' : 'no 2xx'}`)
        hear(() => {
          // A process that slept may see the time that is over before it sees the answer.
          const late = timeline.now() - attempt.startedAt > exchangeMs && random.chance(0.5)
          const ok = attempt.ok && !late
          checks.heard(attempt, ok)
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
          hear(() => {
            for (const { delivery } of settlements) {
              if (written === undefined) checks.refused(delivery.claim)
              else if (host.told.get(delivery.id)?.claim === delivery.claim) host.told.delete(delivery.id)
            }
            done(written === true)
          }),
      )
    },

    wake: (afterMs, call) => timeline.at(timeline.now() + afterMs, () => hear(call)),
  }
}
