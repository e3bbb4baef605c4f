export { createApiKey, defaultLifetimeDays, maxLifetimeDays, revokeApiKey } from './api-keys.ts'
export { createDoor } from './door.ts'
export { listApiKeys } from './queries.ts'
export { allScopes } from './scopes.ts'
