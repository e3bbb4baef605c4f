import type { ApiResponse } from './transport.js';
/** One page of a list. */
export interface Page<T> {
    data: T[];
    /** Pass it as `cursor` to get the next page. Null on the last page. */
    nextCursor: string | null;
    /** Whether the cursor was stale, and this is the first page. */
    cursorReset: boolean;
}
/**
 * A list. `await` it for one page, or iterate over it for all items. Nothing is requested before.
 */
export declare class List<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
    #private;
    constructor(load: (cursor?: string) => Promise<ApiResponse>);
    then<A = Page<T>, B = never>(onPage?: ((page: Page<T>) => A | PromiseLike<A>) | null, onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<A | B>;
    /** Throws `GableError` with the code `cursor_reset` if the list would begin again. */
    [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined>;
}
