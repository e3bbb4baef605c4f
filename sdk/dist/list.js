import { GableError } from './error.js';
export class List {
#load;
#first;
constructor(load) {
this.#load = load;
}
then(onPage, onError) {
return (this.#first ??= this.#page()).then(onPage, onError);
}
async *[Symbol.asyncIterator]() {
let page = await this.then((first) => first);
for (;;) {
yield* page.data;
if (page.nextCursor === null)
return;
page = await this.#page(page.nextCursor);
if (page.cursorReset)
throw new GableError('cursor_reset', 'The cursor is stale. Read the list again.');
}
}
async #page(cursor) {
const { response, body } = await this.#load(cursor);
const { data, next_cursor: nextCursor = null } = body;
return { data, nextCursor, cursorReset: response.headers.get('x-cursor-reset') === 'true' };
}
}
