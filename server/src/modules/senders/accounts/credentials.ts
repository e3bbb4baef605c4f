import type { Clock } from '#kernel/clock.ts'
import type { DirectoryDb } from '#kernel/db/handles.ts'
import type { KeyRing } from '#kernel/secrets.ts'
import { findSealedConnection } from '../connection-queries.ts'
import type { ProviderAccount } from '../ports.ts'
import { emailAccountOf } from './email-account.ts'

/** How long Gable accepts the previous credentials after new ones replace them. */
export const previousCredentialsMs = 24 * 3_600_000

export const credentialsPurpose = 'connections'

export const sealCredentials = (keys: KeyRing, connectionId: string, secret: string): Buffer =>
  keys.seal(credentialsPurpose, secret, connectionId)

export const openCredentials = (keys: KeyRing, connectionId: string, sealed: Buffer): string =>
  keys.open(credentialsPurpose, sealed, connectionId)

/** Joins credentials for storage: the first line is the secret, the second the DKIM key, if there is one. */
export const joinCredentials = (secret: string, dkimKey: string | undefined): string =>
  dkimKey === undefined ? secret : `${secret}\n${dkimKey}`

export function splitCredentials(text: string): { secret: string; dkimKey: string | undefined } {
  const [secret = '', dkimKey] = text.split('\n')
  return { secret, dkimKey }
}

/**
 * Opens the credentials of a connection in any workspace: the current ones, and the previous ones while Gable still
 * accepts them. Returns undefined if the connection does not exist or is disconnected. Throws if no application secret
 * opens the credentials.
 */
export async function openAccount(
  { directory, keys, clock }: { directory: DirectoryDb; keys: KeyRing; clock: Clock },
  connectionId: string,
): Promise<ProviderAccount | undefined> {
  const row = await findSealedConnection(directory, connectionId)
  if (row === undefined || row.disconnected_at !== null) return undefined
  const { id, workspace_id, provider, account, settings, simulated, secret, previous_secret } = row
  const holds = (row.previous_secret_until ?? '') > clock.now().toISOString()
  const current = splitCredentials(openCredentials(keys, id, secret))
  const previous =
    previous_secret === null || !holds
      ? []
      : [splitCredentials(openCredentials(keys, id, previous_secret)).secret]
  const email = provider === 'email' && !simulated ? emailAccountOf(settings, current.dkimKey) : undefined
  return {
    id,
    workspaceId: workspace_id,
    provider,
    name: account,
    settings,
    ...(email && { email }),
    simulated,
    isRejected: row.credentials_rejected_at !== null,
    version: row.previous_secret_until,
    secrets: [current.secret, ...previous],
  }
}
