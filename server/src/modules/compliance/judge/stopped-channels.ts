/**
 * What each suppression stops: every channel that reaches a phone, email, or both. An opt-out names its channels itself. The
 * judge applies this, and a suppression records it.
 */
export const stoppedBy = {
  internal_dnc: 'phone',
  litigator: 'phone',
  reassigned_number: 'phone',
  hard_bounce: 'email',
  complaint: 'email',
  manual: 'all',
} as const
