import type { House } from '#kernel/context.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { newId } from '#kernel/ids.ts'
import { hashSecret, newSecret } from '../access/public.ts'
import { Overtaken } from './acting.ts'
import { readCookie, setCookie } from './cookies.ts'
import { deviceCookie } from './device.ts'
import { later, sessionIdleMs, sessionMs } from './lifetimes.ts'
import { type SignsInBy, holdPerson } from './people-queries.ts'
import { deleteSessionOf, insertSession } from './session-queries.ts'
import { type Visitor, deviceOf } from './visitor.ts'

/**
 * A new session of somebody who has just shown who they are. Answers the cookies by which the browser keeps it and is
 * known as theirs; the secret is nowhere else. The session that the browser had ends. With `inPlaceOf` the new one ends
 * when that would have. Throws Overtaken where what they have shown, or that session, counts no more.
 */
export async function startSession(
  house: House,
  person: SignsInBy,
  request: Pick<PlainRequest, 'headers'>,
  inPlaceOf?: Visitor,
): Promise<string[]> {
  const now = house.clock.now()
  const secret = newSecret('gbl_ss_')
  const before = readCookie(request, 'session')
  const endsAt = inPlaceOf === undefined ? later(now, sessionMs) : new Date(inPlaceOf.endsAt)
  const at = now.toISOString()
  const session = {
    id: newId(now),
    person_id: person.id,
    device: deviceOf(request),
    proved_at: at,
    seen_at: at,
    expires_at: new Date(Math.min(later(now, sessionIdleMs).getTime(), endsAt.getTime())).toISOString(),
    ends_at: endsAt.toISOString(),
    created_at: at,
  }
  await house.database.transaction('', async (tx) => {
    if ((await holdPerson(tx, person)) === undefined) throw Overtaken()
    const ended = before === undefined ? 0 : await deleteSessionOf(tx, hashSecret(before))
    if (inPlaceOf !== undefined && ended === 0) throw Overtaken()
    tx.write(insertSession(session, hashSecret(secret)))
  })
  return [
    setCookie('session', secret, endsAt.getTime() - now.getTime()),
    deviceCookie(house, person, request),
  ]
}
