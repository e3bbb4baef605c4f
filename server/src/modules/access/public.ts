export { minuteCounts, networkOf } from './anonymous-rate.ts'
export {
  apiKeyOf,
  apiKeysOwner,
  createApiKey,
  defaultLifetimeDays,
  maxLifetimeDays,
  revokeApiKey,
} from './api-keys.ts'
export { type Asked, type CredentialKind, verdictColumns } from './credential.ts'
export { createDoor } from './door.ts'
export { type ApiKeyRow, countRequests, listApiKeys, windowSeconds } from './queries.ts'
export { allScopes, expanded, isScope, personalScopes, scopes } from './scopes.ts'
export { hashSecret, isWellFormed, newSecret, visiblePrefix } from './secret.ts'
