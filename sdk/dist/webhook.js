import { GableError } from './error.js';
export async function verifyWebhook(rawBody, headers, secrets, { tolerance = 300 } = {}) {
const body = typeof rawBody === 'string' ? bytesOf(rawBody) : new Uint8Array(rawBody);
const header = (name) => headerOf(headers, name);
const at = header('webhook-timestamp');
const isStandard = header('webhook-signature') !== '';
const signatures = isStandard
? header('webhook-signature')
.split(' ')
.filter((one) => one.startsWith('v1,'))
.map((one) => fromBase64(one.slice(3)))
: ['', '-previous'].map((end) => fromHex(header(`x-webhook-signature${end}`)));
const signed = isStandard ? joined(bytesOf(`${header('webhook-id')}.${at}.`), body) : body;
let isGenuine = false;
for (const secret of [secrets].flat()) {
const key = isStandard ? fromBase64(secret.replace('whsec_', '')) : bytesOf(secret);
for (const signature of signatures)
isGenuine = (await matches(key, signature, signed)) || isGenuine;
}
if (!isGenuine)
throw new GableError('invalid_signature', 'No signature of the delivery matches a secret.');
if (isStandard && !(Math.abs(Date.now() / 1000 - Number(at)) <= tolerance))
throw new GableError('webhook_expired', 'The delivery is too old, or a clock is wrong.');
return JSON.parse(new TextDecoder().decode(body));
}
async function matches(key, signature, data) {
if (key.length === 0)
return false;
const algorithm = { name: 'HMAC', hash: 'SHA-256' };
const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
return crypto.subtle.verify('HMAC', imported, signature, data);
}
const bytesOf = (text) => new TextEncoder().encode(text);
function joined(one, other) {
const all = new Uint8Array(one.length + other.length);
all.set(one);
all.set(other, one.length);
return all;
}
const fromHex = (text) => Uint8Array.from(/^sha256=((?:[\da-f]{2})*)$/.exec(text)?.[1]?.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
function fromBase64(text) {
try {
return Uint8Array.from(atob(text), (letter) => letter.codePointAt(0) ?? 0);
}
catch {
return new Uint8Array();
}
}
const headerOf = (headers, name) => String((headers instanceof Headers
? headers.get(name)
: Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1]) ?? '');
