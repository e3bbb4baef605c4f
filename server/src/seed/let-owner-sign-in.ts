import { type House, createContext } from '#kernel/context.ts'
import { allScopes } from '../modules/access/public.ts'
import { findPersonByEmail, letSignIn, setPassword, writtenSecret } from '../modules/signin/public.ts'
import { listMembers } from '../modules/workspaces/public.ts'

export interface DemoOwner {
  email: string
  /** New each time, and nowhere else in the clear. */
  password: string
}

/** Lets whoever owns a demo workspace sign in, with a new password. */
export async function letOwnerSignIn(house: House, workspaceId: string): Promise<DemoOwner> {
  const actor = { type: 'system', id: null, name: 'Demo data' }
  const ctx = createContext(house, { workspaceId, actor, scopes: new Set(allScopes) })
  const owner = (await listMembers(ctx.db)).find(({ role, active }) => role === 'owner' && active)
  if (owner === undefined) throw new Error('A workspace has an owner.')
  const password = writtenSecret()
  const known = await findPersonByEmail(ctx.directory, owner.email)
  if (known !== undefined) await setPassword(house, known, password)
  await letSignIn(ctx, owner, password)
  return { email: owner.email, password }
}
