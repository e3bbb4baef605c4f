import type { Command } from 'commander'
import type { Ctx, Runtime } from '../context.ts'
import type { EventTypes } from '../events/event.ts'
import { type CommandOutput, printing } from './output.ts'

/** What a command works with while it runs. */
export interface CommandRuntime extends AsyncDisposable {
  readonly runtime: Runtime
  /** The context of a workspace. Throws `NotFound` if there is no such workspace. */
  workspace(id: string): Promise<Ctx>
}

type Handler<A extends unknown[]> = (command: CommandRuntime, ...args: A) => Promise<CommandOutput>

/** What modules declare their commands with. */
export interface Cli {
  readonly eventTypes: EventTypes
  /** Opens the database, with or without a running server. `migrates`: brings the schema up to date first. */
  open(options?: { migrates?: boolean }): Promise<CommandRuntime>
  /** The action of a command: opens the runtime, runs the handler, prints what it returns. */
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

/** The actor of everything that a command does. */
export const operator = { type: 'operator', id: null, name: 'gable' }
