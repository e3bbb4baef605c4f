import { type Issue, ValidationFailed } from '#kernel/errors.ts'
import { isMasked } from './masking.ts'

/**
 * Throws `ValidationFailed` for texts with a mask in them from a credential that sees only masks: written back, they would
 * replace what they hide.
 */
export function rejectMasks({ scopes }: { scopes: ReadonlySet<string> }, body: object): void {
  if (scopes.has('contacts:read:pii')) return
  const issues = Object.entries(body).flatMap(([path, value]): Issue[] =>
    [value].flat().some((one) => typeof one === 'string' && isMasked(one))
      ? [{ path, message: 'is masked; leave it out to keep the current value' }]
      : [],
  )
  if (issues.length > 0) throw ValidationFailed(issues)
}
