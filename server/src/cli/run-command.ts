import { report } from './failure.ts'
import { createProgram } from './program.ts'

/** Runs one command. Prints errors to standard error and sets the exit code of the process. */
export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = report(error, args.includes('--json'))
  }
}
