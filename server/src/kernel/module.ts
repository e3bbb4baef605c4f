import type { Command } from 'commander'
import type { Registry } from 'prom-client'
import type { Cli } from './cli/cli.ts'
import type { Runtime } from './context.ts'
import type { EventType } from './events/event.ts'
import type { CredentialKind, SessionKind } from './http/authentication.ts'
import type { Endpoint } from './http/endpoint.ts'
import type { PlainRoute } from './http/plain-route.ts'
import type { FollowUp } from './jobs/follow-up.ts'
import type { DirectoryJob, Job, PeriodicJob } from './jobs/job.ts'
import type { Outgoing } from './outgoing.ts'
import type { Reachable } from './references.ts'
import type { Subscription } from './subscription.ts'

/** What a server provides to its modules. A module that needs an adapter extends this in its `ports.ts`. */
export interface Dependencies {
  readonly runtime: Runtime
  /** Requests per minute from one address without a valid credential. */
  readonly anonymousRateLimit: number
}

/** A value, or a function that makes the value from what the server provides. */
export type Provided<T, D extends Dependencies> = T | ((dependencies: D) => T)

/**
 * Work of worker processes from their start on. Any number of processes may run it at the same time. The service
 * registers its metrics in `registry`, if metrics are served.
 */
export interface Service {
  readonly name: string
  start(runtime: Runtime, registry?: Registry): Promise<AsyncDisposable>
  /** Whether it also works while the database is held after a restore, because it sends nothing. */
  readonly whileHeld?: true
}

/** A module's table of contents: everything through which the server uses it. */
export interface Module<D extends Dependencies = Dependencies> {
  /** Groups the endpoints in the API reference. */
  readonly tag?: string
  readonly endpoints?: readonly Endpoint<D>[]
  /** The kinds of credentials that it accepts in the Authorization header. */
  readonly credentials?: readonly CredentialKind[]
  /** How signed-in people use the API. Exactly one module defines this. */
  readonly sessions?: SessionKind
  /** Pages and forms outside the API. */
  readonly routes?: Provided<readonly PlainRoute[], D>
  readonly events?: readonly EventType[]
  /** Its records that not every member can see. */
  readonly reachable?: Reachable
  /** Finds those of these files that belong to its records in reach. */
  readonly reachableFiles?: Reachable[string]
  readonly subscriptions?: readonly Subscription[]
  readonly jobs?: Provided<readonly (Job | DirectoryJob)[], D>
  /** What is queued again when it is due, in every workspace. Their jobs are among `jobs`. */
  readonly followUps?: readonly FollowUp[]
  readonly periodicJobs?: Provided<readonly PeriodicJob[], D>
  readonly services?: Provided<readonly Service[], D>
  /** What its jobs and services send. */
  readonly outgoing?: readonly Outgoing[]
  /** Adds commands to the `gable` program. */
  readonly commands?: (program: Command, cli: Cli) => void
}
