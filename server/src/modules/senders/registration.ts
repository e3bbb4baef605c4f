import { type Static, Type } from 'typebox'
import type { SenderState } from '../compliance/public.ts'
import type { Provider } from './ports.ts'

export const senderKinds = ['10dlc', 'tollfree', 'shortcode', 'whatsapp', 'email'] as const
export type SenderKind = (typeof senderKinds)[number]

export const channels = ['SMS', 'WHATSAPP', 'EMAIL'] as const
export type Channel = (typeof channels)[number]

/** The channel names of records and filters, mapped to those of request bodies and the compliance judge; and the reverse. */
export const sendChannels = { SMS: 'sms', WHATSAPP: 'whatsapp', EMAIL: 'email' } as const
export const recordChannels = { sms: 'SMS', whatsapp: 'WHATSAPP', email: 'EMAIL' } as const

const State = (description: string) =>
  Type.Optional(
    Type.String({
      maxLength: 40,
      pattern: '^[A-Z][A-Z_]*$',
      description: `${description} UNKNOWN at first.`,
    }),
  )

/** The registration states of a sender. Its kind determines which of them it has. */
export const Registration = Type.Object(
  {
    brand: State('10DLC: the brand. `APPROVED` may send.'),
    campaign: State('10DLC: the campaign. `VERIFIED` may send.'),
    number: State('10DLC: the number in the campaign. `REGISTERED` may send.'),
    verification: State('Toll-free: the verification. `TWILIO_APPROVED` and `APPROVED` may send.'),
    status: State('Short code: `ACTIVE` may send. WhatsApp: `APPROVED` may send.'),
    domain_authenticated: Type.Optional(
      Type.Boolean({
        description: 'Email: whether SPF, DKIM and DMARC let the domain send. False at first.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type Registration = Static<typeof Registration>

interface KindOfSender {
  channel: Channel
  provider: Provider
  /** Segments per second, or messages per second for channels without segments. */
  pace: number
  /** Its states before its provider has reported any. */
  unregistered: Registration
}

export const kindsOfSender: Readonly<Record<SenderKind, KindOfSender>> = {
  '10dlc': {
    channel: 'SMS',
    provider: 'twilio',
    pace: 1,
    unregistered: { brand: 'UNKNOWN', campaign: 'UNKNOWN', number: 'UNKNOWN' },
  },
  tollfree: { channel: 'SMS', provider: 'twilio', pace: 3, unregistered: { verification: 'UNKNOWN' } },
  shortcode: { channel: 'SMS', provider: 'twilio', pace: 100, unregistered: { status: 'UNKNOWN' } },
  whatsapp: { channel: 'WHATSAPP', provider: 'whatsapp', pace: 80, unregistered: { status: 'UNKNOWN' } },
  email: { channel: 'EMAIL', provider: 'email', pace: 10, unregistered: { domain_authenticated: false } },
}

/** The sender as the compliance judge takes it. A missing state counts as not approved. */
export function senderState({
  kind,
  registration: { brand = '', campaign = '', number = '', verification = '', status = '', ...rest },
}: {
  kind: SenderKind
  registration: Registration
}): SenderState {
  switch (kind) {
    case '10dlc':
      return { type: kind, brand, campaign, number }
    case 'tollfree':
      return { type: kind, verification }
    case 'shortcode':
    case 'whatsapp':
      return { type: kind, status }
    case 'email':
      return { type: kind, domainAuthenticated: rest.domain_authenticated ?? false }
  }
}

/** The states of a sender as text: `brand=APPROVED campaign=VERIFIED …`, in the order in which a sender gets them. */
export const statesInWords = ({ kind, registration }: { kind: SenderKind; registration: Registration }) =>
  (Object.keys(kindsOfSender[kind].unregistered) as (keyof Registration)[])
    .map((name) => `${name}=${registration[name]}`)
    .join(' ')
