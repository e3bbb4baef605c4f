import { orNotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, idOf } from '#test/support/fixtures.ts'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const values = {
  enabled: [true, false],
  channels: [['SMS'], ['SMS', 'WHATSAPP', 'EMAIL']],
  languages: [['en'], ['es', 'en']],
  active_hours: [[], [{ days, from: '22:00', to: '06:00' }]],
  handoff: [{}, { message: 'One moment.' }],
}

async function insertVersion({ workspace }: Client, personaId: string): Promise<string> {
  const id = newId(new Date())
  await asOwner(
    await workerDatabase(),
    `insert into persona_versions (workspace_id, id, persona_id, version, content, created_at)
     select workspace_id, $2, persona_id, version + 1, content, now() from persona_versions
     where workspace_id = $1 and persona_id = $3 order by version desc limit 1`,
    [orNotFound(workspace).id, id, personaId],
  )
  return id
}

const addPersona = async (agent: Client) =>
  idOf(await agent.post('/personas', { name: 'Alder', disclosure: 'An AI writes.' }))

export const fixtures: Fixtures = {
  records: {
    // With two versions.
    '/personas/{id}': async (agent) => {
      const id = await addPersona(agent)
      await insertVersion(agent, id)
      await asOwner(await workerDatabase(), 'update personas set version = 2 where id = $1', [id])
      return [id]
    },
  },
  lists: {
    '/personas/{id}/versions': {
      parent: addPersona,
      insert: insertVersion,
    },
  },
  values: Object.fromEntries(
    Object.entries(values).flatMap(([name, known]) => [
      [`POST /personas ${name}`, known],
      [`PATCH /personas/{id} ${name}`, known],
    ]),
  ),
}
