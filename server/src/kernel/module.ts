import type { EventType } from './events/event.ts'
import type { Subscription } from './events/subscription.ts'
import type { Endpoint } from './http/endpoint.ts'
import type { Job, PeriodicJob } from './jobs/job.ts'

/** A module's table of contents: everything by which the rest of the house can reach it. */
export interface Module {
  readonly endpoints?: readonly Endpoint[]
  readonly events?: readonly EventType[]
  readonly subscriptions?: readonly Subscription[]
  readonly jobs?: readonly Job[]
  readonly periodicJobs?: readonly PeriodicJob[]
}
