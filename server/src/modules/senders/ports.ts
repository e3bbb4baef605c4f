import type { MailServer } from '#kernel/mail-server.ts'

/** Providers that carry messages. */
export const messageProviders = ['twilio', 'whatsapp', 'email'] as const
/** Providers through which people sign documents. */
export const signatureProviders = ['documenso', 'docusign'] as const
/** Providers whose AI talks with people. */
export const voiceProviders = ['retell'] as const
export const providers = [...messageProviders, ...signatureProviders, ...voiceProviders] as const
export type Provider = (typeof providers)[number]

/** The mail servers of an email connection. Gable signs in to both with the connection's account and password. */
export interface EmailAccount {
  smtp: MailServer
  /**
   * Null if the connection receives no emails. `authservIds`: the names under which the server writes
   * `Authentication-Results`, in lower case.
   */
  imap: (MailServer & { mailbox: string; authservIds: readonly string[] }) | null
  /** Null if the mail server signs emails itself. The key is PEM. */
  dkim: { domain: string; selector: string; privateKey: string } | null
}

/** An account with a provider, with its credentials opened. */
export interface ProviderAccount {
  id: string
  workspaceId: string
  provider: Provider
  /** The provider's name or id for the account. */
  name: string
  settings: Readonly<Record<string, unknown>>
  /** The mail servers. Undefined for other providers, for simulated accounts, and if the settings name no SMTP server. */
  email?: EmailAccount
  /** Whether the simulated carrier stands in for the provider. */
  simulated: boolean
  /** Whether the provider has rejected the current credentials. */
  isRejected?: boolean
  /** The time of the credentials, later with each replacement. Null for the first ones. */
  version?: string | null
  /** The current credentials, then the previous ones while Gable still accepts them. */
  secrets: readonly [string, ...string[]]
}

/** A request from a provider to `/callbacks/{provider}/{connection}/…`. */
export interface Callback {
  method: 'GET' | 'POST'
  /** The full URL as the provider knows it: public origin, path, and query. */
  url: string
  /** The part of the path after the connection. */
  path: string
  headers: Readonly<Record<string, string | undefined>>
  body: Buffer
}

/** A template as the provider lists it, with the provider's own values. */
export interface ProviderTemplate {
  name: string
  language: string
  category: string
  status: string
  body: string
}
