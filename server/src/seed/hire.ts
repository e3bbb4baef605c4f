import { createContext } from '#kernel/context.ts'
import { allScopes } from '../modules/access/public.ts'
import { setAvailability } from '../modules/routing/public.ts'
import { addToTeam, createMember, createOffice, createTeam } from '../modules/workspaces/public.ts'
import type { Batch } from './batch.ts'
import type { Staffing } from './brokerage.ts'
import { dayMs } from './diary.ts'
import type { SeedAgent } from './teller.ts'

/** How many days before the end former members left. */
const leftDaysAgo = 96

/** The agents, and the teams by name. */
export interface Staff {
  agents: SeedAgent[]
  teams: ReadonlyMap<string, string>
}

/** Creates the offices, teams, and members, all on the company's first days. */
export async function hire(
  { runtime, clock }: Batch,
  workspaceId: string,
  company: Staffing,
  end: Date,
): Promise<Staff> {
  const actor = { type: 'system', id: null, name: 'Demo data' }
  const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set(allScopes) })
  const later = () => clock.stand(new Date(clock.now().getTime() + 137_000))
  const offices = new Map<string, string>()
  for (const name of company.offices) {
    later()
    offices.set(name, (await createOffice(ctx, { name })).id)
  }
  const inOffice = (name: string | null) => {
    const office_id = offices.get(name ?? '')
    return office_id === undefined ? {} : { office_id }
  }
  const teams = new Map<string, string>()
  for (const { name, office } of company.teams) {
    later()
    teams.set(name, (await createTeam(ctx, { name, ...inOffice(office) })).id)
  }

  const agents: SeedAgent[] = []
  for (const { name, email, role, office, teams: names, share, left, shifts } of company.members) {
    later()
    const phone = `+16185550${100 + agents.length}`
    const { id } = await createMember(ctx, { name, email, role, phone, ...inOffice(office) })
    for (const team of names.flatMap((one) => teams.get(one) ?? [])) await addToTeam(ctx, team, id)
    if (shifts !== undefined) await setAvailability(ctx, id, { shifts })
    const until = left === undefined ? null : new Date(end.getTime() - leftDaysAgo * dayMs)
    agents.push({ actor: { type: 'member', id, name }, share, until })
  }
  return { agents, teams }
}
