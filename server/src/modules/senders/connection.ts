import { type Static, Type } from 'typebox'
import {
  type PatchOf,
  type RowOf,
  createOnly,
  defaulted,
  internal,
  readOnly,
  required,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable, oneLine } from '#kernel/schemas.ts'
import { Line } from '../workspaces/public.ts'
import { providers } from './ports.ts'

const Provider = Type.Enum([...providers], {
  title: 'ConnectionProvider',
  description:
    '`twilio` carries texts and the calls of members, `whatsapp` carries WhatsApp messages, and `email` carries emails. `documenso` and `docusign` are for signing documents. `retell` provides an AI agent for calls.',
})
const Account = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: oneLine,
  description:
    'The account at the provider: the account SID (Twilio), the ID of the business account (WhatsApp), the user name (email), the name of the team (Documenso), the API account ID (DocuSign), or the ID of the agent (Retell).',
})
const Simulated = Type.Boolean({
  description: 'Whether the simulated carrier replaces the provider. Nothing reaches a real person.',
})
const Secret = Type.String({
  writeOnly: true,
  minLength: 1,
  maxLength: 4000,
  pattern: oneLine,
  description:
    'The auth token (Twilio), the API key (Retell), or the password (email). For other providers, several values separated by a space: the access token and the app secret (WhatsApp); the API token and the webhook secret (Documenso); the Connect key, the integration key, the user ID, and the RSA private key as Base64 in one line (DocuSign). Gable never shows it.',
})

const Stop = Type.Object({
  code: Type.Enum(['provider_unavailable', 'credentials_rejected', 'not_connected'], {
    description:
      '`provider_unavailable`: the provider does not respond as it should. `credentials_rejected`: it rejects the credentials. `not_connected`: the connection is simulated, and the simulated carrier is not in effect.',
  }),
  message: Type.String({ description: 'What the provider said.' }),
  since: Timestamp,
})
/** Why messages wait for a connection, and since when. */
export type Stop = Static<typeof Stop>

const fields = {
  workspace_id: internal(Type.String(), ''),
  provider: createOnly(required(Provider)),
  name: required(Line),
  account: createOnly(required(Account)),
  settings: readOnly(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Settings of the provider: the servers of an email account (`smtp`, `imap`, `mailbox`, `authserv_id`, `dkim_domain`, `dkim_selector`); for WhatsApp, the phone number ID of each sender, by its number; the address of your own Documenso (`url`); or `environment=demo` for DocuSign.',
    }),
    {},
  ),
  simulated: createOnly(defaulted(Simulated, false)),
  mailbox_error: readOnly(
    nullable(
      Type.String({
        description: 'For email: why Gable could not read the mailbox the last time. Null if it could.',
      }),
    ),
    null,
  ),
  authentication_missing_at: readOnly(
    nullable({
      ...Timestamp,
      description:
        'For email: when Gable last read an email without `Authentication-Results` of the mail server (`authserv_id`). Senders of such emails are not verified. Null if the last email had them.',
    }),
    null,
  ),
  previous_secret_until: readOnly(
    nullable({ ...Timestamp, description: 'When Gable stops accepting the previous credentials.' }),
    null,
  ),
  tested_at: readOnly(
    nullable({ ...Timestamp, description: 'When a person last tested the credentials successfully.' }),
    null,
  ),
  disconnected_at: readOnly(
    nullable({
      ...Timestamp,
      description:
        'When the connection was disconnected. A disconnected connection has no credentials and carries nothing. New credentials connect it again.',
    }),
    null,
  ),
  callback_rejected_at: readOnly(
    nullable({
      ...Timestamp,
      description:
        'When Gable last rejected a callback to this connection because none of its credentials had signed it. Updated at most once a minute. Anyone who knows the address can send such a callback. If Gable rejects all callbacks of the provider, the provider signs with other credentials. New credentials reset it to null.',
    }),
    null,
  ),
  stopped: readOnly(
    Type.Union([Stop, Type.Null()], {
      description:
        'Why nothing is sent through the connection: Gable cannot read what it has received, which may be a STOP. Null while it can.',
    }),
    null,
  ),
  credentials_rejected_at: readOnly(
    nullable({
      ...Timestamp,
      description:
        'When the provider began to reject the credentials. Messages wait until it accepts them: Gable tries one message every five minutes, and at once after new credentials. Null while the provider accepts them.',
    }),
    null,
  ),
}

/** An account with a provider. The sealed credentials are in columns that are not part of this record. */
export const connections = defineRecord('Connection', {
  fields,
  example: {
    provider: 'twilio',
    name: 'Twilio',
    account: 'AC5f2d1b0c9e8a7d6c5b4a39281706f5e4',
  },
  patchExample: { name: 'Twilio, main account' },
})

export type ConnectionRow = RowOf<typeof fields>

/** Why messages wait for the connection; null if they do not. */
export const stopOf = ({
  stopped,
  credentials_rejected_at: since,
}: Pick<ConnectionRow, 'stopped' | 'credentials_rejected_at'>): Stop | null =>
  stopped ??
  (since === null
    ? null
    : { code: 'credentials_rejected', message: 'The provider rejects the credentials.', since })

/** What a sender or template gets whose draft names no connection. */
export const omittedConnection =
  'If you omit it, the only connection with the provider is used. With several, it is required; without any, the simulated carrier is used where it is in effect, and reaches no one.'

export const ConnectionDraft = Type.Object(
  {
    provider: Provider,
    name: Line,
    account: Account,
    simulated: Type.Optional(Simulated),
    secret: Secret,
  },
  {
    title: 'ConnectionDraft',
    additionalProperties: false,
    examples: [
      {
        provider: 'twilio',
        name: 'Twilio',
        account: 'AC5f2d1b0c9e8a7d6c5b4a39281706f5e4',
        secret: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
      },
    ],
  },
)

export const ConnectionPatch = Type.Object(
  { name: Type.Optional(Line), secret: Type.Optional(Secret) },
  {
    title: 'ConnectionPatch',
    additionalProperties: false,
    description: 'Fields that you omit keep their values.',
    examples: [{ name: 'Twilio, main account' }],
  },
)

export type Settings = ConnectionRow['settings']

/** Fields that only the operator can set. `dkim_key`: as `rsaKeyOf` returns it. */
interface OperatorChanges {
  settings?: Settings
  dkim_key?: string
}
export type NewConnection = Static<typeof ConnectionDraft> & OperatorChanges
export type ConnectionChanges = PatchOf<typeof fields> & { secret?: string } & OperatorChanges

export const presentConnection = ({
  workspace_id: _,
  ...row
}: ConnectionRow): Static<typeof connections.Record> => row
