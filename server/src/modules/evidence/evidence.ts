import { type Static, type TSchema, Type } from 'typebox'
import { masked } from '#kernel/masking/masked.ts'
import { freeText } from '#kernel/records/fields.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { Suppression } from '../compliance/public.ts'
import { type Message, messageRecord } from '../messages/public.ts'

/** The maximum number of entries of each kind in a file. The newest ones are kept. */
export const limits = { consents: 200, entries: 1000, messages: 1000 }

const hidden = (description: string) => masked('hidden', nullable(Type.String({ description })))

const ConsentArtifact = Type.Object({
  lead_id: Type.String(),
  source: nullable(freeText(80)),
  phone: nullable(masked('phone', Type.String())),
  email: nullable(masked('email', Type.String())),
  captured_at: masked('time', Type.Unknown({ description: 'As received.' })),
  source_url: nullable(freeText(2048)),
  ip: hidden('As received.'),
  form_snapshot: masked('text', nullable(Type.Record(Type.String(), Type.Unknown()))),
  form_sha256: hidden('SHA-256 of the snapshot, in hexadecimal.'),
  received_at: nullable(Timestamp),
  revoked_at: nullable(Timestamp),
  salt: hidden('The salt of the digest. Null once the contact is erased.'),
  in_ledger: nullable(
    Type.Boolean({
      description:
        'Whether the artifact matches the digest in the ledger: SHA-256 of the JSON array of `salt`, `lead_id`, `captured_at`, `source_url`, `ip`, `form_sha256`, and `received_at`. Null if Gable cannot know, for example after an erasure.',
    }),
  ),
})

const LedgerEntry = Type.Object({
  id: Type.String(),
  at: Timestamp,
  kind: Type.String({
    description:
      '`consent_captured`, `consent_revoked`, `opted_out`, `opt_out_lifted`, `suppressed`, `suppression_lifted` or `opt_out_confirmed`. More may be added.',
  }),
  subject_type: nullable(Type.String({ description: '`phone`, `email` or `contact`.' })),
  subject: hidden("The contact's id, or the keyed hash of the number or the address."),
  contact_id: nullable(Type.String({ description: 'The contact that the entry was about, if known.' })),
  record_id: Type.String({
    description: 'The lead, the suppression, or the message that the entry is about.',
  }),
  reason: nullable(Type.String({ description: 'For a suppression: its kind.' })),
  channels: Type.Array(Type.String()),
  since: Type.String({ format: 'date-time', description: 'When the entry takes effect.' }),
  artifact_sha256: hidden('The digest of the consent artifact.'),
  source: hidden('How the entry was recorded, such as `inbound`, `api`, or `import`.'),
  actor: Type.Object(
    { type: Type.String(), id: nullable(Type.String()), name: Type.String() },
    { description: 'Who did it.' },
  ),
  proof: Type.Union([
    Type.Object({
      sequence: Type.Integer({ description: 'The position in the chain of the workspace.' }),
      previous: Type.String({ description: 'The hash of the previous entry.' }),
      hash: Type.String({
        description:
          'SHA-256 of the bytes of `previous` and `canonical` in UTF-8. It is the `previous` of the next entry.',
      }),
      canonical: hidden('The hashed text: a JSON array of everything in the entry.'),
    }),
    Type.Null(),
  ]),
})

/** The fields of a message in a file. */
const membersOfMessage = [
  'id',
  'channel',
  'direction',
  'status',
  'from',
  'to',
  'subject',
  'body',
  'template',
  'purpose',
  'source',
  'ai_generated',
  'compliance',
  'error',
  'sent_at',
  'delivered_at',
  'created_at',
  'erased_at',
] as const
export type EvidencedMessage = Pick<Message, (typeof membersOfMessage)[number]>

const { properties } = messageRecord.Record as unknown as { properties: Record<string, TSchema> }

const EvidencedMessage = Type.Unsafe<EvidencedMessage>(
  Type.Object(
    Object.fromEntries(membersOfMessage.map((name) => [name, properties[name] ?? Type.Unknown()])),
    {
      description: '`subject`, `body`, and `template` are null without `messages:read`.',
    },
  ),
)

