/** How much one worker process does at once, and how it divides that among endpoints and workspaces. */
export interface Limits {
  /** Attempts in flight to one endpoint. */
  perEndpoint: number
  /** Attempts in flight to an endpoint that is new to this worker. Doubles with each success, up to `perEndpoint`. */
  perNewEndpoint: number
  /** Attempts in flight for one workspace. */
  perWorkspace: number
  /** Attempts in flight to failing or slow endpoints. The rest of `total` is reserved for healthy ones. */
  degraded: number
  /** Attempts in flight in total. */
  total: number
  /** Claimed deliveries, including waiting ones: in total and for one workspace. */
  leased: number
  leasedPerWorkspace: number
  /** Deliveries in the first claim of an endpoint. */
  firstQuota: number
  /** Deliveries in one claim: at most this many for refilled endpoints, and as many for scanned ones. */
  perClaim: number
  /** Deliveries held for one endpoint: as many as it is expected to handle within `prefetchMs`, but at most `maxPrefetch`. */
  prefetchMs: number
  maxPrefetch: number
  /** An endpoint whose mean response time is longer counts as degraded. */
  slowMs: number
  /** Attempts in one settlement. A settlement waits for half as many attempts, but at most for `gatherMs`. */
  perSettlement: number
  gatherMs: number
  /** Pause before the scan continues with the next endpoints if it found nothing for the previous ones. */
  scanStepMs: number
  /**
   * Pause between scans. After `eagerPolls` empty scans, the worker is idle: new deliveries wake it, and it scans only
   * when others are due, as far as the queue knows, or every `idlePollMs`.
   */
  pollMs: number
  eagerPolls: number
  idlePollMs: number
  /** Pause before a failed claim or settlement is retried. */
  retryMs: number
  /** How many endpoints the worker remembers. */
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
