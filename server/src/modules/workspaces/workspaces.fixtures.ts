import type { Fixtures } from '#test/support/fixtures.ts'
import { createOffice } from './create-office.ts'
import { createTeam } from './create-team.ts'

export const fixtures: Fixtures = {
  referents: {
    member: async (workspace) => (await workspace.member()).id,
    office: async ({ ctx }) => (await createOffice(ctx, 'An office')).id,
    team: async ({ ctx }) => (await createTeam(ctx, 'A team', null)).id,
  },
}
