import { randomBytes, randomInt } from 'node:crypto'

export interface SimulatedRecipient {
  id: number
  name: string
  email: string
  role: 'SIGNER'
  token: string
  signingOrder: number
  readStatus: 'NOT_OPENED' | 'OPENED'
  signingStatus: 'NOT_SIGNED' | 'SIGNED' | 'REJECTED'
  sendStatus: 'NOT_SENT' | 'SENT'
  signedAt: string | null
  rejectionReason: string | null
}

export interface SimulatedEnvelope {
  id: string
  /** The API token of the account that owns the envelope. */
  account: string
  type: 'DOCUMENT' | 'TEMPLATE'
  status: 'DRAFT' | 'PENDING' | 'COMPLETED' | 'REJECTED' | 'CANCELLED'
  title: string
  externalId: string | null
  createdAt: string
  completedAt: string | null
  recipients: SimulatedRecipient[]
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
export const newEnvelopeId = () =>
  `envelope_${Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')}`

export const newRecipient = (
  recipient: Pick<SimulatedRecipient, 'id' | 'name' | 'email' | 'signingOrder'>,
): SimulatedRecipient => ({
  ...recipient,
  role: 'SIGNER',
  token: randomBytes(16).toString('base64url'),
  readStatus: 'NOT_OPENED',
  signingStatus: 'NOT_SIGNED',
  sendStatus: 'NOT_SENT',
  signedAt: null,
  rejectionReason: null,
})

/** The templates in every account. */
const templates: readonly (readonly [id: string, title: string, recipients: readonly string[]])[] = [
  ['envelope_buyerrepresenta', 'Buyer representation agreement', ['Buyer']],
  ['envelope_listingagreemen', 'Listing agreement', ['Seller']],
  ['envelope_offertopurchase', 'Offer to purchase', ['Buyer', 'Seller']],
]

export const templatesOf = (account: string, createdAt: string): SimulatedEnvelope[] =>
  templates.map(([id, title, names]) => ({
    id,
    account,
    type: 'TEMPLATE',
    status: 'DRAFT',
    title,
    externalId: null,
    createdAt,
    completedAt: null,
    recipients: names.map((name, i) => ({
      ...newRecipient({ id: i + 1, name, email: '', signingOrder: i + 1 }),
      token: '',
    })),
  }))

/** The API representation of an envelope. */
export const envelopeOf = ({ account: _, recipients, ...envelope }: SimulatedEnvelope) => ({
  ...envelope,
  source: envelope.type === 'DOCUMENT' ? 'TEMPLATE' : 'DOCUMENT',
  deletedAt: null,
  updatedAt: envelope.completedAt ?? envelope.createdAt,
  recipients: recipients.map(({ token: __, ...recipient }) => ({ ...recipient, expiresAt: null })),
  fields: [],
  envelopeItems: [{ id: itemOf(envelope.id), title: `${envelope.title}.pdf`, order: 1 }],
})

/** The ID of an envelope's only PDF. */
const itemOf = (envelopeId: string) => envelopeId.replace('envelope_', 'envelope_item_')
export const envelopeOfItem = (itemId: string) => itemId.replace('envelope_item_', 'envelope_')
