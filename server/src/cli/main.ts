import { enableCompileCache } from 'node:module'

// Must run before anything else is loaded. With the cache, commands start in half the time.
enableCompileCache()
const { runCommand } = await import('./run-command.ts')

// A reader that closes the pipe early, such as head, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

await runCommand(process.argv.slice(2))
