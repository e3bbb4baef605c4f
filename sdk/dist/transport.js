import { GableError, errorOf } from './error.js';
const tries = 3;
const backoffMs = 500;
const transient = new Set([0, 408, 429, 500, 502, 503, 504]);
export function createTransport({ url, credential, timeout, retryFor, fetch: send }) {
return async ({ method, path, query = {}, body, readOnly = false }, options = {}) => {
const { idempotencyKey, ifMatch, signal, timeout: limit = timeout, retryFor: patience = retryFor, } = options;
const headers = {};
if (body !== undefined)
headers['content-type'] = 'application/json';
if (method === 'POST' && !readOnly)
headers['idempotency-key'] = idempotencyKey ?? crypto.randomUUID();
if (ifMatch !== undefined)
headers['if-match'] = /^["*]/.test(ifMatch) ? ifMatch : `"${ifMatch}"`;
const isSafe = !/^P(ATCH|UT)$/.test(method) || ifMatch !== undefined;
const lastStart = Date.now() + patience;
let canRenew = credential.renew !== undefined;
for (let attempt = 1;;) {
const init = {
method,
headers: { ...headers, ...(await credential.headers(method, path)) },
...(body === undefined ? {} : { body: JSON.stringify(body) }),
};
try {
return await exchange(send, url + path + searchOf(query), init, limit, signal);
}
catch (error) {
if (!(error instanceof GableError))
throw error;
if (error.status === 401 && canRenew) {
canRenew = false;
await credential.renew?.();
continue;
}
const isPassing = transient.has(error.status) || error.code === 'idempotency_in_progress';
const wait = Math.max(0, (error.retryAt?.getTime() ?? 0) - Date.now());
const delay = wait + Math.random() * backoffMs * 2 ** attempt;
if (!isPassing || !(isSafe || error.status === 429))
throw error;
if (attempt++ === tries || Date.now() + delay > lastStart)
throw error;
await pause(delay, signal);
}
}
};
}
export async function exchange(send, url, init, timeout, signal) {
signal?.throwIfAborted();
const abort = new AbortController();
const forward = () => abort.abort(signal?.reason);
signal?.addEventListener('abort', forward);
const timer = setTimeout(() => abort.abort(new GableError('timeout', 'The server took too long.')), timeout);
let response;
let text;
try {
response = await send(url, { ...init, signal: abort.signal });
text = await response.text();
}
catch (cause) {
if (abort.signal.aborted)
throw abort.signal.reason;
throw new GableError('connection_failed', 'The server cannot be reached.', { cause });
}
finally {
clearTimeout(timer);
signal?.removeEventListener('abort', forward);
}
const body = parsed(text);
if (!response.ok)
throw errorOf(response, body ?? {});
if (body === undefined)
throw new GableError('unreadable_response', 'The response is not JSON.', { response });
return { response, body };
}
function parsed(text) {
try {
return JSON.parse(text || '{}');
}
catch {
return undefined;
}
}
function searchOf(query) {
const given = Object.entries(query).filter(([, value]) => value !== undefined);
return given.length === 0
? ''
: `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
const pause = (ms, signal) => new Promise((resolve, reject) => {
const stop = () => {
clearTimeout(timer);
reject(signal?.reason);
};
const timer = setTimeout(() => {
signal?.removeEventListener('abort', stop);
resolve();
}, ms);
signal?.addEventListener('abort', stop);
});
