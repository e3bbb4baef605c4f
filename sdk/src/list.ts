import { GableError } from './error.js'
import type { ApiResponse } from './transport.js'

/** One page of a list. */
export interface Page<T> {
  data: T[]
  /** Pass it as `cursor` to get the next page. Null on the last page. */
  nextCursor: string | null
  /** Whether the cursor was stale, and this is the first page. */
  cursorReset: boolean
}

/**
 * A list. `await` it for one page, or iterate over it for all items. Nothing is requested before.
 */
export class List<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #load: (cursor?: string) => Promise<ApiResponse>
  #first: Promise<Page<T>> | undefined

  constructor(load: (cursor?: string) => Promise<ApiResponse>) {
    this.#load = load
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a list can be awaited
  then<A = Page<T>, B = never>(
    onPage?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return (this.#first ??= this.#page()).then(onPage, onError)
  }

  /** Throws `GableError` with the code `cursor_reset` if the list would begin again. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let page = await this.then((first) => first)
    for (;;) {
      yield* page.data
      if (page.nextCursor === null) return
      page = await this.#page(page.nextCursor)
      if (page.cursorReset) throw new GableError('cursor_reset', 'The cursor is stale. Read the list again.')
    }
  }

  async #page(cursor?: string): Promise<Page<T>> {
    const { response, body } = await this.#load(cursor)
    const { data, next_cursor: nextCursor = null } = body as { data: T[]; next_cursor?: string | null }
    return { data, nextCursor, cursorReset: response.headers.get('x-cursor-reset') === 'true' }
  }
}
