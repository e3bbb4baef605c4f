/** How much one worker process does at once, and for whom. */
export interface Limits {
  /** Attempts in flight at one endpoint. */
  perEndpoint: number
  /** The same for an endpoint that is new to this worker; it doubles with each success. */
  perNewEndpoint: number
  /** Attempts in flight for one workspace. */
  perWorkspace: number
  /** Attempts in flight at failing or slow endpoints. The rest of `total` is reserved for healthy ones. */
  degraded: number
  /** Attempts in flight. */
  total: number
  /** Claimed deliveries, waiting ones included: in all and for one workspace. */
  leased: number
  leasedPerWorkspace: number
  /** Deliveries in the first claim of an endpoint. */
  firstQuota: number
  /** Deliveries in one claim: of refilled endpoints, and of scanned ones. */
  perClaim: number
  /** Deliveries held for one endpoint: as many as it is expected to take in `prefetchMs`, `maxPrefetch` at most. */
  prefetchMs: number
  maxPrefetch: number
  /** An endpoint whose mean response time is longer counts as degraded. */
  slowMs: number
  /** Attempts in one settlement. It waits until half as many have gathered, for `gatherMs` at most. */
  perSettlement: number
  gatherMs: number
  /** Pause before the scan continues with the next endpoints when it found nothing in the last ones. */
  scanStepMs: number
  /** Pause between scans. After `eagerPolls` empty ones the worker is idle: new deliveries wake it, and it scans for others. */
  pollMs: number
  eagerPolls: number
  idlePollMs: number
  /** Pause before a failed claim or settlement is retried. */
  retryMs: number
  /** Endpoints remembered. */
  trackedEndpoints: number
}

export const defaultLimits: Limits = {
  perEndpoint: 8,
  perNewEndpoint: 2,
  perWorkspace: 256,
  degraded: 512,
  total: 1024,
  leased: 2000,
  leasedPerWorkspace: 1000,
  firstQuota: 4,
  perClaim: 500,
  prefetchMs: 500,
  maxPrefetch: 500,
  slowMs: 2000,
  perSettlement: 250,
  gatherMs: 10,
  scanStepMs: 10,
  pollMs: 50,
  eagerPolls: 200,
  idlePollMs: 1000,
  retryMs: 250,
  trackedEndpoints: 10_000,
}
