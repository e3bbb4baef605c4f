import type { Tx } from '#kernel/context.ts'
import { ReferenceNotFound } from '#kernel/errors.ts'
import { reaches } from '#kernel/reach.ts'
import { findUnknownIds } from '../../workspaces/public.ts'
import type { Commission } from './commission.ts'

const payeesOf = (commission: Commission | null | undefined, type: string): string[] =>
  commission?.splits.flatMap(({ payee_type, payee_id }) =>
    payee_type === type && payee_id !== null ? [payee_id] : [],
  ) ?? []

/** Throws 404 for unknown payees, and for members out of reach whom the commission does not already pay. */
export async function requirePayees(
  tx: Tx,
  commission: Commission,
  before?: Commission | null,
): Promise<void> {
  const members = payeesOf(commission, 'agent')
  const unknown = await findUnknownIds(tx, {
    members,
    teams: payeesOf(commission, 'team'),
    offices: payeesOf(commission, 'office'),
  })
  const already = payeesOf(before, 'agent')
  const isOut = (id: string) => members.includes(id) && !already.includes(id) && !reaches(tx.reach, id)
  const paths = commission.splits.flatMap(({ payee_id }, i) =>
    payee_id !== null && (unknown.has(payee_id) || isOut(payee_id))
      ? [`commission.splits.${i}.payee_id`]
      : [],
  )
  if (paths.length > 0) throw ReferenceNotFound(...paths)
}