/** The message for a file. Its content is included only if the caller can read messages. */
export const evidenced = (message: Message, withContent: boolean): EvidencedMessage =>
  Object.fromEntries(
    membersOfMessage.map((name) => [name, withContent || !content.has(name) ? message[name] : null]),
  ) as EvidencedMessage

const content: ReadonlySet<string> = new Set(['subject', 'body', 'template'])

export const ContactEvidence = Type.Object(
  {
    generated_at: Timestamp,
    contact: Type.Object({
      id: Type.String(),
      first_name: nullable(freeText(100)),
      last_name: nullable(freeText(100)),
      phone: nullable(masked('phone', Type.String())),
      email: nullable(masked('email', Type.String())),
      created_at: Timestamp,
      erased_at: nullable(Timestamp),
    }),
    points: Type.Array(
      Type.Object({
        type: Type.Enum(['phone', 'email']),
        value: masked('text', Type.String()),
        since: Timestamp,
        former_since: nullable(Timestamp),
        shared: Type.Boolean({
          description:
            'Whether another contact had it in that time, too. Messages may then be with that contact.',
        }),
      }),
      {
        description:
          'The present and former numbers and addresses of the contact. Messages to and from them count if they belong to no other contact.',
      },
    ),
    complete: Type.Object(
      { consents: Type.Boolean(), ledger: Type.Boolean(), messages: Type.Boolean() },
      {
        description: `Whether the file is complete. It has the newest ${limits.consents} consents, ${limits.entries} ledger entries, and ${limits.messages} messages. Use \`GET /messages\` to get older messages.`,
      },
    ),
    consents: Type.Array(ConsentArtifact, {
      description: "The consents of the contact's leads, newest first.",
    }),
    suppressions: Type.Array(Suppression, { description: 'The suppressions that are active now.' }),
    ledger: Type.Object({
      head: Type.Union([
        Type.Object(
          { sequence: Type.Integer(), hash: Type.String() },
          {
            description: 'The last entry of the chain when the file was made.',
          },
        ),
        Type.Null(),
      ]),
      entries: Type.Array(LedgerEntry, {
        description: 'Newest first. `proof` is null for a few seconds, until the entry is chained.',
      }),
    }),
    messages: Type.Array(EvidencedMessage, { description: 'Newest first.' }),
  },
  {
    title: 'ContactEvidence',
    examples: [
      {
        generated_at: '2026-11-20T20:15:00.000Z',
        contact: {
          id: 'cmi8h2k5p0001zq8r4t6w9x3y',
          first_name: 'Ada',
          last_name: 'Reyes',
          phone: '+1******0123',
          email: 'a***@reyes.example',
          created_at: '2026-11-20T20:11:04.817Z',
          erased_at: null,
        },
        points: [
          {
            type: 'phone',
            value: '+1******0123',
            since: '2026-11-20T20:11:04.817Z',
            former_since: null,
            shared: false,
          },
        ],
        complete: { consents: true, ledger: true, messages: true },
        consents: [],
        suppressions: [],
        ledger: {
          head: {
            sequence: 1042,
            hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          },
          entries: [
            {
              id: 'cmi8hb7w40008m2n6c8v0b3x5',
              at: '2026-11-20T20:11:04.817Z',
              kind: 'opted_out',
              subject_type: 'phone',
              subject: null,
              contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y',
              record_id: 'cmi8hb7w40007k2n6c8v0b3x4',
              reason: 'opted_out',
              channels: ['sms', 'voice_auto', 'whatsapp'],
              since: '2026-11-20T20:11:04.000Z',
              artifact_sha256: null,
              source: null,
              actor: { type: 'system', id: null, name: 'messages' },
              proof: {
                sequence: 1042,
                previous: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
                hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
                canonical: null,
              },
            },
          ],
        },
        messages: [],
      },
    ],
  },
)
export type ContactEvidence = Static<typeof ContactEvidence>
