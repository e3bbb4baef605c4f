/**
 * Webhooks in the shapes and with the values of Meta's documented examples.
 * https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/reference/messages
 */

export const webhook = (...values: unknown[]) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '102290129340398', changes: values.map((value) => ({ value, field: 'messages' })) }],
})

export const metadata = { display_phone_number: '15550783881', phone_number_id: '106540352242922' }

export const contact = { profile: { name: 'Sheena Nelson' }, wa_id: '16505551234' }

export const received = (message: object, contacts: object[] = [contact]) => ({
  messaging_product: 'whatsapp',
  metadata,
  contacts,
  messages: [
    {
      from: '16505551234',
      id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQQ==',
      timestamp: '1739321024',
      ...message,
    },
  ],
})

export const reported = (...statuses: object[]) => ({
  messaging_product: 'whatsapp',
  metadata,
  contacts: [{ ...contact, user_id: 'US.13491208655302741918' }],
  statuses: statuses.map((status) => ({
    id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBI4Mg==',
    timestamp: '1750030073',
    recipient_id: '16505551234',
    ...status,
  })),
})

export const failed = (code: number, title: string) => ({
  status: 'failed',
  errors: [
    {
      code,
      title,
      message: title,
      error_data: { details: `${title} (16505551234)` },
      href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
    },
  ],
})

/** Messages that a person sent, and the text that Gable keeps of each. */
export const messages: [what: string, message: object, words: string | undefined][] = [
  [
    'a text',
    { type: 'text', text: { body: 'Does it come in another color?' } },
    'Does it come in another color?',
  ],
  [
    'a button of a template',
    {
      type: 'button',
      context: { from: '15550783881', id: 'wamid.HBgL' },
      button: { payload: 'Unsubscribe', text: 'Stop promotions' },
    },
    'Stop promotions',
  ],
  [
    'a reply button',
    {
      type: 'interactive',
      context: { from: '15550783881', id: 'wamid.HBgL' },
      interactive: { type: 'button_reply', button_reply: { id: 'cancel-button', title: 'Cancel' } },
    },
    'Cancel',
  ],
  [
    'an entry of a list',
    {
      type: 'interactive',
      interactive: {
        type: 'list_reply',
        list_reply: {
          id: 'priority_express',
          title: 'Priority Mail Express',
          description: 'Next Day to 2 Days',
        },
      },
    },
    'Priority Mail Express',
  ],
  [
    'a completed flow',
    {
      type: 'interactive',
      interactive: { type: 'nfm_reply', nfm_reply: { response_json: '{}', body: 'Sent', name: 'flow' } },
    },
    'Sent',
  ],
  [
    'an image with a caption',
    {
      type: 'image',
      image: {
        caption: 'Taj Mahal',
        mime_type: 'image/jpeg',
        sha256: 'SfInY0gGKTsJlUWbwxC1k+FAD0FZHvzwfpvO0zX0GUI=',
        id: '1003383421387256',
      },
    },
    'Taj Mahal 📎',
  ],
  [
    'an image',
    { type: 'image', image: { mime_type: 'image/jpeg', sha256: 'SfIn=', id: '1003383421387256' } },
    '[image]',
  ],
  [
    'a voice message',
    { type: 'audio', audio: { mime_type: 'audio/ogg', id: '1908647269898587', voice: true } },
    '[audio]',
  ],
  [
    'a document',
    {
      type: 'document',
      document: { filename: 'offer.pdf', mime_type: 'application/pdf', sha256: 'Sf=', id: '1' },
    },
    '[document]',
  ],
  [
    'a sticker',
    { type: 'sticker', sticker: { mime_type: 'image/webp', id: '1', animated: false } },
    '[sticker]',
  ],
  [
    'a place',
    {
      type: 'location',
      location: { address: '1071 5th Ave', latitude: 40.78, longitude: -73.95, name: 'Guggenheim' },
    },
    '[location]',
  ],
  ['a card', { type: 'contacts', contacts: [{ name: { formatted_name: 'Barbara Johnson' } }] }, '[contacts]'],
  [
    'what Meta cannot pass on',
    {
      type: 'unsupported',
      errors: [
        {
          code: 131051,
          title: 'Message type unknown',
          error_data: { details: 'Message type is currently not supported.' },
        },
      ],
    },
    '[message]',
  ],
  ['a reaction', { type: 'reaction', reaction: { message_id: 'wamid.HBgL', emoji: '👍' } }, undefined],
  [
    'a changed number',
    {
      type: 'system',
      system: {
        body: 'User Sheena Nelson changed from 16505551234 to 12195555358',
        wa_id: '12195555358',
        type: 'user_changed_number',
      },
    },
    undefined,
  ],
]
