import { Type } from 'typebox'
import { Changed, Changes, auditEvent } from '#kernel/events/event.ts'

const id = 'cmi8hc1x2000am2n6d4f8g1h7'

const Connection = Type.Object({ id: Type.String(), provider: Type.String(), name: Type.String() })
const connection = { id, provider: 'twilio', name: 'Twilio' }
const connectionEvent = (name: string, summary: string) =>
  auditEvent(name, 'connection', summary, Connection, connection)

export const ConnectionCreated = connectionEvent(
  'connection.created',
  'An account with a provider was connected',
)
export const ConnectionUpdated = auditEvent(
  'connection.updated',
  'connection',
  'A connection with a provider was changed',
  Type.Object({ ...Connection.properties, changes: Changes }),
  { ...connection, changes: [{ field: 'name', from: 'Twilio', to: 'Texts' }] },
)
export const ConnectionDisconnected = connectionEvent(
  'connection.disconnected',
  'A connection with a provider was disconnected: its credentials were deleted',
)
export const CredentialsReplaced = connectionEvent(
  'connection.credentials_replaced',
  'The credentials of a connection were replaced',
)
export const ConnectionTested = connectionEvent(
  'connection.tested',
  'A provider accepted the credentials of a connection in a test',
)
export const CredentialsRejected = connectionEvent(
  'connection.credentials_rejected',
  'A provider rejected the credentials of a connection, so its messages wait',
)
export const CredentialsAccepted = connectionEvent(
  'connection.credentials_accepted',
  'A provider accepts the credentials of a connection again',
)

const Kind = Type.Object({ id: Type.String(), kind: Type.String() })
export const SenderCreated = auditEvent('sender.created', 'sender', 'A sender was added', Kind, {
  id,
  kind: '10dlc',
})
export const SenderUpdated = auditEvent(
  'sender.updated',
  'sender',
  'A sender was changed',
  Type.Object({ ...Kind.properties, changed: Changed }),
  { id, kind: '10dlc', changed: ['is_default'] },
)

const Named = Type.Object({ id: Type.String(), name: Type.String(), language: Type.String() })
const named = { id, name: 'showing_confirmed', language: 'en_US' }
export const TemplateCreated = auditEvent(
  'template.created',
  'template',
  'A message template was added',
  Named,
  named,
)
export const TemplateUpdated = auditEvent(
  'template.updated',
  'template',
  'A message template was changed',
  Type.Object({ ...Named.properties, changed: Changed }),
  { ...named, changed: ['status'] },
)
