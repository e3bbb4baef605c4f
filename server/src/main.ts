import { enableCompileCache } from 'node:module'

// Must run before anything else is loaded. With the cache, a server starts in half the time.
enableCompileCache()
await import('./run-server.ts')
