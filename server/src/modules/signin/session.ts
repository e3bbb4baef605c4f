import type { House } from '#kernel/context.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { newId } from '#kernel/ids.ts'
import { hashSecret, newSecret } from '../access/public.ts'
import { setCookie } from './cookies.ts'
import { deviceCookie } from './device.ts'
import { later, sessionIdleMs, sessionMs } from './lifetimes.ts'
import { deleteSession, insertSession } from './session-queries.ts'
import { type Visitor, deviceOf } from './visitor.ts'

/**
 * A new session of somebody who has just shown who they are. Answers the cookies by which the browser keeps it and is
 * known as theirs; the secret is nowhere else. `inPlaceOf`: a session that this one replaces, and ends when that would
 * have ended.
 */
export async function startSession(
  house: House,
  personId: string,
  request: Pick<PlainRequest, 'headers'>,
  inPlaceOf?: Visitor,
): Promise<string[]> {
  const now = house.clock.now()
  const secret = newSecret('gbl_ss_')
  const endsAt = inPlaceOf === undefined ? later(now, sessionMs) : new Date(inPlaceOf.endsAt)
  const at = now.toISOString()
  await house.database.transaction('', async (tx) => {
    if (inPlaceOf !== undefined) await deleteSession(tx, personId, inPlaceOf.sessionId)
    tx.write(
      insertSession(
        {
          id: newId(now),
          person_id: personId,
          device: deviceOf(request),
          proved_at: at,
          seen_at: at,
          expires_at: new Date(Math.min(later(now, sessionIdleMs).getTime(), endsAt.getTime())).toISOString(),
          ends_at: endsAt.toISOString(),
          created_at: at,
        },
        hashSecret(secret),
      ),
    )
  })
  return [setCookie('session', secret, endsAt.getTime() - now.getTime()), deviceCookie(house.keys, personId)]
}
