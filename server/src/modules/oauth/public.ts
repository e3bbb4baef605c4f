export { accessTokens } from './access-tokens.ts'
export { type AppRow, findAppOf, listAppSecrets, listApps } from './app-queries.ts'
export { type AuditEntry, listAudit } from './audit.ts'
export { approve } from './approve.ts'
export { deny } from './authorize-request.ts'
export {
  type AppPatch,
  appsOwner,
  deleteApp,
  rotateAppSecret,
  setAppEnabled,
  updateApp,
} from './change-app.ts'
export { createApp } from './create-app.ts'
export { GrantWasNarrowed, GrantWasResumed, GrantWasRevoked, GrantWasSuspended } from './events.ts'
export { type NamedGrantRow, listGrants, listWorkspacesOf } from './grant-queries.ts'
export { requireGrant } from './require-grant.ts'
export { revokeGrant } from './revoke-grant.ts'
export { oauthRoutes } from './routes.ts'
export { stillAllowed } from './scope-list.ts'
