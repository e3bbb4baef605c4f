/** How much a worker does at once, and for whom. Counts are of one process. */
export interface Limits {
  /** Attempts in flight at one endpoint. */
  perEndpoint: number
  /** The same for one that is new to this worker; it grows with each success. */
  perNewEndpoint: number
  /** Attempts in flight for one workspace. */
  perWorkspace: number
  /** Attempts in flight at endpoints that fail or are slow: the rest is always free for those that answer. */
  suspects: number
  /** Attempts in flight. */
  total: number
  /** Deliveries in hand, waiting ones included: of all and of one workspace. */
  held: number
  heldPerWorkspace: number
  /** Deliveries claimed of an endpoint that is not in hand. */
  firstRoom: number
  /** Deliveries of one claim, of endpoints in hand and of others each. */
  perClaim: number
  /** Deliveries of one endpoint in hand: as many as it is expected to take in `aheadMs`, and never more. */
  aheadMs: number
  ahead: number
  /** An endpoint that takes longer on average is treated like one that fails. */
  slowMs: number
  /** Attempts of one settlement, and settlements at once. */
  perSettlement: number
  settlements: number
  /** Between looks at one part of the endpoints and the next, where the first had nothing. */
  stepMs: number
  /** Between looks for new work: at first, and after so many in vain. */
  pollMs: number
  restlessLooks: number
  idlePollMs: number
  /** Before a failed claim or settlement is tried again. */
  retryMs: number
  /** Endpoints remembered. */
  lanes: number
}

export const defaultLimits: Limits = {
  perEndpoint: 8,
  perNewEndpoint: 2,
  perWorkspace: 256,
  suspects: 512,
  total: 1024,
  held: 2000,
  heldPerWorkspace: 1000,
  firstRoom: 4,
  perClaim: 500,
  aheadMs: 500,
  ahead: 500,
  slowMs: 2000,
  perSettlement: 250,
  settlements: 2,
  stepMs: 10,
  pollMs: 50,
  idlePollMs: 100,
  restlessLooks: 200,
  retryMs: 250,
  lanes: 10_000,
}
