import { openDatabase } from '@gable/server/src/kernel/db/database.ts'
import { createPage, newestFirst } from '@gable/server/src/kernel/http/paging.ts'
import { createLog } from '@gable/server/src/kernel/log.ts'
import { type Stage, stages } from '@gable/server/src/modules/contacts/contact.ts'
import { listContacts, searchContacts } from '@gable/server/src/modules/contacts/queries.ts'
import { contactTerms } from '@gable/server/src/modules/contacts/search-form.ts'
import { connected } from './databases.ts'
import { lastNameElsewhere, rareLastName } from './dataset/names.ts'
import { progress } from './progress.ts'
import { percentile } from './statistics.ts'

interface Question {
  kind: string
  q?: string
  /** Whether to also search email and phone, as with contacts:read:pii. */
  withDetails?: boolean
  tag?: string
  stage?: Stage
}

export interface SearchTime {
  kind: string
  /** Milliseconds, over all calls of this kind. */
  p50: number
  p99: number
  /** The question with the greatest median. */
  worst: string
  worstMedian: number
}

const ask = (kind: string, ...qs: string[]): Question[] => qs.map((q) => ({ kind, q }))
const askDetails = (kind: string, ...qs: string[]): Question[] =>
  qs.map((q) => ({ kind, q, withDetails: true }))

const questions: Question[] = [
  ...ask('q: frequent name', 'smith', 'james', 'mary', 'son'),
  ...ask('q: rare name', rareLastName, 'abernathy', 'quintero'),
  ...ask('q: frequent, but in other workspaces', lastNameElsewhere),
  ...ask('q: absent', 'zzyzx', 'wolfeschlegel'),
  ...ask('q: two letters, frequent', 'ma', 'jo'),
  ...ask('q: two letters, rare', 'xu', 'ek'),
  ...ask('q: two letters, absent', 'qz', 'xq'),
  ...ask('q: one letter', 'a', 'z', 'q', '7'),
  ...ask('q: two words', 'mary smith', 'jo sm', 'ngoc abernathy', `james ${lastNameElsewhere}`, 'zo qz'),
  ...askDetails('q with details: phone digits', '5550123', '3125550123', '0142', '9995550123'),
  ...askDetails(
    'q with details: phone as written',
    '(312) 555-0123',
    '1 312 555 0123',
    '555-0123',
    '312-555',
    '999 555',
  ),
  ...ask(
    'q: marks and special letters',
    "O'Brien",
    'o brien',
    'sondergaard',
    "d'angelo",
    'abernathy-quintero',
  ),
  ...askDetails('q with details: email', 'mary.smith', 'ngoc.xu1', 'example.com', 'absent@example'),
  ...askDetails('q with details: two letters', 'ma', '12', 'qz', '#!'),
  ...['buyer', 'luxury'].map((tag) => ({ kind: 'tag: frequent', tag })),
  { kind: 'tag: rare', tag: 'probate' },
  { kind: 'tag: absent', tag: 'no-such-tag' },
  { kind: 'tag and q', tag: 'probate', q: 'smith' },
  { kind: 'tag and q', tag: 'buyer', q: 'abernathy' },
  ...stages.map((stage) => ({ kind: 'stage', stage })),
  ...stages.slice(0, 3).map((stage) => ({ kind: 'stage and q', stage, q: 'smith' })),
  { kind: 'stage and tag', stage: 'TRASH' as const, tag: 'probate' },
]

const page = createPage(null, 50, '', newestFirst)

/**
 * Asks each question `times` times in the largest workspace, in mixed order, with the product's own statements and
 * roles. Measures on the client: database time and one round trip.
 */
export async function timeSearches(databaseUrl: string, times: number): Promise<SearchTime[]> {
  const workspaceId = await largestWorkspace(databaseUrl)
  await using database = openDatabase({ url: databaseUrl, log: createLog('warn'), checked: false })
  const taken = new Map<Question, number[]>(questions.map((question) => [question, []]))
  for (let round = 0; round < times; round++) {
    // Change the order each round, so that the previous question leaves different data in the caches.
    for (let i = 0; i < questions.length; i++) {
      const question = questions[(i * 7 + round * 11) % questions.length]
      if (question === undefined) continue
      const { q = '', tag, stage, withDetails = false } = question
      const filters = {
        ...(tag === undefined ? {} : { tag }),
        ...(stage === undefined ? {} : { stage: [stage] }),
      }
      const terms = contactTerms(q)
      const started = performance.now()
      if (terms !== null && terms.length === 0 && tag === undefined)
        await listContacts(database.reads(workspaceId), filters, page)
      else if (terms !== null)
        await searchContacts(database.searches(workspaceId), filters, { terms, withDetails }, page)
      taken.get(question)?.push(performance.now() - started)
    }
    if (round % 10 === 0) progress(`searches: ${round} of ${times} times`)
  }
  const named = [...taken].map(([{ kind, q, tag, stage }, durations]): [Named, number[]] => [
    { kind, named: [stage, tag, q].filter((part) => part !== undefined).join(' + ') },
    durations,
  ])
  return summarize(new Map(named))
}

interface Named {
  kind: string
  named: string
}

/** The times of each kind of question, and of all questions together. */
export function summarize(taken: ReadonlyMap<Named, number[]>): SearchTime[] {
  const kinds = [...Map.groupBy(taken, ([{ kind }]) => kind)].map(([kind, asked]) => summary(kind, asked))
  return [...kinds, summary('all of them', [...taken])]
}

function summary(kind: string, asked: [Named, number[]][]): SearchTime {
  const sorted = (values: number[]) => values.toSorted((a, b) => a - b)
  const all = sorted(asked.flatMap(([, durations]) => durations))
  const medians = asked.map(([question, durations]) => ({
    question,
    median: percentile(sorted(durations), 0.5),
  }))
  const [worst] = medians.toSorted((a, b) => b.median - a.median)
  return {
    kind,
    p50: percentile(all, 0.5),
    p99: percentile(all, 0.99),
    worst: worst?.question.named ?? '',
    worstMedian: worst?.median ?? Number.NaN,
  }
}

async function largestWorkspace(databaseUrl: string): Promise<string> {
  return connected(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'select workspace_id as id from contacts group by workspace_id order by count(*) desc limit 1',
    )
    if (rows[0] === undefined) throw new Error('There are no contacts.')
    return rows[0].id
  })
}
