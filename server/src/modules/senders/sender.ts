import { type Static, Type } from 'typebox'
import type { Issue } from '#kernel/errors.ts'
import {
  type PatchOf,
  type RowOf,
  createOnly,
  defaulted,
  optional,
  readOnly,
  reference,
  required,
  text,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Line } from '../workspaces/public.ts'
import { addressIssue, normalAddress } from './address.ts'
import { omittedConnection } from './connection.ts'
import { Registration, StatedRegistration, channels, kindsOfSender, senderKinds } from './registration.ts'

const ConnectionId = reference('connection', `The connection of the sender. ${omittedConnection}`)
export const ChannelSchema = Type.Enum([...channels], { title: 'Channel' })
const Kind = Type.Enum([...senderKinds], {
  title: 'SenderKind',
  description: '`10dlc`: an ordinary US or Canadian number for texts.',
})
const Address = Type.String({
  minLength: 1,
  maxLength: 254,
  description: 'A phone number, the digits of a short code, or an email address.',
})
const Pace = Type.Number({
  minimum: 0.1,
  maximum: 1000,
  description: `Segments per second, or messages for channels without segments. The default depends on the kind: ${senderKinds.map((kind) => `${kind} ${kindsOfSender[kind].pace}`).join(', ')}.`,
})
const CampaignPace = Type.Integer({
  minimum: 1,
  maximum: 100_000,
  description:
    'Segments per minute for all senders of the `campaign` together. No limit if null. Setting it changes it for all of them.',
})
const BrandDailyLimit = Type.Integer({
  minimum: 1,
  maximum: 10_000_000,
  description:
    'Segments per day, until midnight Pacific Time, for all senders of the `brand` together; further segments wait. No limit if null. Setting it changes it for all of them.',
})
const together = (what: string) =>
  text(60, `What the provider calls the ${what}, whose senders share its pace.`)

const fields = {
  connection_id: createOnly(defaulted(ConnectionId, '')),
  channel: readOnly(ChannelSchema, 'SMS'),
  kind: createOnly(required(Kind)),
  address: createOnly(required(Address, { normalize: normalAddress })),
  name: optional(Line),
  registration: defaulted(StatedRegistration, {}, { stored: Registration }),
  campaign: optional(together('campaign')),
  campaign_pace: optional(CampaignPace),
  brand: optional(together('brand')),
  brand_daily_limit: optional(BrandDailyLimit),
  pace: defaulted(Pace, kindsOfSender['10dlc'].pace),
  is_default: defaulted(
    Type.Boolean({
      description:
        'Whether messages that name no sender come from this sender. A channel has one default: its first sender, until you make another one the default.',
    }),
    false,
  ),
}

/** A number or address that messages come from. */
export const senders = defineRecord('Sender', {
  fields,
  example: {
    kind: '10dlc',
    address: '+13125550188',
    name: 'Main line',
    registration: { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
  },
  shownExample: {
    connection_id: 'cmi8hc1x2000am2n6d4f8g1h7',
    is_default: true,
  },
  patchExample: { name: 'Front office', is_default: true },
  check({ kind, address, registration }): Issue[] {
    const issue = addressIssue(kind, address)
    const { unregistered } = kindsOfSender[kind]
    return [
      ...(issue === undefined ? [] : [{ path: 'address', message: issue }]),
      ...Object.keys(registration)
        .filter((state) => !Object.hasOwn(unregistered, state))
        .map((state) => ({
          path: `registration.${state}`,
          message: `is not a state of a sender of kind ${kind}`,
        })),
    ]
  },
})

export type SenderRow = RowOf<typeof fields>
export type SenderDraft = Static<typeof senders.Draft>
export type SenderPatch = PatchOf<typeof fields>
