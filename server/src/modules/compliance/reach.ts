import type { ContactPoint } from '../contacts/public.ts'
import type { SuppressionRow } from './suppression-queries.ts'
import { isAboutPoint } from './suppression.ts'

/** Whether what holds against the contact also holds for those who come with this point. */
export const isHeldBy = ({ former_since, elsewhere }: ContactPoint): boolean =>
  former_since === null && !elsewhere

/**
 * Whether what holds against a point also holds against the contact that has or had it: if it is about the person, and the
 * point is not another contact's. What was recorded before the point went to another contact keeps holding.
 */
export const suppressionReaches = (
  { kind, created_at }: Pick<SuppressionRow, 'kind' | 'created_at'>,
  { former_since, elsewhere }: Pick<ContactPoint, 'former_since' | 'elsewhere'>,
): boolean => !isAboutPoint(kind) && (!elsewhere || (former_since !== null && created_at <= former_since))
