import type { Settlement } from '../../src/modules/deliveries/dispatcher/ports.ts'
import type { ClaimQuery } from '../../src/modules/deliveries/dispatcher/queue-queries.ts'
import { leaseMs, maxWaitMs } from '../../src/modules/deliveries/dispatcher/schedule.ts'
import { afterwardsMs, attemptsOfRound, gapAfter, inFlightAtEndpoint } from './contract.ts'
import type { Attempt, ClaimFact, Counters, Delivery, Endpoint, Host, Known, Sendable } from './facts.ts'
import type { ClaimedRows } from './queue-model.ts'
import type { Reply } from './receivers.ts'
import type { Scenario } from './scenario.ts'
import { expectShares } from './shares.ts'
import { mustBe } from './violation.ts'
import type { Waits } from './waits.ts'

/** The time since which the endpoint must receive nothing. */
const closedAt = ({ removedAt, pausedSince, scopeLostAt }: Endpoint): number =>
  Math.min(...[removedAt, pausedSince, scopeLostAt].map((at) => at ?? Number.POSITIVE_INFINITY))

/** Watches everything that happens and throws a Violation if it must not happen. */
export function createChecks({
  scenario: { limits },
  now,
  count,
  waits,
  hosts,
}: {
  scenario: Scenario
  now: () => number
  count: (name: keyof Counters) => void
  waits: Waits
  hosts: readonly Host[]
}) {
  /** Whether the worker knows that the endpoint is failing, or that it was slow in every exchange. */
  const isDegraded = (known: Known | undefined) =>
    known !== undefined && (known.failing || (known.exchanges > 0 && known.quickestMs > limits.slowMs))

  /** A claim may stay unreported only after a fault. One failed settlement is not enough if there was time for another. */
  function expectReason({
    cutOff,
    failedSettlements,
    failedSettlementAt,
    askedAt,
    delivery: { id },
    host,
  }: ClaimFact): void {
    mustBe(
      cutOff || failedSettlements > 0,
      () => `${id} is claimed again though nothing happened to ${host.name}`,
    )
    const inTime = failedSettlementAt < askedAt + leaseMs - 3000
    mustBe(
      cutOff || failedSettlements > 1 || !inTime,
      () => `${host.name} has tried only once to settle ${id}`,
    )
  }

  /**
   * The previous claim must have had a reason to stay unreported, and no other worker may still hold a lease on the
   * endpoint.
   */
  function expectFree({ endpoint, claim }: Delivery, host: Host): void {
    if (claim !== undefined) {
      count('unreported')
      expectReason(claim)
      claim.host.open.delete(claim)
    }
    for (const other of hosts) {
      // A stopped worker has released its leases.
      if (other === host || other.stopped) continue
      for (const held of other.open) {
        if (held.delivery.endpoint !== endpoint) continue
        const until = held.askedAt + other.skew + leaseMs
        mustBe(
          until <= now() + host.skew,
          () => `${host.name} claims of ${endpoint.id}, which ${other.name} has in hand`,
        )
      }
    }
  }

  return {
    asked(host: Host): void {
      mustBe(host.stoppingSince === undefined, () => `${host.name} claims though it is to stop`)
      mustBe(!host.claiming, () => `${host.name} claims while it claims`)
      host.claiming = true
    },

    /** A worker that finds nothing must not poll too often: at most 60 empty claims per second. */
    looked({ inVain, name }: Host, { failingQuota }: ClaimQuery, { rows, over }: ClaimedRows): void {
      if (rows.filter(({ failing }) => failing).length >= failingQuota) waits.degradedUsedUp()
      if (now() - inVain.since >= 1000) Object.assign(inVain, { since: now(), count: 0 })
      if (rows.length + over.length === 0) inVain.count++
      mustBe(inVain.count <= 60, () => `${name} has looked ${inVain.count} times in vain in a second`)
    },

    settlementFailed(claim: ClaimFact): void {
      if (claim.failedSettlements++ === 0) claim.failedSettlementAt = now()
    },

    claimed(host: Host, delivery: Delivery, attempt: number, askedAt: number): ClaimFact {
      const { endpoint, id } = delivery
      mustBe(closedAt(endpoint) > now(), () => `${id} is claimed though ${endpoint.id} may get nothing more`)
      mustBe(delivery.over === undefined, () => `${id} is claimed though it is ${delivery.over}`)
      expectFree(delivery, host)
      delivery.counted++
      mustBe(delivery.counted <= attemptsOfRound, () => `${id} is claimed for the 7th time`)
      mustBe(
        attempt === delivery.counted,
        () => `claim ${delivery.counted} of ${id} has the number ${attempt}`,
      )
      const claim: ClaimFact = {
        delivery,
        host,
        attempt,
        askedAt,
        receivedAt: undefined,
        dueBefore: delivery.due,
        sent: undefined,
        cutOff: false,
        failedSettlements: 0,
        failedSettlementAt: 0,
      }
      delivery.claim = claim
      delivery.due = askedAt + leaseMs + gapAfter(attempt)
      host.open.add(claim)
      return claim
    },

    /** A claim found that the delivery is over. */
    ended(delivery: Delivery, host: Host): void {
      const { endpoint, id, counted } = delivery
      expectFree(delivery, host)
      const lost = endpoint.scopeLostAt !== undefined
      count(lost ? 'scopeLost' : 'failed')
      // Deliveries that lost their scope are ended by successive claims. They use up quota for failing endpoints.
      if (lost) waits.trouble(now())
      mustBe(lost || counted === attemptsOfRound, () => `${id} fails after ${counted} attempts`)
      delivery.claim = undefined
      delivery.over = 'failed'
    },

    began(host: Host, { claim, body, attempt: number }: Sendable, reply: Reply): Attempt {
      const { delivery } = claim
      const { endpoint, id, last } = delivery
      const at = now()
      const name = `attempt ${number} of ${id}`
      mustBe(host.stoppingSince === undefined, () => `${name} begins after the stop of ${host.name}`)
      mustBe(claim.sent === undefined, () => `${name} is sent twice`)
      mustBe(body === delivery.body, () => `${name} has other bytes`)
      mustBe(at - claim.askedAt <= maxWaitMs, () => `${name} begins ${at - claim.askedAt} ms after its claim`)
      mustBe(at - closedAt(endpoint) <= afterwardsMs, () => `${name} begins though ${endpoint.id} is closed`)
      mustBe(last === undefined || last.endsAt <= at, () => `${name} begins while one before it is in flight`)
      mustBe(++delivery.begun <= attemptsOfRound, () => `${name} is the 7th of its round`)
      if (last !== undefined && delivery.lastIsOfRound) {
        count('retries')
        if (host.skew !== last.claim.host.skew) count('retriesByAnotherClock')
        const gap = at - last.endsAt + Math.max(0, host.skew - last.claim.host.skew)
        const least = gapAfter(last.claim.attempt)
        mustBe(gap >= least, () => `${name} begins ${gap} ms after one that must be followed by ${least} ms`)
      }
      waits.recordShares()
      waits.began(host, claim)
      const attempt: Attempt = {
        claim,
        startedAt: at,
        endsAt: at + reply.afterMs,
        ok: reply.ok,
        reportedAt: undefined,
        reportedOk: false,
        degraded: isDegraded(host.known.get(endpoint.id)),
      }
      claim.sent = delivery.last = attempt
      delivery.lastIsOfRound = true
      endpoint.inFlight++
      host.sending.add(attempt)
      mustBe(endpoint.inFlight <= Math.min(limits.perEndpoint, inFlightAtEndpoint), () => {
        return `${name} is number ${endpoint.inFlight} in flight at ${endpoint.id}`
      })
      expectShares(host, attempt, limits)
      waits.recordShares()
      count('attempts')
      return attempt
    },

    /** The receiver has finished the exchange. */
    over({ claim }: Attempt): void {
      waits.recordShares()
      claim.delivery.endpoint.inFlight--
    },

    delivered(attempt: Attempt, ok: boolean): void {
      const { claim } = attempt
      const { host, delivery } = claim
      attempt.reportedAt = now()
      attempt.reportedOk = ok
      host.sending.delete(attempt)
      if (!ok) delivery.endpoint.hasFailed = true
      const known = host.known.get(delivery.endpoint.id)
      if (known === undefined) return
      known.failing = !ok
      known.exchanges++
      known.quickestMs = Math.min(known.quickestMs, now() - attempt.startedAt)
    },

    settled(host: Host, { delivery: { claim }, result }: Settlement<Sendable, { ok: boolean }>): void {
      const { delivery, attempt, sent } = claim
      const name = `attempt ${attempt} of ${delivery.id}`
      mustBe(delivery.claim === claim, () => `${host.name} settles ${name}, which has been claimed since`)
      delivery.claim = undefined
      host.open.delete(claim)
      if (result === undefined) {
        count('released')
        mustBe(sent === undefined, () => `${name} was made and is released`)
        waits.givenBack(host, claim)
        delivery.counted--
        delivery.due = claim.dueBefore
        delivery.over = undefined
        return
      }
      const { status } = result.next
      const otherwise = attempt < attemptsOfRound ? 'pending' : 'failed'
      const right = sent?.reportedOk === true ? 'delivered' : otherwise
      mustBe(sent?.reportedAt !== undefined, () => `${name} is settled before it has ended`)
      mustBe(status === right, () => `${name} is settled as ${status} and should be ${right}`)
      mustBe(status !== 'delivered' || sent?.ok === true, () => `${name} counts as delivered without a 2xx`)
      delivery.due = (sent?.reportedAt ?? now()) + gapAfter(attempt)
      delivery.over = status === 'pending' ? undefined : status
      count(status)
    },

    /** The worker can no longer report its claims. */
    cutOff(host: Host): void {
      for (const claim of host.open) claim.cutOff = true
    },

    /** The endpoint's deliveries were deleted, so there is nothing left to settle. */
    forgotten(endpoint: Endpoint): void {
      for (const { open } of hosts)
        for (const claim of open) if (claim.delivery.endpoint === endpoint) open.delete(claim)
    },

    /** Attempts in progress will not be recorded. */
    claimsDropped(endpoint: Endpoint): void {
      for (const { open } of hosts)
        for (const claim of open) if (claim.delivery.endpoint === endpoint) claim.cutOff = true
    },

    stopped(host: Host): void {
      mustBe(host.sending.size === 0, () => `${host.name} has stopped with ${host.sending.size} in flight`)
      for (const { cutOff, failedSettlements, delivery } of host.open)
        mustBe(
          cutOff || failedSettlements > 0,
          () => `${host.name} has stopped and still has ${delivery.id} in hand`,
        )
    },
  }
}

export type Checks = ReturnType<typeof createChecks>
