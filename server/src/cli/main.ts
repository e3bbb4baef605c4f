import { enableCompileCache } from 'node:module'

// Before anything else is loaded: with the cache, commands start in half the time.
enableCompileCache()
const { runProgram } = await import('./run-program.ts')

// A reader that has seen enough, such as head, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

await runProgram(process.argv.slice(2))
