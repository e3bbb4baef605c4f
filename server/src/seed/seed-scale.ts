import { type Runtime, createContext } from '#kernel/context.ts'
import { allScopes, createApiKey, defaultLifetimeDays } from '../modules/access/public.ts'
import { createContact, stages } from '../modules/contacts/public.ts'
import { createWorkspace } from '../modules/workspaces/public.ts'
import { inOneTransaction } from './batch.ts'
import type { CastMember, Staffing } from './brokerage.ts'
import { people } from './cast/people.ts'
import { dayMs } from './diary.ts'
import { hire } from './hire.ts'
import { seededRandom } from './random.ts'
import type { SeedOptions } from './seed-demo.ts'
import { writeStory } from './story.ts'

export const maxScale = 5_000_000
export const contactsOfWorkspace = 5000
/** How many workspaces get an API key each. */
export const keyedWorkspaces = 10

const batchSize = 1000
const atOnce = 4

export interface ScaledWorkspace {
  id: string
  name: string
  contacts: number
  /** Only for the first ten workspaces: all scopes, 90 days. */
  api_key?: string
}

/**
 * Adds workspaces with `count` contacts in total, about five thousand each, for load tests. The regular use case
 * creates each contact with its event, a thousand per transaction. An aborted run keeps what it has committed.
 */
export async function seedScale(
  runtime: Runtime,
  count: number,
  { onProgress = () => undefined }: SeedOptions,
): Promise<ScaledWorkspace[]> {
  const workspaceCount = Math.max(1, Math.floor(count / contactsOfWorkspace))
  const workspaces: ScaledWorkspace[] = []
  let done = 0
  let next = 0
  async function fillNext(): Promise<void> {
    for (let place = next++; place < workspaceCount; place = next++) {
      const contacts =
        Math.floor(((place + 1) * count) / workspaceCount) - Math.floor((place * count) / workspaceCount)
      workspaces[place] = await addWorkspace(runtime, place, contacts, (made) => {
        done += made
        onProgress({
          label: `${workspaceCount} workspace${workspaceCount === 1 ? '' : 's'}`,
          done,
          total: count,
        })
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, fillNext))
  return workspaces
}

async function addWorkspace(
  runtime: Runtime,
  place: number,
  contacts: number,
  onMade: (made: number) => void,
): Promise<ScaledWorkspace> {
  const actor = { type: 'system', id: null, name: 'Load data' }
  const now = runtime.clock.now()
  const { id, name } = await createWorkspace(
    runtime,
    `Load ${place + 1} of ${now.toISOString().slice(0, 16).replace('T', ' ')}`,
    actor,
  )
  const { agents } = await inOneTransaction(runtime, id, (batch) => {
    batch.clock.stand(new Date(now.getTime() - (ageDays + 30) * dayMs))
    return hire(batch, id, crew, now)
  })
  const random = seededRandom(place + 1)
  const crowd = people(random)
  for (let from = 0; from < contacts; from += batchSize) {
    const size = Math.min(batchSize, contacts - from)
    await inOneTransaction(runtime, id, async ({ runtime: inside, clock }) => {
      for (let i = from; i < from + size; i++) {
        const daysAgo = 1 + Math.floor(ageDays * (1 - i / contacts))
        const { at, agent, draft } = writeStory(random, crowd.next().value, {
          agents,
          end: now,
          daysAgo,
          leadDays: 0,
          path: ['LEAD'],
        })
        clock.stand(at)
        const ctx = createContext(inside, {
          workspaceId: id,
          actor: agent.actor,
          scopes: new Set(allScopes),
        })
        await createContact(ctx, { ...draft, stage: random.pick(stages) })
      }
    })
    onMade(size)
  }
  if (place >= keyedWorkspaces) return { id, name, contacts }
  const { key } = await createApiKey(
    createContext(runtime, { workspaceId: id, actor, scopes: new Set(allScopes) }),
    {
      name: 'Load',
      scopes: allScopes,
      expires_in_days: defaultLifetimeDays,
    },
  )
  return { id, name, contacts, api_key: key }
}

const member = (n: number): CastMember => ({
  name: `Agent ${n}`,
  email: `agent${n}@load.example`,
  role: n === 1 ? 'owner' : 'agent',
  office: null,
  teams: [],
  share: n,
})

const crew: Staffing = { offices: [], teams: [], members: [1, 2, 3, 4, 5].map(member) }

const ageDays = 540
