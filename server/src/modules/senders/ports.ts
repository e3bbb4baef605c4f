export const providers = ['twilio', 'whatsapp', 'email'] as const
export type Provider = (typeof providers)[number]

/** An account with a provider, its credentials opened. */
export interface ProviderAccount {
  id: string
  workspaceId: string
  provider: Provider
  /** What the provider calls it. */
  name: string
  settings: Readonly<Record<string, unknown>>
  /** Whether the simulated carrier stands in for the provider. */
  simulated: boolean
  /** The current credentials, then the previous ones while they hold. */
  secrets: readonly [string, ...string[]]
}
