export { SuppressionsUnreadable } from './errors.ts'
export { type Recipient, findAgainst, findPersons } from './find-suppressions.ts'
export { applyStopJournal } from './journal/apply-journal.ts'
export { canonicalEntry } from './ledger/ledger-entry.ts'
export { findLedgerEvidence } from './ledger/find-evidence.ts'
export { recordConfirmation, recordConsent } from './ledger/record-entries.ts'
export { heldOn } from './held-on.ts'
export { liftOptOut, liftSuppression } from './lift-suppression.ts'
export { recordRevocation, suppress, suppressIn } from './suppress.ts'
export { type SuppressionRow } from './suppression-queries.ts'
export { Suppression, presentSuppression } from './suppression-schemas.ts'
export {
  type OptOutChannel,
  type Subject,
  type SuppressionKind,
  subjectOf,
  suppressionKinds,
} from './suppression.ts'
export { changeComplianceSettings } from './settings/change-settings.ts'
export { type ComplianceSettings, coldSources, validateSettings } from './settings/compliance-settings.ts'
export { findComplianceSettings } from './settings/settings-queries.ts'
export { type Classified, classifyInbound, mayAsk } from './words/classify-inbound.ts'
export { ownWords } from './words/own-words.ts'
export { reactionIn } from './words/reaction.ts'
export { recipientOf } from './judge/recipient.ts'
export { gateNames } from './judge/gates.ts'
export { federal } from './judge/hours-rules.ts'
export { type Allowed, type Blocked, type Cleared, judge, judgePerson, open } from './judge/judge.ts'
export type { PlacedFinding, Send, SendFacts, SenderState } from './judge/send.ts'
export { type SenderCode, isSenderCode, missingStates } from './judge/sender-gate.ts'
export { localText } from './judge/local-time.ts'
export { zonesOf } from './judge/zones.ts'
export { reasonText } from './judge/reasons.ts'
