export { SuppressionsUnreadable } from './errors.ts'
export { type Held, findSuppressions } from './find-suppressions.ts'
export { liftSuppression } from './lift-suppression.ts'
export { suppress } from './suppress.ts'
export { type SuppressionRow, listSuppressions } from './suppression-queries.ts'
export {
  type OptOutChannel,
  type Subject,
  type SuppressionDraft,
  type SuppressionKind,
  optOutChannels,
  requireSound,
  stopsPhone,
  subjectOf,
  suppressionKinds,
} from './suppression.ts'
