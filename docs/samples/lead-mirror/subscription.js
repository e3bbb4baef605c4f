import { verifyWebhook } from 'gable'

/** @typedef {import('gable').WebhookEvent & { event: 'lead.created' }} Arrival */

/**
 * Creates a webhook for new leads at this URL, and deletes previous ones.
 *
 * @param {import('gable').Gable} gable
 * @param {import('./store.js').Store} store
 * @param {string} url
 */
export async function subscribe(gable, store, url) {
  await unsubscribe(gable, url)
  const { id, secret } = await gable.webhooks.create({
    url,
    event_types: ['lead.created'],
    description: 'Lead Mirror',
  })
  const connection = store.read()
  if (connection !== undefined) store.write({ ...connection, webhook: { id, secret } })
}

/**
 * @param {import('gable').Gable} gable
 * @param {string} url
 */
export async function unsubscribe(gable, url) {
  for await (const webhook of gable.webhooks.list()) {
    if (webhook.url === url) await gable.webhooks.delete(webhook.id)
  }
}

/** Leads since the start, newest first, and listeners for new ones. In production, use a table. */
export class Arrivals {
  /** @type {Arrival[]} */
  newest = []
  /** @type {Set<(arrival: Arrival) => void>} */
  listeners = new Set()

  /**
   * Takes a delivery, ignoring repeats of an event. Throws if the signature is wrong or old.
   *
   * @param {Uint8Array} body  as received
   * @param {import('node:http').IncomingHttpHeaders} headers
   * @param {string} secret
   */
  async take(body, headers, secret) {
    const arrival = await verifyWebhook(body, headers, secret)
    if (arrival.event !== 'lead.created') return
    if (this.newest.some(({ data }) => data.event_id === arrival.data.event_id)) return
    this.newest = [arrival, ...this.newest].slice(0, 100)
    for (const listener of this.listeners) listener(arrival)
  }
}
