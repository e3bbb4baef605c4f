export { clearCookie, cookieName, readCookie, setCookie } from './cookies.ts'
export { enablePasswordSignIn } from './enable-sign-in.ts'
export { createPerson, joinWorkspace } from './join-workspace.ts'
export { deviceCookie, renewDeviceCookie } from './known-browser.ts'
export {
  type WorkspaceMembership,
  administers,
  contextOf,
  membershipOf,
  membershipsOf,
} from './memberships.ts'
export { addPasskey, challengeNewPasskey, removePasskey } from './passkeys/add-passkey.ts'
export { type Challenge, PasskeyRejected, passkeyRejections } from './passkeys/passkeys.ts'
export { type PasskeyRow, listPasskeys } from './passkeys/queries.ts'
export { localOrigin, relyingPartyOf } from './passkeys/relying-party.ts'
export { challengePasskey, offerPasskey, verifyPasskey } from './passkeys/use-passkey.ts'
export { hashPassword, passwordHint, requirePassword } from './password.ts'
export { type PersonRow, findMembershipOf, findPerson, findPersonByEmail, listWhoSignsIn } from './queries.ts'
export { writtenSecret } from './second-step/recovery-code.ts'
export { LinkIsSpent, personOfReset, requestReset, resetPassword, sendReset } from './reset-password.ts'
export { countRecoveryCodes } from './second-step/queries.ts'
export {
  beginSecondStep,
  confirmSecondStep,
  pendingKey,
  removeSecondStep,
  renewRecoveryCodes,
  verifySecondStep,
} from './second-step/second-step.ts'
export { type SessionRow, deleteSession, findMemberOfSession, listSessions } from './session-queries.ts'
export {
  type SessionUser,
  authenticatedPerson,
  endSessions,
  sessionUserOf,
  startSession,
} from './sessions.ts'
export { setPassword } from './set-password.ts'
export { checkPassword } from './sign-in.ts'
export { endStep, openStep, startSecondStep } from './sign-in-step.ts'
export { appAddress } from './second-step/totp.ts'
