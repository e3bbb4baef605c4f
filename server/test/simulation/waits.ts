import { endpointLeaseMs, maxWaitMs } from '../../src/modules/deliveries/dispatcher/schedule.ts'
import { type ClaimFact, type Counters, type Endpoint, type Host, mannerAt } from './facts.ts'
import { healthy } from './receivers.ts'
import type { Scenario } from './scenario.ts'
import { mustBe } from './violation.ts'

/** The greatest difference between the clocks of two workers. */
const skewMs = 3000

/** Database results arrive within this time unless the database is slow. */
const promptMs = 100

/** Checks for each attempt that begins how long ago it could have begun. */
export interface Waits {
  /** Reports a fault that lasts until then. */
  trouble(until: number): void
  troubledUntil(): number
  began(host: Host, claim: ClaimFact): void
  /** The delivery was claimed and never sent. */
  givenBack(host: Host, claim: ClaimFact): void
  /** A claim has filled the quota for failing endpoints. */
  degradedUsedUp(): void
  /** Records which shares are used up, when an attempt has begun or is about to end. */
  recordShares(): void
}

export function createWaits({
  scenario: { limits, maxDelayMs },
  hosts,
  now,
  count,
}: {
  scenario: Scenario
  hosts: readonly Host[]
  now: () => number
  count: (name: keyof Counters) => void
}): Waits {
  let troubledUntil = 0
  let allFullAt = 0
  let degradedFullAt = 0
  const workspaceFullAt = new Map<string, number>()

  /**
   * Whether the worker must know that the endpoint is healthy. A worker that was paused mistook late responses for slow
   * ones and missed some.
   */
  const isHealthy = ({ behavior, hasFailed }: Endpoint, { slept }: Host) =>
    !slept &&
    !hasFailed &&
    healthy.includes(behavior.first) &&
    (behavior.later === behavior.first || now() < behavior.changesAt)

  /** When a share that the endpoint's attempts need was last used up. */
  const usedUpAt = (endpoint: Endpoint, host: Host): number =>
    Math.max(
      endpoint.fullAt,
      allFullAt,
      workspaceFullAt.get(endpoint.workspaceId) ?? 0,
      isHealthy(endpoint, host) ? 0 : degradedFullAt,
    )

  /** Records which of the worker's shares are used up. */
  function note(host: Host): void {
    let degraded = 0
    const ofWorkspaces = new Map<string, number>()
    for (const { claim } of host.sending) {
      const { endpoint } = claim.delivery
      const ofWorkspace = (ofWorkspaces.get(endpoint.workspaceId) ?? 0) + 1
      ofWorkspaces.set(endpoint.workspaceId, ofWorkspace)
      if (ofWorkspace === limits.perWorkspace) {
        workspaceFullAt.set(endpoint.workspaceId, now())
        count('workspaceFull')
      }
      // A worker may consider any endpoint degraded that it does not know to be healthy.
      if (!isHealthy(endpoint, host)) degraded++
      if (endpoint.inFlight >= limits.perNewEndpoint) endpoint.fullAt = now()
    }
    if (host.sending.size >= limits.total) {
      allFullAt = now()
      count('allFull')
    }
    if (degraded >= limits.degraded) {
      degradedFullAt = now()
      count('suspectsFull')
    }
  }

  function recordShares(): void {
    for (const host of hosts) if (host.sending.size > 0) note(host)
  }

  return {
    troubledUntil: () => troubledUntil,
    trouble: (until) => void (troubledUntil = Math.max(troubledUntil, until)),
    began(host, { dueBefore, delivery, attempt }) {
      const { endpoint, id } = delivery
      const since = Math.max(
        dueBefore,
        troubledUntil + endpointLeaseMs + skewMs,
        endpoint.openSince,
        usedUpAt(endpoint, host),
      )
      const wait = now() - since
      // A new delivery wakes a worker. For all others, an idle worker scans from time to time, and scans again if a row
      // was locked.
      const isNew = attempt === 1 && since === dueBefore
      const most = maxDelayMs + (host.skew === 0 ? 0 : skewMs) + (isNew ? 0 : 2 * limits.idlePollMs)
      mustBe(wait <= most, () => {
        return `${id} to ${endpoint.id} (${mannerAt(endpoint.behavior, now())}) had to wait for ${wait} ms`
      })
    },
    givenBack(host, { delivery, receivedAt, askedAt, cutOff }) {
      if (
        cutOff ||
        host.stoppingSince !== undefined ||
        receivedAt === undefined ||
        receivedAt > askedAt + promptMs
      )
        return
      recordShares()
      const free = askedAt + maxWaitMs - usedUpAt(delivery.endpoint, host)
      mustBe(free < promptMs, () => `${delivery.id} is released though for ${free} ms there was room for it`)
    },
    degradedUsedUp: () => void (degradedFullAt = now()),
    recordShares,
  }
}
