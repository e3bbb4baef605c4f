import type { CarriedMessage, MessageLog } from '../message-log.ts'
import { type Served, json } from '../served.ts'
import { resourceOf } from './resource.ts'

/** The account's messages, newest first, in pages. */
export function listCarried(log: MessageLog, account: string, query: URLSearchParams): Served {
  const all = log.newestFirst().filter((one) => one.account === account && matches(one, query))
  const size = Math.min(Math.max(Number(query.get('PageSize') ?? 50) || 50, 1), 1_000)
  const token = query.get('PageToken')?.slice(2)
  const start = token === undefined ? 0 : all.findIndex(({ id }) => id === token) + 1
  const messages = all.slice(start, start + size)
  const page = Number(query.get('Page') ?? 0)
  const last = messages.at(-1)
  const uriOf = (more: Record<string, string>) => {
    const next = new URLSearchParams([...query, ...Object.entries(more)])
    for (const [name, value] of Object.entries(more)) next.set(name, value)
    return `/2010-04-01/Accounts/${account}/Messages.json?${next}`
  }
  return json(200, {
    messages: messages.map(resourceOf),
    page,
    page_size: size,
    start,
    end: start + Math.max(messages.length - 1, 0),
    uri: uriOf({}),
    first_page_uri: uriOf({ Page: '0', PageSize: String(size) }),
    next_page_uri:
      last !== undefined && start + size < all.length
        ? uriOf({ Page: String(page + 1), PageSize: String(size), PageToken: `PA${last.id}` })
        : null,
    previous_page_uri: null,
  })
}

function matches({ to, from, sentAt }: CarriedMessage, query: URLSearchParams): boolean {
  const time = (name: string) => {
    const value = query.get(name)
    return value === null ? undefined : new Date(value).getTime()
  }
  const [after, before] = [time('DateSent>'), time('DateSent<')]
  return (
    to === (query.get('To') ?? to) &&
    from === (query.get('From') ?? from) &&
    (after === undefined || (sentAt !== null && sentAt.getTime() >= after)) &&
    (before === undefined || (sentAt !== null && sentAt.getTime() <= before))
  )
}
