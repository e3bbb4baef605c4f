import { type TextResponse, type Question, ask } from './ask.ts'
import type { Keys } from './keys.ts'

export interface Seen {
  /** The request's method and path. */
  what: string
  /** performance.now() at its start. */
  askedAt: number
  response: TextResponse
}

/** Sends requests of every kind at a constant rate, without waiting for earlier responses. */
export interface Load {
  responses: Seen[]
  /** Errors of requests without a response, or with one that the OpenAPI document does not have. */
  broken: unknown[]
  /** Stops and waits for running requests. */
  stop(): Promise<void>
}

const every_ms = 25
const kinds = [
  'GET /contacts',
  'GET /contacts?q=',
  'GET /contacts/{id}',
  'POST /contacts',
  'POST /contacts/{id}/notes',
]

export function startLoad(base: string, keys: Keys): Load {
  const responses: Seen[] = []
  const broken: unknown[] = []
  const underWay = new Set<Promise<void>>()
  let contactId: string | undefined
  let count = 0

  async function send(what: string, question: Omit<Question, 'key'>): Promise<void> {
    const askedAt = performance.now()
    try {
      const response = await ask(base, { ...question, key: keys.next() })
      responses.push({ what, askedAt, response })
      if (what === 'POST /contacts' && response.status === 201) contactId = response.body['id'] as string
    } catch (error) {
      broken.push(error)
    }
  }
  function questions(): Record<string, Omit<Question, 'key'>> {
    const n = ++count
    const post = { method: 'POST', idempotencyKey: `load-${n}` }
    const known = `/contacts/${contactId}`
    return {
      'GET /contacts': { path: '/contacts?limit=5' },
      'GET /contacts?q=': { path: '/contacts?limit=5&q=load' },
      'POST /contacts': { ...post, path: '/contacts', body: { last_name: `Load ${n}` } },
      ...(contactId === undefined
        ? {}
        : {
            'GET /contacts/{id}': { path: known },
            'POST /contacts/{id}/notes': { ...post, path: `${known}/notes`, body: { body: `Load ${n}` } },
          }),
    }
  }
  const timer = setInterval(() => {
    for (const [what, question] of Object.entries(questions())) {
      const sent = send(what, question).finally(() => underWay.delete(sent))
      underWay.add(sent)
    }
  }, every_ms)

  return {
    responses,
    broken,
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}

/** Whether requests of every kind that started after that moment got a response with one of the statuses. */
export function allResponded(
  { responses, broken }: Load,
  after: number,
  statuses: readonly number[],
): boolean {
  if (broken.length > 0) throw broken[0]
  const seen = responses.filter(
    ({ askedAt, response }) => askedAt > after && statuses.includes(response.status),
  )
  return kinds.every((kind) => seen.some(({ what }) => what === kind))
}
