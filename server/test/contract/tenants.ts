import type { TestApp, TestWorkspace } from '#test/support/app.ts'
import type { Client, Response } from '#test/support/client.ts'
import { makeRecords } from './requests.ts'

/** A workspace with two records of each kind, and somebody who may do everything in it. */
export interface Tenant {
  workspace: TestWorkspace
  agent: Client
  /** The second records' ids by the beginning of their paths. */
  made: ReadonlyMap<string, string[]>
}

export async function newTenant(app: TestApp): Promise<Tenant> {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  await makeRecords(agent)
  return { workspace, agent, made: await makeRecords(agent) }
}

/** Whether a member or a parameter names another record. */
export const isReference = ([name]: readonly [string, unknown]) => name.endsWith('_id')

const changing = new Set(['x-request-id', 'x-ratelimit-remaining', 'date'])

/** All of an error that could tell one cause from another. */
export const told = ({ status, headers, body }: Response) => ({
  status,
  headers: [...headers].filter(([name]) => !changing.has(name)),
  error: { ...body['error'], request_id: '' },
})
