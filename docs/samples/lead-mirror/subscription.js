import { Webhook } from 'standardwebhooks'

/**
 * @typedef {import('./gable.js').Gable} Gable
 * @typedef {import('./store.js').Store} Store
 * @typedef {{ event: string, occurredAt: string, data: { event_id: string, id: string, lead?: Record<string, string | null> } }} Arrival
 */

/**
 * Creates a webhook for new leads at this URL, and deletes previous ones.
 *
 * @param {Gable} gable
 * @param {Store} store
 * @param {string} url
 */
export async function subscribe(gable, store, url) {
  await unsubscribe(gable, url)
  const draft = { url, event_types: ['lead.created'], description: 'Lead Mirror' }
  const { id, secret } = await gable.request('POST', '/webhooks', draft)
  const connection = store.read()
  if (connection !== undefined) store.write({ ...connection, webhook: { id, secret } })
}

/**
 * @param {Gable} gable
 * @param {string} url
 */
export async function unsubscribe(gable, url) {
  const { data } = await gable.request('GET', '/webhooks?limit=200')
  for (const webhook of data) {
    if (webhook.url === url) await gable.request('DELETE', `/webhooks/${webhook.id}`)
  }
}

/** Events since the start, newest first, and listeners for new ones. In production, use a table. */
export class Arrivals {
  /** @type {Arrival[]} */
  newest = []
  /** @type {Set<(arrival: Arrival) => void>} */
  listeners = new Set()

  /**
   * Takes a delivery, ignoring repeats of an event. Throws if the signature is wrong or old.
   *
   * @param {string} body  as received
   * @param {Record<string, string>} headers
   * @param {string} secret
   */
  take(body, headers, secret) {
    const arrival = /** @type {Arrival} */ (new Webhook(secret).verify(body, headers))
    if (this.newest.some(({ data }) => data.event_id === arrival.data.event_id)) return
    this.newest = [arrival, ...this.newest].slice(0, 100)
    for (const listener of this.listeners) listener(arrival)
  }
}
