import type { TestWorkspace } from './app.ts'
import type { Client } from './client.ts'

let numbers = 0

/** A lead from a new person each time. */
const someLead = (source: string) => ({ phone: `+1312555${String(1000 + (numbers++ % 9000))}`, source })

/** Captures a lead from a new person. Returns the response body. */
export const capture = async (agent: Client, source = 'Website') =>
  (await agent.post('/leads', someLead(source))).body

/** Creates this many members. Returns their ids. */
export async function crew({ member }: TestWorkspace, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push((await member()).id)
  return ids
}

/** The current assignees of these leads. */
export const assigneesOf = (agent: Client, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await agent.get(`/leads/${id}`)).body['assignee_id'] as string | null))
