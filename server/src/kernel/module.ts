import type { Registry } from 'prom-client'
import type { House } from './context.ts'
import type { EventType } from './events/event.ts'
import type { Subscription } from './events/subscription.ts'
import type { Endpoint } from './http/endpoint.ts'
import type { Job, PeriodicJob } from './jobs/job.ts'

/**
 * Work that goes on for as long as a process has the role of a worker; any number of processes may do it at once.
 * `registry` is where it may tell what it measures, if anybody listens.
 */
export type Service = (house: House, registry?: Registry) => Promise<AsyncDisposable>

/** A module's table of contents: everything by which the rest of the house can reach it. */
export interface Module {
  readonly endpoints?: readonly Endpoint[]
  readonly events?: readonly EventType[]
  readonly subscriptions?: readonly Subscription[]
  readonly jobs?: readonly Job[]
  readonly periodicJobs?: readonly PeriodicJob[]
  readonly services?: readonly Service[]
}
