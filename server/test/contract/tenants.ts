import type { TestApp, TestWorkspace } from '#test/support/app.ts'
import type { Client, Response } from '#test/support/client.ts'
import type { Schema } from './hostile-values.ts'
import { makeRecords } from './requests.ts'

/** A workspace with two records of each kind, and a client with all scopes. */
export interface Tenant {
  workspace: TestWorkspace
  agent: Client
  /** The second records' ids, by path prefix. */
  made: ReadonlyMap<string, string[]>
}

export async function newTenant(app: TestApp): Promise<Tenant> {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  await makeRecords(agent)
  return { workspace, agent, made: await makeRecords(agent) }
}

/** Whether a member or a parameter names another record of the workspace, or a list of records. */
export const isReference = ([name, schema]: readonly [string, Schema]) =>
  (name.endsWith('_id') && !('x-id-of' in schema)) ||
  'x-references' in schema ||
  'x-references' in (schema.items ?? {})

const changing = new Set(['x-request-id', 'x-ratelimit-remaining', 'date'])

/** The parts of an error that could distinguish its causes. */
export const distinguishable = ({ status, headers, body }: Response) => ({
  status,
  headers: [...headers].filter(([name]) => !changing.has(name)),
  error: { ...body['error'], request_id: '' },
})
