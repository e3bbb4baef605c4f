import { Type } from 'typebox'
import { defineError } from '#kernel/errors.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { type Blocked, reasonText } from '../compliance/public.ts'
import { ContentFindings } from './content-of.ts'

/** A message or call that the gates do not allow. Gable keeps the attempt with its reasons. */
export const ComplianceBlocked = defineError(
  'compliance_blocked',
  422,
  (
    attempt: { message_id: string; content: Blocked['evidence']['content'] } | { call_id: string },
    { reason, reasons, retryAt }: Pick<Blocked, 'reason' | 'reasons' | 'retryAt'>,
  ) => ({
    message: `${'call_id' in attempt ? 'The call was not placed' : 'The message was not sent'}. ${reasonText(reason)}`,
    reason,
    more: {
      reasons,
      retry_at: retryAt === null ? null : new Date(retryAt).toISOString(),
      ...attempt,
    },
  }),
)

/** The description and the members of this error, for endpoints that send. */
export const blockedError =
  '`compliance_blocked`: a gate forbids the message. `reason` is the first of `reasons`; `retry_at` says when the same message may be sent, if only the hours forbid it; `message_id` is the attempt.'
export const blockedMembers = {
  reasons: Type.Array(Type.String()),
  retry_at: nullable(Timestamp),
  message_id: Type.String({ description: 'The attempt that the inbox keeps.' }),
  content: ContentFindings,
}

/** The provider cannot be reached, or rejects the request. `why` is what it said. */
export const ProviderUnavailable = defineError('provider_unavailable', 503, (why: string) => ({
  message: `The provider does not report the sender: ${why}`,
  headers: { 'retry-after': '60' },
}))

export const MessageNotResendable = defineError('message_not_resendable', 409, (why: string) => ({
  message: `The message ${why}. It cannot be sent again.`,
}))

export const MessageErased = defineError('message_erased', 409, () => ({
  message: 'The content of the message has been erased.',
}))

export const MessageNotPending = defineError('message_not_pending', 409, (status: string) => ({
  message: `The message is ${status} and is not waiting for approval.`,
}))

export const MessageNotCancellable = defineError('message_not_cancellable', 409, (status: string) => ({
  message: `The message is ${status}, so it cannot be cancelled.`,
}))
