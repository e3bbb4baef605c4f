import { createContext } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { allScopes } from '../modules/access/public.ts'
import {
  createMember,
  insertOffice,
  insertTeam,
  insertTeamMember,
  updateMemberActive,
} from '../modules/workspaces/public.ts'
import type { Batch } from './batch.ts'
import type { Staffing } from './brokerage.ts'
import { dayMs } from './diary.ts'
import type { Agent } from './teller.ts'

/** How long before now those who left did so. */
const leftDaysAgo = 96

/** Opens the offices, makes the teams and takes on the members, all on the company's first days. */
export async function hire(
  { house, clock }: Batch,
  workspaceId: string,
  company: Staffing,
  end: Date,
): Promise<Agent[]> {
  const actor = { type: 'system', id: null, name: 'Demo data' }
  const ctx = createContext(house, { workspaceId, actor, scopes: new Set(allScopes) })
  const nextId = () => {
    clock.stand(new Date(clock.now().getTime() + 137_000))
    return newId(clock.now())
  }
  const offices = new Map(company.offices.map((name) => [name, nextId()]))
  const officeId = (name: string | null) => (name === null ? null : (offices.get(name) ?? null))
  const teams = new Map<string, string>()
  await ctx.transaction(async (tx) => {
    for (const [name, id] of offices) await insertOffice(tx, id, name, clock.now())
    for (const { name, office } of company.teams) {
      const id = nextId()
      teams.set(name, id)
      await insertTeam(tx, id, name, officeId(office), clock.now())
    }
  })

  const agents: Agent[] = []
  for (const { name, email, role, office, teams: names, share, left } of company.members) {
    clock.stand(new Date(clock.now().getTime() + 137_000))
    const { id } = await createMember(ctx, { name, email, role, officeId: officeId(office) })
    const until = left === undefined ? null : new Date(end.getTime() - leftDaysAgo * dayMs)
    await ctx.transaction(async (tx) => {
      for (const team of names.flatMap((one) => teams.get(one) ?? [])) await insertTeamMember(tx, team, id)
      if (until !== null) await updateMemberActive(tx, id, false, until)
    })
    agents.push({ actor: { type: 'member', id, name }, share, until })
  }
  return agents
}
