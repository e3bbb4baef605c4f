export { minuteCounts, networkOf } from './anonymous-rate.ts'
export {
  apiKeyOf,
  ownerOfApiKey,
  createApiKey,
  defaultLifetimeDays,
  maxLifetimeDays,
  revokeApiKey,
} from './api-keys.ts'
export { type CredentialLookup, type CredentialKind, type SessionKind, lookupColumns } from './credential.ts'
export { createAuthenticator } from './authenticator.ts'
export { type ApiKeyRow, countRequests, listApiKeys, windowSeconds } from './queries.ts'
export { scopesOf } from './role-scopes.ts'
export { scopesHelp, scopesIn } from './scope-option.ts'
export { type Scope, allScopes, expanded, isScope, personalScopes, scopes } from './scopes.ts'
export { hashSecret, isWellFormed, newSecret, visiblePrefix } from './secret.ts'
