export {
  findConnection,
  findSweptAt,
  listConnectionIds,
  listConnections,
  listSimulatedConnections,
  listStoppedAcrossWorkspaces,
  listStoppedConnections,
  saveStopped,
  saveSweptAt,
} from './connection-queries.ts'
export { ConnectionDraft, ConnectionPatch, type ConnectionRow, type Stop, stopOf } from './connection.ts'
export { type SecretPart, secretParts, secretOfParts } from './accounts/account-parts.ts'
export { disconnectConnection } from './disconnect.ts'
export { openAccount } from './accounts/credentials.ts'
export {
  claimMailbox,
  longestMailboxPauseMs,
  releaseMailbox,
  saveMailboxPosition,
} from './mailbox-queries.ts'
export { missingOf } from './missing.ts'
export { callbackRoutes } from './callback-routes.ts'
export { messageProviders, signatureProviders } from './ports.ts'
export type { Callback, EmailAccount, Provider, ProviderAccount, ProviderTemplate } from './ports.ts'
export {
  findDefaultSender,
  findSender,
  findTemplate,
  listSenders,
  listSendersById,
  listSendersOfConnection,
  listTemplates,
  listTemplatesNamed,
} from './queries.ts'
export {
  type Channel,
  type Registration,
  channels,
  recordChannels,
  sendChannels,
  senderState,
  statesInWords,
} from './registration.ts'
export {
  createConnection,
  findVoiceConnection,
  signatureConnectionFor,
  updateConnection,
  voiceConnectionFor,
} from './save-connection.ts'
export { createSender, updateSender } from './save-sender.ts'
export { createTemplate } from './save-template.ts'
export { ChannelSchema, type SenderRow, senders } from './sender.ts'
export { ConnectionDisconnected, SenderCreated } from './events.ts'
export { recordCredentials, recordTested } from './mark-credentials.ts'
export { markUnregistered } from './mark-unregistered.ts'
export { recordRegistration, recordTemplate } from './record-reported.ts'
export type { MessageTemplate } from './template.ts'
