import type { Egress, Exchange, Post } from '#kernel/egress/egress.ts'

/** Sends one POST and returns a promise. */
export const post = (egress: Egress, url: string, request: Partial<Post> = {}): Promise<Exchange> =>
  new Promise((resolve) => {
    egress.post({ url, headers: { 'content-type': 'application/json' }, body: '{}', ...request }, resolve)
  })
