export type { AppRow } from './apps/app.ts'
export { findAppOf, listApps } from './apps/queries.ts'
export { appOfEntry, listAppAudit } from './audit.ts'
export { approve } from './authorize/approve.ts'
export { deny } from './authorize/authorize-request.ts'
export { deleteApp, rotateAppSecret, setAppEnabled, updateApp } from './manage-app.ts'
export { createApp } from './apps/create-app.ts'
export { GrantNarrowed, GrantResumed, GrantRevoked, GrantSuspended } from './events.ts'
export { type NamedGrantRow, scopesInForce } from './grants/grant.ts'
export {
  findGrant,
  findWorkingGrant,
  listGrants,
  listLiveGrants,
  listConnectedWorkspaceIds,
} from './grants/queries.ts'
export { requireGrant } from './grants/require-grant.ts'
export { revokeGrant } from './grants/revoke-grant.ts'
