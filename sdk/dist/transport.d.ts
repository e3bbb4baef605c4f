/** What a single call may set, as its last argument. */
export interface CallOptions {
    /** For a POST: the key under which it happens once. By default, a random one for each call. */
    idempotencyKey?: string;
    /** The `updated_at` of the version that the change is based on: 412 if the record has changed since. */
    ifMatch?: string;
    /** Milliseconds that each try may take. */
    timeout?: number;
    /** Milliseconds after the start of the call in which it may be tried again. 0: never. */
    retryFor?: number;
    signal?: AbortSignal;
}
/** How requests are authenticated. */
export interface Credential {
    headers(method: string, path: string): Promise<Record<string, string>>;
    /** Called once when a request gets a 401, before it is sent again. */
    renew?(): Promise<unknown>;
}
export interface TransportOptions {
    /** Of the API, with its version. */
    url: string;
    credential: Credential;
    timeout: number;
    retryFor: number;
    fetch: typeof fetch;
}
export interface ApiRequest {
    method: string;
    path: string;
    query?: object | undefined;
    body?: unknown;
    /** A POST that changes nothing: it is repeated without a key. */
    readOnly?: boolean;
}
/** A response with its JSON body. */
export interface ApiResponse {
    response: Response;
    body: unknown;
}
export type Send = (request: ApiRequest, options?: CallOptions) => Promise<ApiResponse>;
/**
 * Sends requests, and repeats those that are safe to repeat: GET, DELETE, POST with a key or without an effect, and
 * changes with `ifMatch`. A 429 was not carried out, so any request is repeated. Waits with full jitter, and at least for
 * `Retry-After`. Throws `GableError`, or the reason of the caller's signal.
 */
export declare function createTransport({ url, credential, timeout, retryFor, fetch: send }: TransportOptions): Send;
/** One try. Throws `GableError`, or the reason of the caller's signal. */
export declare function exchange(send: typeof fetch, url: string, init: RequestInit, timeout: number, signal?: AbortSignal): Promise<ApiResponse>;
