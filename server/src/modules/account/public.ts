export { accountHeader, notFoundUnder, requireRecentAuth, requireSession, withReturnTo } from './guards.ts'
export { type MemberRequest, memberRoute } from './member-page.ts'
export { openedByLink } from './link-cookie.ts'
export { workspaceName } from './test-mode.ts'
