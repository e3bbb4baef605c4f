import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../src/seed/random.ts'
import { type Answered, ask } from './ask.ts'
import type { Keys } from './keys.ts'

/** Contacts that come and change, by several clients at once. */
export interface Changes {
  /** Contacts whose creation was acknowledged. */
  created: Set<string>
  /** Requests that were refused, some of them after they had begun to write. */
  refused: number
  /** Requests that were told to come again, or had no answer. */
  unanswered: number
  /** What was answered otherwise. */
  surprises: unknown[]
  stop(): Promise<void>
}

const clients = 6
const nobody = 'c000000000000000000000000'

export function startChanges(
  base: string,
  tenants: readonly Keys[],
  random: Random,
  { every_ms = 60 } = {},
): Changes {
  let running = true
  const changes: Changes = {
    created: new Set(),
    refused: 0,
    unanswered: 0,
    surprises: [],
    async stop() {
      running = false
      await Promise.all(all)
    },
  }

  async function send(
    keys: Keys,
    method: string,
    path: string,
    body: unknown,
  ): Promise<Answered | undefined> {
    try {
      const answer = await ask(base, { method, path, key: keys.next(), body })
      if (answer.status < 300) return answer
      if (answer.status >= 500) changes.unanswered++
      else if (answer.status === 400 || answer.status === 404) changes.refused++
      else changes.surprises.push(answer)
    } catch (error) {
      if (error instanceof TypeError) changes.unanswered++
      else changes.surprises.push(error)
    }
    return undefined
  }
  async function change(keys: Keys): Promise<void> {
    const contact = { first_name: random.pick(['Ada', 'Zoë', '李']), last_name: `No. ${random.next()}` }
    // Its rows, its event and its deliveries are written when the database finds that there is no such owner.
    if (random.chance(0.15)) await send(keys, 'POST', '/contacts', { ...contact, owner_id: nobody })
    if (random.chance(0.05)) await send(keys, 'POST', '/contacts', { ...contact, stage: 'NONE' })
    const made = await send(keys, 'POST', '/contacts', contact)
    if (made === undefined) return
    const id = made.body['id'] as string
    changes.created.add(id)
    if (random.chance(0.5)) await send(keys, 'PATCH', `/contacts/${id}`, { stage: 'ACTIVE_CLIENT' })
    if (random.chance(0.2)) await send(keys, 'PATCH', `/contacts/${id}`, { email: 'not an address' })
    if (random.chance(0.3)) await send(keys, 'PATCH', `/contacts/${id}`, { tags: ['seen'] })
  }
  async function client(): Promise<void> {
    while (running) {
      await change(random.pick(tenants))
      await sleep(random.next() * 2 * every_ms)
    }
  }
  const all = Array.from({ length: clients }, client)
  return changes
}
