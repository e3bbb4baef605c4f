import { report } from './failure.ts'
import { createProgram } from './program.ts'

// A reader that has seen enough, such as head, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

try {
  await createProgram().parseAsync()
} catch (error) {
  process.exitCode = report(error, process.argv.includes('--json'))
}
