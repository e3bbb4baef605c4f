/** A member of the request that caused an error. */
export interface Detail {
    path: string;
    message: string;
}
/** The part of an error response that the SDK reads, in the form of the API or of OAuth. */
interface ErrorBody {
    error?: string | ErrorMembers;
    error_description?: string;
}
interface ErrorMembers {
    code?: string;
    message?: string;
    details?: Detail[];
    reasons?: string[];
    retry_at?: string | null;
}
/**
 * Any failure of a request. Branch on `code`: that of the response, or `connection_failed`, `timeout`,
 * `unreadable_response`, `cursor_reset`, `invalid_signature`, `webhook_expired`, or `invalid_callback`.
 */
export declare class GableError extends Error {
    readonly name = "GableError";
    readonly code: string;
    /** The status of the response. 0 without a response. */
    readonly status: number;
    readonly details: readonly Detail[];
    /** Every gate that forbids a message or a call. */
    readonly reasons: readonly string[];
    /** When the same request may succeed. */
    readonly retryAt: Date | undefined;
    /** Include it when you report a problem. */
    readonly requestId: string | undefined;
    /** All members of the error, also those without a property of their own, such as `message_id`. */
    readonly body: Readonly<Record<string, unknown>>;
    constructor(code: string, message: string, { response, body, cause }?: {
        response?: Response;
        body?: ErrorMembers;
        cause?: unknown;
    });
}
/** The error that a response states. */
export declare function errorOf(response: Response, { error, error_description: text }: ErrorBody): GableError;
export {};
