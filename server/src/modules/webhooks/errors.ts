import { defineError } from '#kernel/errors.ts'
import { maxWebhooks } from './webhook.ts'

export const TooManyWebhooks = defineError('webhook_limit', 409, () => ({
  message: `A workspace has at most ${maxWebhooks} webhooks. Delete one first.`,
}))
