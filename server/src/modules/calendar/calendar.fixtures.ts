import { newId } from '#kernel/ids.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, idOf, insertMember } from '#test/support/fixtures.ts'

let tasks = 0
let members = 0

/** Later than any test's clock. */
const firstMs = Date.parse('2050-01-01T00:00:00Z')

const give = (statement: string) => async (id: string, memberId: string | null) =>
  asOwner(await workerDatabase(), statement, [id, memberId])

const attendees = [
  [],
  [{ name: 'Bo Lind', email: 'bo@lind.example' }, { name: 'Cy' }, { email: 'dee@lind.example' }],
  Array.from({ length: 50 }, (_, i) => ({ name: `Guest ${i}` })),
]

export const fixtures: Fixtures = {
  records: {
    // Titles must differ, because identical tasks created within a minute are deduplicated.
    '/tasks/{id}': async (agent) => [idOf(await agent.post('/tasks', { title: `Task ${++tasks}` }))],
  },
  lists: {
    '/tasks': {
      insert: async (agent) => idOf(await agent.post('/tasks', { title: `Task ${++tasks}` })),
      remove: (agent, row) => agent.delete(`/tasks/${row}`),
    },
    '/availability': {
      async insert(agent) {
        const id = newId(new Date(firstMs + ++members))
        await insertMember(agent, id)
        return id
      },
    },
  },
  owners: {
    '/appointments/{id}': give('update appointments set host_id = $2 where id = $1'),
    '/tasks/{id}': give('update tasks set assignee_id = $2 where id = $1'),
  },
  reset: {
    'POST /tasks/{id}/restore': async (id) =>
      asOwner(await workerDatabase(), 'update tasks set deleted_at = updated_at where id = $1', [id]),
  },
  values: {
    'POST /appointments attendees': attendees,
    'PATCH /appointments/{id} attendees': attendees,
    'POST /appointments timezone': ['America/Chicago', 'UTC'],
    'PATCH /appointments/{id} timezone': ['America/Chicago', 'UTC', null],
    'POST /appointments meeting_url': ['https://meet.example/abc', 'zoommtg:123'],
    'PATCH /appointments/{id} meeting_url': ['https://meet.example/abc', null],
  },
}
