import { orNotFound } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, idOf, newPhone } from '#test/support/fixtures.ts'

/** Inserts a generation: a persona's proposal to a new contact. */
async function insertGeneration(agent: Client): Promise<string> {
  const phone = newPhone()
  const contact = idOf(await agent.post('/contacts', { first_name: 'Sam', phone }))
  const persona = idOf(await agent.post('/personas', { name: 'Alder', disclosure: 'An AI writes.' }))
  const id = newId(new Date())
  await asOwner(
    await workerDatabase(),
    `insert into generations (workspace_id, id, persona_id, persona_version, conversation_id, contact_id, last_message_id,
       model, prompt_digest, prompt_tokens, completion_tokens, reserved, price, proposal, checks, decision, created_at, updated_at)
     values ($1, $2, $3, 1, $2, $4, $2, 'scripted', repeat('0', 64), 10, 5, 100, 20,
       jsonb_build_object('action', 'reply', 'text', 'Call ' || $5::text || '.', 'disposition', 'other',
         'extracted', jsonb_build_object('timeframe', null, 'area', 'Near ' || $5::text, 'budget', null)), '{second_look_passed}', 'queued', now(), now())`,
    [orNotFound(agent.workspace).id, id, persona, contact, phone],
  )
  return id
}

export const fixtures: Fixtures = {
  records: { '/generations/{id}': async (agent) => [await insertGeneration(agent)] },
  owners: {
    '/generations/{id}': async (id, memberId) =>
      asOwner(
        await workerDatabase(),
        'update contacts set owner_id = $2 where id = (select contact_id from generations where id = $1)',
        [id, memberId],
      ),
  },
  lists: { '/generations': { insert: insertGeneration } },
}
