import type { WebhookEvent } from './resources.js';
/** Of a Fetch `Request`, or of Node.js. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
export interface VerifyOptions {
    /** How many seconds the time of a delivery may be off. 300 by default. */
    tolerance?: number;
}
/**
 * Verifies a delivery, and returns its event. `rawBody`: as it was received, before it is parsed. With several secrets,
 * one must match, so that a secret can be rotated. The headers of Standard Webhooks also prove when it was sent; without
 * them, `X-Webhook-Signature` and `X-Webhook-Signature-Previous` count. Throws `GableError` with the code
 * `invalid_signature` or `webhook_expired`.
 */
export declare function verifyWebhook(rawBody: string | Uint8Array, headers: WebhookHeaders, secrets: string | readonly string[], { tolerance }?: VerifyOptions): Promise<WebhookEvent>;
