export { SuppressionsUnreadable } from './errors.ts'
export { type Recipient, findAgainst, findSuppressions } from './find-suppressions.ts'
export { liftSuppression } from './lift-suppression.ts'
export { recordRevocation, suppress } from './suppress.ts'
export { type SuppressionRow } from './suppression-queries.ts'
export {
  type OptOutChannel,
  type Subject,
  type SuppressionKind,
  stopsPhone,
  subjectOf,
  suppressionKinds,
} from './suppression.ts'
