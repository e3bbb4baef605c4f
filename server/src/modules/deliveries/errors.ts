import { defineError } from '#kernel/errors.ts'

export const DeliveryPending = defineError('delivery_pending', 409, () => ({
  message: 'An attempt of this delivery is in progress. Try again once it has ended.',
}))

export const WebhookNotActive = defineError('webhook_not_active', 409, (status: string) => ({
  message: `This webhook is ${status}. Update it with paused: false to enable it.`,
}))
