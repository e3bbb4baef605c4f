export {
  ApiKeyNotFound,
  createApiKey,
  defaultLifetimeDays,
  maxLifetimeDays,
  revokeApiKey,
} from './api-keys.ts'
export { createDoor } from './door.ts'
export { listApiKeys } from './queries.ts'
export { allScopes, scopes } from './scopes.ts'
