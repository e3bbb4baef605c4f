import { report } from './failure.ts'
import { createProgram } from './program.ts'

/** Runs one command. Prints errors to standard error and sets the exit code of the process. */
export async function runCommand(args: readonly string[], program = createProgram()): Promise<void> {
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = report(error, args.includes('--json'))
  }
}
