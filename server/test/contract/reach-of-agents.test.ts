import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { scopesOf } from '../../src/modules/access/public.ts'
import { suppress } from '../../src/modules/compliance/public.ts'
import { changeMember } from '../../src/modules/workspaces/public.ts'
import { asOwner } from '../support/database.ts'
import { type Seats, takeSeats } from './seats.ts'

let seats: Seats

beforeAll(async () => void (seats = await takeSeats()), 60_000)
afterAll(() => seats.app[Symbol.asyncDispose]())

describe('a key that acts for a member', () => {
  test('has the scopes that both key and role allow, and its contacts belong to the member', async () => {
    const { client, members } = seats.of('key of an agent')
    const { scopes, credential } = (await client.get('/ping')).body
    expect(new Set(scopes)).toEqual(new Set(scopesOf('agent')))
    expect(credential.type).toBe('api_key')
    const { body } = await client.post('/contacts', { first_name: 'Ada' })
    expect(body['owner_id']).toBe(members.own)
  })

  test('follows the member’s role and stops working when the member is deactivated', async () => {
    const member = await seats.workspace.member()
    const client = await seats.workspace.keyFor(member.id)
    const status = async (path: string) => (await client.get(path)).status
    expect([await status('/contacts'), await status('/webhooks')]).toEqual([200, 403])
    await changeMember(seats.workspace.ctx, member.id, { role: 'developer' })
    expect([await status('/contacts'), await status('/webhooks')]).toEqual([403, 200])
    await changeMember(seats.workspace.ctx, member.id, { active: false })
    expect(await status('/webhooks')).toBe(401)
    await expect(seats.workspace.keyFor(member.id)).rejects.toMatchObject({ status: 404 })
    await expect(seats.workspace.keyFor(newId(seats.app.clock.now()))).rejects.toMatchObject({ status: 404 })
  })
})

describe('an agent', () => {
  const phone = (n: number) => `+1312555${String(n).padStart(4, '0')}`

  test('owns the contacts they create and cannot assign them to members out of reach', async () => {
    const { client, members } = seats.of('agent')
    const { id, owner_id } = (await client.post('/contacts', { first_name: 'Ada' })).body
    expect(owner_id).toBe(members.own)
    for (const whose of ['team', 'other'] as const) {
      const named = { owner_id: members[whose] }
      expect((await client.post('/contacts', named)).status).toBe(404)
      expect((await client.patch(`/contacts/${id}`, named)).status).toBe(404)
    }
    expect(await client.patch(`/contacts/${id}`, { owner_id: null })).toMatchObject({ status: 200 })
    expect((await client.get(`/contacts/${id}`)).status).toBe(404)
  })

  test('sees an offered lead without personal data until they claim it', async () => {
    const { client, members } = seats.of('agent')
    const draft = {
      phone: phone(1),
      first_name: 'Zoe',
      source: 'Web',
      context: { zip: '60601' },
      skip_routing: true,
    }
    const { id } = (await seats.system.post('/leads', draft)).body
    expect((await client.get(`/leads/${id}`)).status).toBe(404)
    await asOwner(
      seats.app.databaseUrl,
      "update leads set waits_for = 'claim', offered_to = array[$2] where id = $1",
      [id, members.own],
    )
    const withheld = { first_name: null, phone: null, context: null }
    expect((await client.get(`/leads/${id}`)).body).toMatchObject({ source: 'Web', ...withheld })
    const { data } = (await client.get('/leads?limit=200')).body
    expect(data.find((lead: { id: string }) => lead.id === id)).toMatchObject(withheld)
    expect((await client.patch(`/leads/${id}`, { status: 'contacted' })).status).toBe(404)
    expect((await client.post(`/leads/${id}/claim`, { member_id: members.other })).status).toBe(404)
    const claimed = await client.post(`/leads/${id}/claim`, { member_id: members.own })
    expect(claimed.body).toMatchObject({ first_name: 'Zoe', phone: phone(1), status: 'claimed' })
    const contact = await client.get(`/contacts/${claimed.body['contact_id']}`)
    expect(contact.body).toMatchObject({ owner_id: members.own, first_name: 'Zoe' })
  })

  test('captures a lead for another agent’s contact without seeing that contact', async () => {
    const { client, members } = seats.of('agent')
    const known = (
      await seats.system.post('/contacts', { first_name: 'Bo', phone: phone(2), owner_id: members.other })
    ).body
    const draft = { phone: phone(2), first_name: 'Bo', source: 'Web', skip_routing: true }
    for (const headers of [{}, { 'idempotency-key': 'bo' }]) {
      const { status, body } = await client.post('/leads', draft, headers)
      expect([status, body['contact_id'], body['first_name']]).toEqual([201, null, 'Bo'])
      expect((await client.get(`/leads/${body['id']}`)).status).toBe(404)
      expect((await seats.system.get(`/leads/${body['id']}`)).body['contact_id']).toBe(known.id)
    }
  })

  test('converts another agent’s lead by moving its contact to ACTIVE_CLIENT', async () => {
    const { client, members } = seats.of('agent')
    const { id, contact_id } = (await seats.system.post('/leads', { phone: phone(3), source: 'Web' })).body
    await asOwner(seats.app.databaseUrl, 'update contacts set owner_id = $2 where id = $1', [
      contact_id,
      members.own,
    ])
    await asOwner(seats.app.databaseUrl, 'update leads set assignee_id = $2 where id = $1', [
      id,
      members.other,
    ])
    const moved = await client.patch(`/contacts/${contact_id}`, { stage: 'ACTIVE_CLIENT' })
    expect(moved.status).toBe(200)
    expect((await seats.system.get(`/leads/${id}`)).body['status']).toBe('converted')
  })

  test('sees an opt-out on their lead even if they do not own the contact', async () => {
    const { client, members } = seats.of('agent')
    const { id, contact_id } = (
      await seats.system.post('/leads', { phone: phone(4), source: 'Web', skip_routing: true })
    ).body
    await asOwner(seats.app.databaseUrl, 'update leads set assignee_id = $2 where id = $1', [id, members.own])
    const subject = { type: 'contact' as const, value: contact_id as string }
    await suppress(seats.workspace.ctx, [
      { subject, kind: 'opted_out', channels: ['sms'], source: 'operator' },
    ])
    const [agents, systems] = [await client.get(`/leads/${id}`), await seats.system.get(`/leads/${id}`)]
    expect(agents.body).toEqual({ ...systems.body, contact_id: null })
    expect(agents.body['ai_outbound_blockers']).toContain('opted_out')
  })
})
