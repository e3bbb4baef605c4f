import type { Ctx } from '#kernel/context.ts'
import { NotFound } from '#kernel/errors.ts'
import { type MemberRow, updateMemberActive } from './queries.ts'

/** An inactive member keeps what they did and gets nothing new. */
export async function setMemberActive(ctx: Ctx, id: string, active: boolean): Promise<MemberRow> {
  const member = await ctx.transaction((tx) => updateMemberActive(tx, id, active, ctx.clock.now()))
  if (member === undefined) throw NotFound(`There is no member ${id} in this workspace.`)
  return member
}
