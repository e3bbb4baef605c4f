import { defineError } from '#kernel/errors.ts'

/** Until the secret is back nobody can say who opted out, so whoever asks must not contact anybody. */
export const SuppressionsUnreadable = defineError('suppressions_unreadable', 503, () => ({
  message:
    'Nobody can say who has opted out: no application secret opens the key of this workspace’s suppressions. The secret that sealed it must be among APP_SECRETS.',
}))
