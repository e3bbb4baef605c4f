export { WebhookNotActive } from './errors.ts'
export { sendTest, triggerExample } from './examples.ts'
export {
  type DeliveryFilters,
  type DeliveryRow,
  deliveryStatuses,
  findDelivery,
  listDeliveries,
} from './queries.ts'
export { recover, redeliver } from './redeliver.ts'
export { presentDelivery, presentWithAttempts } from './schemas.ts'
export { deliveryHeaders } from './signature.ts'
