import { openDatabase } from '#kernel/db/database.ts'
import { createLog } from '#kernel/log.ts'
import { allScopes, createApiKey } from '../../src/modules/access/public.ts'
import { createWorkspace } from '../../src/modules/workspaces/public.ts'

export interface Keys {
  workspaceId: string
  keys: { id: string; key: string }[]
  /** They go round, so that no key comes near its limit of 120 requests a minute. */
  next(): string
}

/** A new workspace with that many API keys, made as the command line makes them. */
export async function newKeys(databaseUrl: string, count: number): Promise<Keys> {
  await using database = openDatabase({ url: databaseUrl, log: createLog('silent'), checked: true })
  const { id: workspaceId } = await createWorkspace(database.directory, 'A brokerage', new Date())
  const draft = { workspaceId, name: 'A key', scopes: allScopes, lifetimeDays: 1 }
  const made = await Promise.all(
    Array.from({ length: count }, () => createApiKey(database.directory, draft, new Date())),
  )
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
