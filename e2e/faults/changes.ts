import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@gable/server/src/seed/random.ts'
import { type TextResponse, ask } from './ask.ts'
import type { Keys } from './keys.ts'

/** Creates and changes contacts, with several clients at once. */
export interface Changes {
  /** Contacts whose creation was acknowledged. */
  created: Set<string>
  /** Requests that were rejected, some of them after they had written rows. */
  rejected: number
  /** Requests with a 503 or without a response. */
  interrupted: number
  /** Other responses. */
  surprises: unknown[]
  stop(): Promise<void>
}

const clients = 6
const missingOwner = 'c000000000000000000000000'

export function startChanges(
  base: string,
  tenants: readonly Keys[],
  random: Random,
  { every_ms = 60 } = {},
): Changes {
  let running = true
  const changes: Changes = {
    created: new Set(),
    rejected: 0,
    interrupted: 0,
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
  ): Promise<TextResponse | undefined> {
    try {
      const response = await ask(base, { method, path, key: keys.next(), body })
      if (response.status < 300) return response
      if (response.status >= 500) changes.interrupted++
      else if (response.status === 400 || response.status === 404) changes.rejected++
      else changes.surprises.push(response)
    } catch (error) {
      if (error instanceof TypeError) changes.interrupted++
      else changes.surprises.push(error)
    }
    return undefined
  }
  async function change(keys: Keys): Promise<void> {
    const contact = { first_name: random.pick(['Ada', 'Zoë', '李']), last_name: `No. ${random.next()}` }
    // The database detects the missing owner after the row, the event and the deliveries were written.
    if (random.chance(0.15)) await send(keys, 'POST', '/contacts', { ...contact, owner_id: missingOwner })
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
