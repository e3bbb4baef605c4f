import { randomBytes } from 'node:crypto'
import type { KeyRing } from '#kernel/secrets.ts'

/** The previous secret signs deliveries for this long after a rotation. */
export const previousSecretMs = 24 * 3_600_000

/** Returns a new signing secret in the format of Standard Webhooks: 256 random bits in base64. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export const webhookSealPurpose = 'webhooks'

const context = (workspaceId: string, id: string) => `${workspaceId} ${id}`

export const sealSecret = (keys: KeyRing, workspaceId: string, id: string, secret: string): Buffer =>
  keys.seal(webhookSealPurpose, secret, context(workspaceId, id))

export const openSecret = (keys: KeyRing, workspaceId: string, id: string, sealed: Buffer): string =>
  keys.open(webhookSealPurpose, sealed, context(workspaceId, id))
