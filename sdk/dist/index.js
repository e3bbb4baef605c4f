export { GableError } from './error.js';
export { Gable } from './gable.js';
export { GableOAuth } from './oauth.js';
export { verifyWebhook } from './webhook.js';
