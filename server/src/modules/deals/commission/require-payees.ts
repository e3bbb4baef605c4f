import type { Tx } from '#kernel/context.ts'
import { ReferenceNotFound } from '#kernel/errors.ts'
import { reaches } from '#kernel/reach.ts'
import { findUnknownIds } from '../../workspaces/public.ts'
import type { Commission } from './commission.ts'

const nouns = { agent: 'member', team: 'team', office: 'office', external: null } as const

/** The payees with an ID, each with its path and what the ID is that of. */
const payeesOf = (commission: Commission | null | undefined) =>
  commission?.splits.flatMap(({ payee_type, payee_id: id }, i) => {
    const noun = nouns[payee_type]
    return noun === null || id === null ? [] : [{ path: `commission.splits.${i}.payee_id`, noun, id }]
  }) ?? []

/** Throws 404 for unknown payees, and for members out of reach whom the commission does not already pay. */
export async function requirePayees(
  tx: Tx,
  commission: Commission,
  before?: Commission | null,
): Promise<void> {
  const payees = payeesOf(commission)
  const idsOf = (noun: string) => payees.filter((one) => one.noun === noun).map(({ id }) => id)
  const isUnknown = await findUnknownIds(tx, {
    member: idsOf('member'),
    team: idsOf('team'),
    office: idsOf('office'),
  })
  const already = new Set(payeesOf(before).map(({ noun, id }) => `${noun} ${id}`))
  const isOut = (noun: string, id: string) =>
    noun === 'member' && !already.has(`${noun} ${id}`) && !reaches(tx.reach, id)
  const paths = payees
    .filter(({ noun, id }) => isUnknown(noun, id) || isOut(noun, id))
    .map(({ path }) => path)
  if (paths.length > 0) throw ReferenceNotFound(...paths)
}
