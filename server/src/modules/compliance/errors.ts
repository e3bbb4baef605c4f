import { defineError } from '#kernel/errors.ts'

export const SuppressionLifted = defineError('suppression_lifted', 409, () => ({
  message: 'This suppression has already been lifted.',
}))

/** Opt-outs cannot be read until the application secret is restored, so callers must not contact anyone. */
export const SuppressionsUnreadable = defineError('suppressions_unreadable', 503, () => ({
  message:
    'Opt-outs cannot be read: no application secret opens the key of this workspace’s suppressions. The secret that sealed it must be among APP_SECRETS.',
}))
