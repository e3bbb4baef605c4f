import type { MailServer } from '#kernel/mail-server.ts'

/** Those that carry messages. */
export const messageProviders = ['twilio', 'whatsapp', 'email'] as const
/** Those with whom people sign documents. */
export const signatureProviders = ['documenso', 'docusign'] as const
/** Those whose AI talks with people. */
export const voiceProviders = ['retell'] as const
export const providers = [...messageProviders, ...signatureProviders, ...voiceProviders] as const
export type Provider = (typeof providers)[number]

/** The mail servers of a connection for email. Both take its name and password. */
export interface EmailAccount {
  smtp: MailServer
  /** Null where it receives nothing. */
  imap: (MailServer & { mailbox: string }) | null
  /** Null where the mail server signs. The key is PEM. */
  dkim: { domain: string; selector: string; privateKey: string } | null
}

/** An account with a provider, its credentials opened. */
export interface ProviderAccount {
  id: string
  workspaceId: string
  provider: Provider
  /** What the provider calls it. */
  name: string
  settings: Readonly<Record<string, unknown>>
  /** Where emails go and come from; undefined for another provider, a simulated account, or settings that do not say. */
  email?: EmailAccount
  /** Whether the simulated carrier stands in for the provider. */
  simulated: boolean
  /** Whether the provider has rejected the current credentials. */
  isRejected?: boolean
  /** The current credentials, then the previous ones while they hold. */
  secrets: readonly [string, ...string[]]
}

/** A request from a provider to `/callbacks/{provider}/{connection}/…`. */
export interface Callback {
  method: 'GET' | 'POST'
  /** The whole URL as the provider knows it: the public address, path and query. */
  url: string
  /** What follows the connection in the path. */
  path: string
  headers: Readonly<Record<string, string | undefined>>
  body: Buffer
}

/** A template as the provider lists it, in its words. */
export interface ProviderTemplate {
  name: string
  language: string
  category: string
  status: string
  body: string
}
