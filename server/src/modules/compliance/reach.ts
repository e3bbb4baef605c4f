import type { ContactPoint } from '../contacts/public.ts'
import type { SuppressionRow } from './suppression-queries.ts'
import { isAboutPoint } from './suppression.ts'

/** Whether the contact has this point now, and it is not another contact's own. If so, the contact's suppressions apply to the point. */
export const isHeldBy = ({ former_since, elsewhere }: ContactPoint): boolean =>
  former_since === null && !elsewhere

/**
 * Whether a point's suppression also applies to the contact that has or had the point. It does if it is about the person and no other
 * contact has the point. If another contact has the point now, only suppressions from before this contact gave it up still apply.
 */
export const suppressionReaches = (
  { kind, created_at }: Pick<SuppressionRow, 'kind' | 'created_at'>,
  { former_since, elsewhere }: Pick<ContactPoint, 'former_since' | 'elsewhere'>,
): boolean => !isAboutPoint(kind) && (!elsewhere || (former_since !== null && created_at <= former_since))
