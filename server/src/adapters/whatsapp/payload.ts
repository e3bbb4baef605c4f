import type {
  CallbackReport,
  InboundMedia,
  InboundMessage,
  Preference,
  StatusReport,
} from '../../modules/messages/ports.ts'
import { objectOf } from '../replies.ts'
import { metaFailureOf } from './failures.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Reads a webhook: any number of statuses and messages, for any of the account's numbers. Skips everything else, and
 * anything that doesn't match Meta's documentation.
 */
export function readPayload(body: Uint8Array): Pick<CallbackReport, 'statuses' | 'messages' | 'preferences'> {
  const changes = listIn(objectOf({ body })['entry']).flatMap((entry) => listIn(entry['changes']))
  const valuesOf = (name: string) =>
    changes.filter(({ field }) => field === name).map(({ value }) => objectIn(value))
  const values = valuesOf('messages')
  const preferences = valuesOf('user_preferences').flatMap(preferencesOf)
  return {
    ...(preferences.length > 0 && { preferences }),
    statuses: values.flatMap(({ statuses }) => listIn(statuses).flatMap(statusOf)),
    messages: values.flatMap((value) => {
      const to = numberIn(objectIn(value['metadata'])['display_phone_number'])
      const contacts = listIn(value['contacts'])
      return to === null ? [] : listIn(value['messages']).flatMap((one) => inboundOf(one, contacts, to))
    }),
  }
}

const statuses = new Set(['sent', 'delivered', 'read', 'failed'])

function statusOf({ id, status, timestamp, biz_opaque_callback_data, errors }: Json): StatusReport[] {
  const providerMessageId = textIn(id)
  if (providerMessageId === '' || typeof status !== 'string' || !statuses.has(status)) return []
  const [{ code, title } = {}] = listIn(errors)
  return [
    {
      attemptId: textIn(biz_opaque_callback_data) || null,
      providerMessageId,
      status: status as StatusReport['status'],
      failure: status === 'failed' ? metaFailureOf(Number.isInteger(code) ? String(code) : '', title) : null,
      at: timeIn(timestamp),
    },
  ]
}

/** A person’s choice in WhatsApp whether to get marketing. */
function preferencesOf(value: Json): Preference[] {
  const to = numberIn(objectIn(value['metadata'])['display_phone_number'])
  return listIn(value['user_preferences']).flatMap((one) => {
    const from = numberIn(one['wa_id'])
    const choice = textIn(one['value']).toLowerCase()
    const isKnown = one['category'] === 'marketing_messages' && (choice === 'stop' || choice === 'resume')
    if (to === null || from === null || !isKnown) return []
    return [{ channel: 'whatsapp', from, to, wanted: choice === 'resume', at: timeIn(one['timestamp']) }]
  })
}

/** Message types that need no reply. */
const ignored = new Set(['reaction', 'system', 'request_welcome'])

function inboundOf(message: Json, contacts: readonly Json[], to: string): InboundMessage[] {
  const providerMessageId = textIn(message['id'])
  if (providerMessageId === '' || ignored.has(textIn(message['type']))) return []
  return [
    {
      providerMessageId,
      channel: 'whatsapp',
      from: numberIn(message['from']),
      to,
      subject: null,
      body: wordsOf(message),
      bodyHtml: null,
      name: nameOf(message, contacts),
      receivedAt: timeIn(message['timestamp']),
      providerResponds: false,
      ...(buttons.has(textIn(message['type'])) && { tapped: true }),
      ...mediaIn(message),
    },
  ]
}

const buttons = new Set(['button', 'interactive'])
/** Types of messages whose content is a file. */
const fileTypes = new Set(['image', 'video', 'audio', 'voice', 'document', 'sticker'])

/** The file of a message, by its ID at Meta. */
function mediaIn(message: Json): { media?: InboundMedia[] } {
  const type = textIn(message['type'])
  if (!fileTypes.has(type)) return {}
  const { id, mime_type, filename } = objectIn(message[type])
  const source = /^[\w-]{1,128}$/.test(textIn(id)) ? textIn(id) : null
  return { media: [{ source, contentType: textIn(mime_type), name: textIn(filename) || null }] }
}

const attachments = new Set([
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'order',
])

/**
 * What a person wrote or tapped. Other content becomes a placeholder such as `[image]`, or its caption with a paper
 * clip.
 */
function wordsOf(message: Json): string {
  const type = textIn(message['type'])
  const content = objectIn(message[type])
  const reply = objectIn(content[textIn(content['type'])])
  const words = [content['body'], content['text'], reply['title'], reply['body']].map(textIn).find(Boolean)
  // The paper clip keeps a caption that says STOP from counting as an opt-out.
  const caption = textIn(content['caption'])
  return words ?? (caption === '' ? `[${attachments.has(type) ? type : 'message'}]` : `${caption} 📎`)
}

/** The sender's chosen name. Senders who hide their number are matched by ID. */
function nameOf({ from, from_user_id }: Json, contacts: readonly Json[]): string | null {
  const isTheirs = ({ wa_id, user_id }: Json) =>
    (from !== undefined && wa_id === from) || (from_user_id !== undefined && user_id === from_user_id)
  const contact = contacts.find(isTheirs) ?? (contacts.length === 1 ? contacts[0] : undefined)
  return textIn(objectIn(contact?.['profile'])['name']) || null
}

const objectIn = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {})

const listIn = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectIn) : [])

const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Meta writes numbers without the plus. */
function numberIn(value: unknown): string | null {
  const digits = textIn(value).replaceAll(/[\s()+.-]/g, '')
  return /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : null
}

const timeIn = (value: unknown): Date | null =>
  /^\d{1,10}$/.test(String(value)) ? new Date(Number(value) * 1000) : null
