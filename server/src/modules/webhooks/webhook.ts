import { randomBytes } from 'node:crypto'
import type { KeyRing } from '#kernel/secrets.ts'

/** Subscriptions of one workspace at most: each change writes a delivery for every one that wants to hear of it. */
export const maxWebhooks = 100

/** How long the secret before the present one still signs. */
export const previousSecretMs = 24 * 3_600_000

/** After so long without a single success an endpoint is given up. */
export const giveUpMs = 5 * 24 * 3_600_000

/** A new secret, in the form of Standard Webhooks: 256 random bits in base64. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export const sealPurpose = 'webhooks'

const place = (workspaceId: string, id: string) => `${workspaceId} ${id}`

export const sealSecret = (keys: KeyRing, workspaceId: string, id: string, secret: string): Buffer =>
  keys.seal(sealPurpose, secret, place(workspaceId, id))

export const openSecret = (keys: KeyRing, workspaceId: string, id: string, sealed: Buffer): string =>
  keys.open(sealPurpose, sealed, place(workspaceId, id))

export type WebhookStatus = 'active' | 'paused' | 'disabled'

/** Paused is what somebody asked for, disabled what came of failing for too long. */
export function statusOf({
  paused,
  disabled_at,
}: {
  paused: boolean
  disabled_at: string | null
}): WebhookStatus {
  if (disabled_at !== null) return 'disabled'
  return paused ? 'paused' : 'active'
}
