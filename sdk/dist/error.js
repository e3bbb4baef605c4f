export class GableError extends Error {
constructor(code, message, { response, body = {}, cause } = {}) {
super(message, { cause });
this.name = 'GableError';
const header = (name) => response?.headers.get(name) ?? undefined;
const { details = [], reasons = [], retry_at: at } = body;
const wait = header('retry-after');
this.code = code;
this.status = response?.status ?? 0;
this.details = details;
this.reasons = reasons;
const until = at ?? (wait && (Date.now() + Number(wait) * 1000 || wait));
this.retryAt = until ? new Date(until) : undefined;
this.requestId = header('x-request-id');
this.body = { ...body };
}
}
export function errorOf(response, { error, error_description: text }) {
const body = typeof error === 'object' ? error : { code: error, message: text };
const { status } = response;
const { code = `http_${status}`, message = `The server sent status ${status}.` } = body;
return new GableError(code, message, { response, body: body });
}
