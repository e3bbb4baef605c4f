import { isPossiblePhoneNumber } from 'libphonenumber-js/max'
import { expect, test } from 'vitest'
import { readCases } from '#test/data/read-cases.ts'
import vectors from '#test/data/vector-defaults.json' with { type: 'json' }
import { judge } from './judge.ts'
import type { SendFacts, Send } from './send.ts'
import { countryOf } from './zones.ts'

interface Vector {
  id: string
  kind: 'gate' | 'ai_outbound_allowed' | 'classify_inbound'
  title: string
  input: Record<string, unknown>
  expect: { decision: string; reason: string | null; reasons?: string[]; next_allowed_at?: string }
  info?: { zones?: string[] }
}

// oxlint-disable-next-line typescript/no-explicit-any -- a vector's input has many shapes
type Loose = Record<string, any>

const merge = (under: Loose, over: Loose): Loose =>
  Object.fromEntries(
    [...new Set([...Object.keys(under), ...Object.keys(over)])].map((name) => {
      const [a, b] = [under[name], over[name]]
      const isObject = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one)
      if (!(name in over)) return [name, a]
      return [name, isObject(a) && isObject(b) ? merge(a, b) : b]
    }),
  )

const ms = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text))
const isElsewhere = (phone: string) => !phone.startsWith('+1') && isPossiblePhoneNumber(phone)

/** Converts a vector's input to the judge's arguments. */
function read(input: Loose): { send: Send; facts: SendFacts; now: Date } {
  const { channel, purpose, message_class, actor, kind, recipient, contact, sender, workspace, message } =
    input
  const { type, brand, campaign, number, verification, whatsapp_status } = sender
  const { template, one_click_unsubscribe } = message
  return {
    now: new Date(input['now']),
    send: {
      channel,
      purpose,
      messageClass: message_class,
      actor,
      kind,
      template,
      oneClickUnsubscribe: one_click_unsubscribe,
    },
    facts: {
      recipient: {
        phone: recipient.phone,
        country: recipient.phone === null ? null : countryOf(recipient.phone, isElsewhere),
        state: recipient.address.state,
        zip: recipient.address.zip,
      },
      contact: {
        erased: contact.erased,
        aiPaused: contact.ai_paused,
        optedOut: contact.opted_out,
        suppressions: contact.suppressions,
        consent: { level: contact.consent.level, revoked: contact.consent.revoked ?? false },
        inquiryAt: ms(contact.ebr.inquiry_at),
        transactionAt: ms(contact.ebr.transaction_at),
        dnc: contact.dnc,
        lastInbound: Object.fromEntries(
          Object.entries<string>(contact.last_inbound).map(([on, at]) => [on, Date.parse(at)]),
        ),
        marketingSends24h: contact.marketing_sends_24h,
        optOut: contact.opt_out_event && {
          at: Date.parse(contact.opt_out_event.at),
          confirmed: contact.opt_out_event.confirmation_sent,
        },
      },
      sender: {
        '10dlc': { type, brand, campaign, number },
        tollfree: { type, verification },
        whatsapp: { type, status: whatsapp_status },
        email: { type, domainAuthenticated: workspace.email_domain_authenticated },
      }[type as string] as SendFacts['sender'],
      workspace: {
        enabledCountries: workspace.enabled_countries,
        emergencyStates: [],
        hasPostalAddress: workspace.postal_address,
      },
    },
  }
}

test.each(
  readCases<Vector>('vectors')
    .filter(({ kind }) => kind === 'gate')
    .map((vector) => [vector.id, vector.title, vector] as const),
)('%s: %s', (_id, _title, { input, expect: expected, info }) => {
  const { send, facts, now } = read(merge(vectors.defaults, input))
  const verdict = judge('message', send, facts, now)
  expect(verdict.allowed ? 'allow' : 'block').toBe(expected.decision)
  if (info?.zones) {
    const zones = verdict.evidence.zones.map(({ zone }) => zone)
    expect(zones.toSorted()).toEqual(info.zones.toSorted())
  }
  if (verdict.allowed) return
  expect(verdict.reason).toBe(expected.reason)
  if (expected.reasons) expect(verdict.reasons).toEqual(expected.reasons)
  if (expected.next_allowed_at) expect(verdict.retryAt).toBe(Date.parse(expected.next_allowed_at))
})
