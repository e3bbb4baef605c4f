import { allScopes, createApiKey } from '@gable/server/src/modules/access/public.ts'
import { createWorkspace } from '@gable/server/src/modules/workspaces/public.ts'
import { actor, operatorIn, operatorRuntime } from '@gable/server/test/support/operator.ts'

export interface Keys {
  workspaceId: string
  keys: { id: string; key: string }[]
  /** Returns the keys in turn, so that no key reaches its limit of 120 requests per minute. */
  next(): string
}

/** A new workspace with that many API keys, created as the command line does. */
export async function newKeys(databaseUrl: string, count: number): Promise<Keys> {
  const runtime = operatorRuntime(databaseUrl)
  await using _database = runtime.database
  const { id: workspaceId } = await createWorkspace(runtime, 'A brokerage', actor)
  const ctx = operatorIn(runtime, workspaceId)
  const draft = { name: 'A key', scopes: allScopes, expires_in_days: 1 }
  const made = await Promise.all(Array.from({ length: count }, () => createApiKey(ctx, draft)))
  const keys = made.map(({ row, key }) => ({ id: row.id, key }))
  let turn = 0
  return {
    workspaceId,
    keys,
    next() {
      const key = keys[turn++ % keys.length]
      if (key === undefined) throw new Error('There are no keys.')
      return key.key
    },
  }
}
