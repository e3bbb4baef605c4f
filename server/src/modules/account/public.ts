export { accountHeader, notFoundUnder, requireRecentAuth, requireSession, withReturnTo } from './guards.ts'
export { openedByLink } from './link-cookie.ts'
