import type { Reply } from '#kernel/egress/egress.ts'
import type { OutgoingMessage, SendOutcome } from '../../modules/messages/ports.ts'
import { objectOf, retryAfterMs, sendLater, unavailable, unknown } from '../replies.ts'
import { metaFailureOf, isMetaPace, meaningOf } from './failures.ts'

type SentFile = NonNullable<OutgoingMessage['media']>[number]

/** The request body for a message. Meta returns the attempt ID in every status. */
export const bodyOf = ({ attemptId, to, body, template, media: [file] = [] }: OutgoingMessage): object => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to,
  biz_opaque_callback_data: attemptId,
  ...contentOf({ body, template, file }),
})

function contentOf({
  body,
  template,
  file,
}: Pick<OutgoingMessage, 'body' | 'template'> & { file: SentFile | undefined }) {
  if (template !== null) return { type: 'template', template: templateOf(template) }
  return file === undefined ? { type: 'text', text: { body: body ?? '' } } : fileOf(file, body)
}

/** What Meta shows as a picture; any other file is a document. */
const pictures = new Set(['image/jpeg', 'image/png'])

const fileOf = ({ url: link, contentType, name }: SentFile, body: string | null) => {
  const caption = body === null ? {} : { caption: body }
  return pictures.has(contentType)
    ? { type: 'image', image: { link, ...caption } }
    : { type: 'document', document: { link, filename: name, ...caption } }
}

const templateOf = ({ name, language, variables }: NonNullable<OutgoingMessage['template']>) => ({
  name,
  language: { code: language },
  ...(variables.length > 0 && {
    components: [{ type: 'body', parameters: variables.map((text) => ({ type: 'text', text })) }],
  }),
})

/**
 * Interprets the response. Meta has neither idempotency keys nor a list of messages: once any byte may have been sent,
 * anything but a clear response leaves it unknown whether Meta took the message. Error codes outrank the HTTP status,
 * as Meta advises.
 */
export function metaOutcomeOf(reply: Reply): SendOutcome {
  const { status, sent, failure } = reply
  if (!sent) return sendLater(unavailable(failure ?? 'no connection'))
  if (status === null) return unknown(failure ?? 'no response')
  const { messages, error } = objectOf(reply)
  if (status === 200) {
    const id: unknown = Array.isArray(messages) ? messages[0]?.id : undefined
    return typeof id === 'string' && /^wamid\.[\x21-\x7e]{1,250}$/.test(id)
      ? { kind: 'taken', providerMessageId: id }
      : unknown('a response without the id of a message')
  }
  const { code, message } = { ...(error as Record<string, unknown> | undefined) }
  const text = Number.isInteger(code) ? String(code) : ''
  if (isMetaPace(status, text))
    return sendLater(unavailable('Meta asks for a slower pace', text), retryAfterMs(reply))
  const meaning = meaningOf(text)
  const isClear = meaning === undefined ? status >= 400 && status < 500 : meaning !== 'provider_unavailable'
  if (meaning === 'credentials_rejected') return sendLater(metaFailureOf(text, message))
  if (isClear && text !== '') return { kind: 'rejected', failure: metaFailureOf(text, message) }
  return unknown(text === '' ? `status ${status}` : `status ${status}, Meta error ${text}`)
}
