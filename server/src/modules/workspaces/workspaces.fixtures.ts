import { orNotFound } from '#kernel/errors.ts'
import type { Client } from '#test/support/client.ts'
import { type Fixtures, idOf, insertMember } from '#test/support/fixtures.ts'

/** A team, in a workspace that has the member from the examples. */
async function newTeam(agent: Client): Promise<string> {
  await insertMember(agent)
  return idOf(await agent.post('/teams', { name: 'A team' }))
}

const newMember = async ({ workspace }: Client) => (await orNotFound(workspace).member()).id

export const fixtures: Fixtures = {
  records: {
    '/members/{id}': async (agent) => [await newMember(agent)],
    '/teams/{id}': async (agent) => [await newTeam(agent)],
    '/teams/{id}/members/{member_id}': async (agent) => {
      const team = await newTeam(agent)
      const member = await newMember(agent)
      await agent.post(`/teams/${team}/members`, { member_id: member })
      return [team, member]
    },
  },
  lists: { '/members': { insert: newMember } },
  // The workspace already exists and may have the example's time zone.
  ready: {
    'PATCH /workspace': (agent) => agent.patch('/workspace', { timezone: 'America/New_York' }),
    'POST /test-clock': async ({ workspace }) => workspace?.enterTestMode(),
  },
  values: {
    ...Object.fromEntries(
      ['POST /members', 'PATCH /members/{id}'].map((route) => [
        `${route} phone`,
        ['+13125550155', '+442071838750'],
      ]),
    ),
    'POST /test-clock advance': ['PT2H', 'P1W2DT3H4M5S', 'PT0S'],
  },
  referents: { member: async (workspace) => (await workspace.member()).id },
}
