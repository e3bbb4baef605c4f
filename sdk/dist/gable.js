import { List } from './list.js';
import { kinds, routes } from './resources.js';
import { createTransport } from './transport.js';
function createGable({ baseUrl = '', timeout = 30_000, retryFor = 60_000, fetch: own, ...credentials }) {
const send = createTransport({
url: `${originOf(baseUrl)}/v1`,
timeout,
retryFor,
fetch: own ?? ((input, init) => fetch(input, init)),
credential: credentialOf(credentials, () => send({ method: 'GET', path: '/me' })),
});
const client = {};
addMethods(client, send);
return client;
}
export const Gable = createGable;
export const originOf = (baseUrl) => baseUrl.replace(/\/*(v1\/*)?$/, '');
function credentialOf({ apiKey, accessToken, session }, retrieveMe) {
if (session !== undefined)
return sessionCredential(session, retrieveMe);
if (typeof accessToken !== 'function') {
const authorization = apiKey === undefined ? `Bearer ${accessToken}` : `token ${apiKey}`;
return { headers: async () => ({ authorization }) };
}
let token;
return {
headers: async () => ({ authorization: `Bearer ${(token = await accessToken())}` }),
renew: () => accessToken(token),
};
}
function sessionCredential({ workspaceId = '' }, retrieveMe) {
let csrf;
return {
async headers(method, path) {
if (method === 'GET' && path === '/me')
return {};
csrf ??= (await retrieveMe()).body.csrf_token;
return { 'gable-workspace': workspaceId, 'x-csrf-token': csrf };
},
renew: async () => (csrf = undefined),
};
}
function addMethods(client, send) {
for (const route of routes.split('|')) {
const [path = '', letters = ''] = route.split(' ');
const words = path
.split('/')
.filter((word) => word !== '*')
.map((word) => word.replace(/\.\w+$/, '').replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase()));
for (const letter of letters) {
const [method = '', verb, flags = ''] = (kinds.split('|')[letter.charCodeAt(0) - 97] ?? '').split(' ');
const names = [...words, ...(verb ? [verb] : [])];
const leaf = names.pop() ?? '';
let noun = client;
for (const name of names)
noun = (noun[name] ??= {});
noun[leaf] = methodOf(method, path, flags, send);
}
}
}
function methodOf(method, template, flags, send) {
const [takesQuery, takesBody] = [flags.includes('q'), flags.includes('b')];
return (...args) => {
const path = template.replaceAll('*', () => {
const id = args.shift();
if (typeof id !== 'string' || id === '')
throw new TypeError(`${method} /${template} takes an ID.`);
return encodeURIComponent(id);
});
const input = takesQuery || takesBody ? args.shift() : undefined;
const options = (args.shift() ?? {});
const { idempotencyKey: _, ifMatch: _1, timeout: _2, retryFor: _3, signal: _4, ...query } = options;
const request = {
method,
path: `/${path}`,
query: takesQuery ? input : query,
...(takesBody ? { body: input ?? {} } : {}),
readOnly: flags.includes('s'),
};
if (flags.includes('p'))
return new List((cursor) => send(cursor === undefined ? request : { ...request, query: { ...input, cursor } }, options));
return send(request, options).then(({ body }) => body);
};
}
