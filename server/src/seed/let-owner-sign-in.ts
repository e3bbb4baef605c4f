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
  /** Generated each time. Not available in plain text anywhere else. */
  password: string
}

/** Sets a new password for the owner of a demo workspace. */
export async function letOwnerSignIn(runtime: Runtime, ctx: Ctx): Promise<DemoOwner> {
  const owner = (await listMembers(ctx.db)).find(({ role, active }) => role === 'owner' && active)
  if (owner === undefined) throw new Error('A workspace has an owner.')
  const password = writtenSecret()
  const known = await findPersonByEmail(ctx.directory, owner.email)
  if (known !== undefined) await setPassword(runtime, known, password)
  await enablePasswordSignIn(ctx, owner, password)
  return { email: owner.email, password }
}
