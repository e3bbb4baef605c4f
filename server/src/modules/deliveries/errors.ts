import { defineError } from '#kernel/errors.ts'

export const DeliveryPending = defineError('delivery_pending', 409, () => ({
  message: 'This delivery is still under way; it is sent again by itself.',
}))

export const WebhookNotActive = defineError('webhook_not_active', 409, (status: string) => ({
  message: `This webhook is ${status}. PATCH paused: false takes it into use.`,
}))
