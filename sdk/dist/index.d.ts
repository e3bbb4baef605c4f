export { type Detail, GableError } from './error.js';
export { type AccessToken, Gable, type GableOptions, type Session } from './gable.js';
export type { List, Page } from './list.js';
export { type Attempt, GableOAuth, type OAuthOptions, type TokenStore, type Tokens } from './oauth.js';
export type { Resources, WebhookEvent } from './resources.js';
export type { CallOptions } from './transport.js';
export { type VerifyOptions, type WebhookHeaders, verifyWebhook } from './webhook.js';
export type * from '../types.js';
