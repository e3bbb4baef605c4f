import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reach } from '#kernel/db/handles.ts'
import { raw, sql } from '#kernel/db/sql.ts'
import { asOwner } from '../support/database.ts'
import { type Seats, takeSeats } from './seats.ts'

let seats: Seats

beforeAll(async () => void (seats = await takeSeats()), 60_000)
afterAll(() => seats.app[Symbol.asyncDispose]())

describe('row-level security by member', () => {
  const Row = Type.Object({ id: Type.String() })

  test.each(['contacts', 'leads', 'contact_points', 'lead_consents', 'events'] as const)(
    'hides %s out of reach even from statements without a reach condition',
    async (table) => {
      const draft = { phone: '+13125550999', source: 'Web', skip_routing: true, consent: {} }
      const { id, contact_id } = (await seats.system.post('/leads', draft)).body
      const { own, other } = seats.of('agent').members
      const give = async (memberId: string | null) => {
        await asOwner(seats.app.databaseUrl, 'update contacts set owner_id = $2 where id = $1', [
          contact_id,
          memberId,
        ])
        await asOwner(seats.app.databaseUrl, 'update leads set assignee_id = $2 where id = $1', [
          id,
          memberId,
        ])
      }
      const { database } = seats.app.runtime
      const columns = {
        contacts: 'id',
        leads: 'id',
        contact_points: 'contact_id',
        lead_consents: 'lead_id',
        events: 'timeline_id',
      }
      const count = async (reach: Reach) => {
        const key = table === 'leads' || table === 'lead_consents' ? id : contact_id
        const query = sql`select ${raw(columns[table])} as id from ${raw(table)}
          where workspace_id = ${seats.workspace.id} and ${raw(columns[table])} = ${key}`
        const inTransaction = await database.transaction(
          seats.workspace.id,
          (tx) => tx.many(Row)(query),
          reach,
        )
        const alone = await database.reads(seats.workspace.id, reach).many(Row)(query)
        expect(inTransaction).toEqual(alone)
        const beyond = await database.transaction(
          seats.workspace.id,
          async (tx) => {
            await tx.many(Row)(query)
            const all = await tx.unrestricted().many(Row)(query)
            expect(await tx.many(Row)(query)).toEqual(alone)
            return all
          },
          reach,
        )
        expect(beyond.length).toBeGreaterThan(0)
        return alone.length
      }
      const mine = own === null ? [] : [own]
      await give(own)
      expect(await count(mine)).toBeGreaterThan(0)
      for (const memberId of [other, null]) {
        await give(memberId)
        expect(await count(mine)).toBe(0)
      }
      expect(await count([])).toBe(0)
      expect(await count('all')).toBeGreaterThan(0)
    },
  )
})
