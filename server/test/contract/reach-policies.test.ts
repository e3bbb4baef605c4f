import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { raw, sql } from '#kernel/db/sql.ts'
import type { Reach } from '#kernel/reach.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { asOwner } from '../support/database.ts'
import { type Seat, type Who, takeSeats } from './seats.ts'

let app: TestApp
let workspace: TestWorkspace
let system: Client
let seat: (who: Who) => Seat

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  system = await workspace.credential()
  seat = await takeSeats(app, workspace)
}, 60_000)

afterAll(() => app[Symbol.asyncDispose]())

describe('row-level security by member', () => {
  const Row = Type.Object({ id: Type.String() })

  test.each(['contacts', 'leads', 'contact_points', 'lead_consents', 'events'] as const)(
    'hides %s out of reach from statements that forget the reach',
    async (table) => {
      const draft = { phone: '+13125550999', source: 'Web', skip_routing: true, consent: {} }
      const { id, contact_id } = (await system.post('/leads', draft)).body
      const { own, other } = seat('agent').members
      const give = async (memberId: string | null) => {
        await asOwner(app.databaseUrl, 'update contacts set owner_id = $2 where id = $1', [
          contact_id,
          memberId,
        ])
        await asOwner(app.databaseUrl, 'update leads set assignee_id = $2 where id = $1', [id, memberId])
      }
      const { database } = app.runtime
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
          where workspace_id = ${workspace.id} and ${raw(columns[table])} = ${key}`
        const inTransaction = await database.transaction(workspace.id, (tx) => tx.many(Row)(query), reach)
        const alone = await database.reads(workspace.id, reach).many(Row)(query)
        expect(inTransaction).toEqual(alone)
        const beyond = await database.transaction(
          workspace.id,
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
