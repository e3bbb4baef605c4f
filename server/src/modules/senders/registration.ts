import { type TSchema, Type } from 'typebox'
import { ValidationFailed } from '#kernel/errors.ts'
import { notOneOf } from '#kernel/http/validation.ts'
import type { SenderState } from '../compliance/public.ts'
import type { Provider } from './ports.ts'

export const senderKinds = ['10dlc', 'tollfree', 'shortcode', 'whatsapp', 'email'] as const
export type SenderKind = (typeof senderKinds)[number]

export const channels = ['SMS', 'WHATSAPP', 'EMAIL'] as const
export type Channel = (typeof channels)[number]

/** The channel names of records and filters, mapped to those of request bodies and the compliance judge; and the reverse. */
export const sendChannels = { SMS: 'sms', WHATSAPP: 'whatsapp', EMAIL: 'email' } as const
export const recordChannels = { sms: 'SMS', whatsapp: 'WHATSAPP', email: 'EMAIL' } as const

const descriptions = {
  brand: '10DLC: the brand. `APPROVED` may send.',
  campaign: '10DLC: the campaign. `VERIFIED` may send.',
  number: '10DLC: the number in the campaign. `REGISTERED` may send.',
  verification: 'Toll-free: the verification. `TWILIO_APPROVED` and `APPROVED` may send.',
  status: 'Short code: `ACTIVE` may send. WhatsApp: `APPROVED` may send.',
} as const
type StateName = keyof typeof descriptions

const domain_authenticated = Type.Optional(
  Type.Boolean({ description: 'Email: whether SPF, DKIM and DMARC let the domain send. False at first.' }),
)

const statesWith = (schemaOf: (name: StateName, description: string) => TSchema) =>
  Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [
      name,
      Type.Optional(schemaOf(name as StateName, `${description} UNKNOWN at first.`)),
    ]),
  )

export type Registration = Partial<Record<StateName, string>> & { domain_authenticated?: boolean }

/** The longest state of a provider that Gable stores. */
export const maxStateLength = 200

/** The registration states of a sender as stored: those that a provider reports are as it reports them. */
export const Registration = Type.Unsafe<Registration>(
  Type.Object(
    {
      ...statesWith((_, description) => Type.String({ maxLength: maxStateLength, description })),
      domain_authenticated,
    },
    { additionalProperties: false },
  ),
)

interface KindOfSender {
  channel: Channel
  provider: Provider
  /** Segments per second, or messages per second for channels without segments. */
  pace: number
  /** Its states before its provider has reported any. */
  unregistered: Registration
  /** The values of its states that a person may set. */
  known: Readonly<Partial<Record<StateName, readonly string[]>>>
}

/** Twilio's values, and `UNKNOWN`. https://www.twilio.com/docs/messaging/compliance */
export const kindsOfSender: Readonly<Record<SenderKind, KindOfSender>> = {
  '10dlc': {
    channel: 'SMS',
    provider: 'twilio',
    pace: 1,
    unregistered: { brand: 'UNKNOWN', campaign: 'UNKNOWN', number: 'UNKNOWN' },
    known: {
      brand: ['UNKNOWN', 'PENDING', 'IN_REVIEW', 'APPROVED', 'FAILED', 'SUSPENDED'],
      campaign: ['UNKNOWN', 'PENDING', 'IN_PROGRESS', 'VERIFIED', 'FAILED', 'SUSPENDED'],
      number: ['UNKNOWN', 'PENDING', 'REGISTERED', 'UNREGISTERED'],
    },
  },
  tollfree: {
    channel: 'SMS',
    provider: 'twilio',
    pace: 3,
    unregistered: { verification: 'UNKNOWN' },
    known: {
      verification: [
        'UNKNOWN',
        'PENDING_REVIEW',
        'IN_REVIEW',
        'TWILIO_APPROVED',
        'TWILIO_REJECTED',
        'APPROVED',
        'REJECTED',
      ],
    },
  },
  shortcode: {
    channel: 'SMS',
    provider: 'twilio',
    pace: 100,
    unregistered: { status: 'UNKNOWN' },
    known: { status: ['UNKNOWN', 'PENDING', 'ACTIVE', 'INACTIVE'] },
  },
  whatsapp: {
    channel: 'WHATSAPP',
    provider: 'whatsapp',
    pace: 80,
    unregistered: { status: 'UNKNOWN' },
    known: {
      status: [
        'UNKNOWN',
        'PENDING',
        'APPROVED',
        'UNVERIFIED',
        'DISCONNECTED',
        'MIGRATED',
        'BANNED',
        'DELETED',
      ],
    },
  },
  email: {
    channel: 'EMAIL',
    provider: 'email',
    pace: 10,
    unregistered: { domain_authenticated: false },
    known: {},
  },
}

/** The registration states that a person may set; see `requireKnownStates` for those of each kind. */
export const StatedRegistration = Type.Unsafe<Registration>(
  Type.Object(
    {
      ...statesWith((name, description) =>
        Type.Enum([...new Set(Object.values(kindsOfSender).flatMap(({ known }) => known[name] ?? []))], {
          title: `Registration${name.charAt(0).toUpperCase()}${name.slice(1)}`,
          description,
        }),
      ),
      domain_authenticated,
    },
    { additionalProperties: false },
  ),
)

/** Throws 400 for a state with a value of another kind of sender. */
export function requireKnownStates(kind: SenderKind, registration: Registration): void {
  const issues = Object.entries(kindsOfSender[kind].known).flatMap(([name, known]) => {
    const value = registration[name as StateName]
    return value === undefined || known.includes(value)
      ? []
      : [{ path: `registration.${name}`, message: notOneOf(value, known) }]
  })
  if (issues.length > 0) throw ValidationFailed(issues)
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
