import { type Answered, type Question, ask } from './ask.ts'
import type { Keys } from './keys.ts'

export interface Seen {
  /** What was asked, in the words of the API. */
  what: string
  /** performance.now() when it was. */
  askedAt: number
  answer: Answered
}

/** Requests of every kind at a steady rate, whether the ones before were answered or not. */
export interface Load {
  answers: Seen[]
  /** What came of requests that had no answer, or one that is not announced. */
  broken: unknown[]
  /** Ends it and waits for what is under way. */
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
  const answers: Seen[] = []
  const broken: unknown[] = []
  const underWay = new Set<Promise<void>>()
  let contactId: string | undefined
  let count = 0

  async function send(what: string, question: Omit<Question, 'key'>): Promise<void> {
    const askedAt = performance.now()
    try {
      const answer = await ask(base, { ...question, key: keys.next() })
      answers.push({ what, askedAt, answer })
      if (what === 'POST /contacts' && answer.status === 201) contactId = answer.body['id'] as string
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
    answers,
    broken,
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}

/** Whether requests of every kind that were asked after that moment have had an answer with one of the statuses. */
export function allAnswered({ answers, broken }: Load, after: number, statuses: readonly number[]): boolean {
  if (broken.length > 0) throw broken[0]
  const seen = answers.filter(({ askedAt, answer }) => askedAt > after && statuses.includes(answer.status))
  return kinds.every((kind) => seen.some(({ what }) => what === kind))
}
