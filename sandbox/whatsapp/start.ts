import type { Calls } from '../calls.ts'
import type { PhoneLines } from '../lines.ts'
import type { MessageLog } from '../message-log.ts'
import { type CarrierRequest, type Served, json } from '../served.ts'
import { type MessageRequest, createWhatsAppMessage } from './create-message.ts'
import type { BusinessNumber } from './number.ts'
import { createNumbers } from './numbers.ts'
import { metaFault } from './payloads.ts'
import { createWebhooks } from './webhooks.ts'

/**
 * Meta's Cloud API for WhatsApp. A number's ID is its digits. Any access token is an account, and signs its webhooks.
 */
export function whatsAppApi(options: {
  calls: Calls
  log: MessageLog
  origin: () => string
  lines: PhoneLines
  now: () => Date
  deliveryMs: number
}): (request: CarrierRequest) => Promise<Served> {
  const webhooks = createWebhooks(options.calls)
  const sending = { ...options, webhooks }
  const numberOf = createNumbers(sending)

  return async ({ method, path: [, id = '', resource], body, headers }) => {
    const [, token = ''] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
    // Reject browser requests: a page of another site must not act as a program on this machine.
    if (headers.origin !== undefined || token === '') return metaFault(401, 190)
    const isGet = method === 'GET'
    // Any template can be sent, but none is listed.
    if (isGet && resource === 'message_templates') return json(200, { data: [] })
    const media = isGet && resource === undefined ? options.log.findMedia(id) : undefined
    if (media !== undefined)
      return json(200, {
        messaging_product: 'whatsapp',
        id,
        mime_type: media.contentType,
        file_size: media.content.length,
        url: `${options.origin()}/stored-media/meta/${id}`,
      })
    const number = numberOf(id, token)
    if (number === undefined) return metaFault(401, 190)
    if (isGet && resource === undefined)
      return json(200, {
        id,
        status: 'CONNECTED',
        webhook_configuration: number.url === '' ? {} : { phone_number: number.url },
      })
    const draft = objectOf(body)
    if (method !== 'POST' || draft === undefined) return metaFault(400, 100)
    if (resource === 'messages') return createWhatsAppMessage(sending, number, draft)
    return resource === undefined ? configure(number, draft) : metaFault(400, 100)
  }

  /** Sets a number's webhook URL if that URL passes verification. */
  async function configure(number: BusinessNumber, { webhook_configuration }: Settings): Promise<Served> {
    const { override_callback_uri, verify_token } = { ...webhook_configuration }
    const url = String(override_callback_uri)
    if (!(await webhooks.verify(url, String(verify_token)))) return metaFault(400, 2200, url)
    number.url = url
    return json(200, { success: true })
  }
}

interface Settings {
  webhook_configuration?: { override_callback_uri?: unknown; verify_token?: unknown }
}

function objectOf(body: string): (MessageRequest & Settings) | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
