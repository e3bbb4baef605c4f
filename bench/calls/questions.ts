import type { Reach } from '@gable/server/src/kernel/db/handles.ts'
import { createPage, newestFirst } from '@gable/server/src/kernel/http/paging.ts'
import { listCalls } from '@gable/server/src/modules/calls/queries.ts'
import type { Question } from '../question-times.ts'
import type { Brokerage } from '../records/scene.ts'
import { callId, contactId } from './fill.ts'

type Query = Parameters<typeof listCalls>[1]

/** Every filter alone, and the combinations that people use. */
const queries: readonly Query[] = [
  {},
  { contact_id: contactId(7) },
  { contact_id: contactId(7), handled_by: ['ai'] },
  { handled_by: ['ai'] },
  { handled_by: ['human'], direction: ['INBOUND'] },
  { direction: ['INBOUND'] },
  { disposition: ['interested'] },
  { disposition: ['wrong_number'] },
  { disposition: ['wrong_number'], handled_by: ['ai'] },
  { disposition: ['language_barrier'] },
  { status: ['completed'] },
  { status: ['queued'] },
  { status: ['busy'] },
  { status: ['queued'], direction: ['OUTBOUND'] },
  { status: ['completed'], disposition: ['appointment_set'] },
  { status: ['no_answer'], disposition: ['wrong_number'] },
]

/** Queries against a workspace with this many calls. */
export function questionsAbout({ workspaceId, memberIds }: Brokerage, count: number): Question[] {
  const agent: Reach = memberIds.slice(0, 1)
  return queries.flatMap((query) => {
    const entries = Object.entries(query)
    const named = entries.map(([name, value]) => `${name} ${value}`).join(', ') || 'no filter'
    const question = (what: string, reach: Reach, after: string | null): Question => ({
      kind: `${entries.length === 0 ? 'no filter' : 'filters'}${what}`,
      named,
      ask: (database) =>
        listCalls(
          database.reads(workspaceId, reach),
          query,
          createPage(after === null ? null : { id: after }, 50, '', newestFirst),
        ),
    })
    return [
      question('', 'all', null),
      question(', a later page', 'all', callId(Math.floor(count / 3))),
      question(', of an agent', agent, null),
    ]
  })
}
