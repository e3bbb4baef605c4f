import type { Ctx, Runtime } from '#kernel/context.ts'
import {
  enablePasswordSignIn,
  findPersonByEmail,
  setPassword,
  writtenSecret,
} from '../modules/people/public.ts'
import { listMembers } from '../modules/workspaces/public.ts'

export interface DemoOwner {
  email: string
  /** New each time, and nowhere else in the clear. */
  password: string
}

/** Lets the owner of a demo workspace sign in with a new password. */
export async function letOwnerSignIn(runtime: Runtime, ctx: Ctx): Promise<DemoOwner> {
  const owner = (await listMembers(ctx.db)).find(({ role, active }) => role === 'owner' && active)
  if (owner === undefined) throw new Error('A workspace has an owner.')
  const password = writtenSecret()
  const known = await findPersonByEmail(ctx.directory, owner.email)
  if (known !== undefined) await setPassword(runtime, known, password)
  await enablePasswordSignIn(ctx, owner, password)
  return { email: owner.email, password }
}
