import { GableError } from './error.js';
import { originOf } from './gable.js';
import { exchange } from './transport.js';
const earlyMs = 60_000;
const timeoutMs = 30_000;
export class GableOAuth {
#options;
#origin;
constructor(options) {
this.#options = options;
this.#origin = originOf(options.baseUrl);
}
async authorize(scope) {
const [state, verifier] = [random(), random()];
const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
const query = new URLSearchParams({
response_type: 'code',
client_id: this.#options.clientId,
redirect_uri: this.#options.redirectUri ?? '',
scope,
state,
code_challenge: base64url(new Uint8Array(digest)),
code_challenge_method: 'S256',
});
return { url: `${this.#origin}/oauth/authorize?${query}`, state, verifier };
}
async connect(callback, { state, verifier }) {
const params = new URL(callback).searchParams;
if (params.get('state') !== state || originOf(params.get('iss') ?? '') !== this.#origin)
throw new GableError('invalid_callback', 'The callback does not belong to this attempt.');
const error = params.get('error');
if (error !== null)
throw new GableError(error, params.get('error_description') ?? error);
return this.#grant({
grant_type: 'authorization_code',
code: params.get('code') ?? '',
code_verifier: verifier,
redirect_uri: this.#options.redirectUri ?? '',
});
}
refresh(refreshToken) {
return this.#grant({ grant_type: 'refresh_token', refresh_token: refreshToken });
}
clientCredentials(tenantId, scope) {
return this.#grant({
grant_type: 'client_credentials',
tenant_id: tenantId,
...(scope === undefined ? {} : { scope }),
});
}
async revoke(token) {
await this.#post('/oauth/revoke', { token });
}
accessToken(tokens) {
const store = 'read' in tokens ? tokens : memoryStore(tokens);
let renewal;
const renew = async (stale) => {
const { accessToken, refreshToken, tenantId, scope } = await store.read();
if (accessToken !== stale)
return accessToken;
const renewed = await (refreshToken === null
? this.clientCredentials(tenantId, scope)
: this.refresh(refreshToken));
await store.write(renewed);
return renewed.accessToken;
};
return async (rejected) => {
const { accessToken, expiresAt } = await store.read();
if (accessToken !== rejected && Date.now() < expiresAt - earlyMs)
return accessToken;
return (renewal ??= renew(accessToken).finally(() => (renewal = undefined)));
};
}
async #grant(parameters) {
const body = await this.#post('/oauth/token', parameters);
const { access_token, refresh_token = null, expires_in, scope, tenant_id, } = body;
return {
accessToken: access_token,
refreshToken: refresh_token,
expiresAt: Date.now() + expires_in * 1000,
scope,
tenantId: tenant_id,
};
}
async #post(path, parameters) {
const { clientId, clientSecret, fetch: send = (input, init) => fetch(input, init) } = this.#options;
const isPublic = clientSecret === undefined;
const { body } = await exchange(send, this.#origin + path, {
method: 'POST',
headers: isPublic ? {} : { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
body: new URLSearchParams(isPublic ? { ...parameters, client_id: clientId } : parameters),
}, timeoutMs);
return body;
}
}
const memoryStore = (first) => {
let tokens = first;
return { read: () => tokens, write: (next) => (tokens = next) };
};
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));
const base64url = (bytes) => btoa(String.fromCodePoint(...bytes))
.replaceAll('+', '-')
.replaceAll('/', '_')
.replaceAll('=', '');
