import type { Command } from 'commander'
import type { Ctx, Runtime } from '../context.ts'
import type { EventTypes } from '../events/event.ts'
import { type CommandOutput, printing } from './output.ts'

/** The resources of a running command. */
export interface CommandRuntime extends AsyncDisposable {
  readonly runtime: Runtime
  /**
   * The context of a workspace; without an id, of the only one. Throws `NotFound` if there is no such workspace, and a
   * usage error if there are several.
   */
  workspace(id?: string): Promise<Ctx>
}

type Handler<A extends unknown[]> = (command: CommandRuntime, ...args: A) => Promise<CommandOutput>

/** Passed to each module so that it can declare its commands. */
export interface Cli {
  readonly eventTypes: EventTypes
  /** Opens the database, with or without a running server. `migrates`: apply pending migrations first. */
  open(options?: { migrates?: boolean }): Promise<CommandRuntime>
  /** Makes a command's action: it opens the runtime, runs the handler, and prints the result. */
  run<A extends unknown[]>(handler: Handler<A>): (this: Command, ...args: A) => Promise<void>
}

export const createCli = (eventTypes: EventTypes, open: Cli['open']): Cli => ({
  eventTypes,
  open,
  run: <A extends unknown[]>(handler: Handler<A>) =>
    printing(async (...args: A) => {
      await using command = await open()
      return await handler(command, ...args)
    }),
})

/** The actor recorded for everything a command does. */
export const operator = { type: 'operator', id: null, name: 'gable' }
