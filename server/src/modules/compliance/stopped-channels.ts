/**
 * What each kind of suppression stops: every channel that reaches a phone, email, or both. An opt-out names its own channels instead.
 * The judge enforces this table, and each suppression stores the resulting channels.
 */
export const stoppedBy = {
  internal_dnc: 'phone',
  litigator: 'phone',
  reassigned_number: 'phone',
  hard_bounce: 'email',
  complaint: 'email',
  manual: 'all',
} as const
