import { asOwner } from '#test/support/database.ts'
import { readMails } from '../../src/modules/mail/public.ts'
import { type CallScene, type CallScenes, person } from './scene.ts'

export const ours = '+13125550188'
export const memberPhone = '+13125550155'
/** The SIDs of a call's legs. */
export const [callers, members] = ['CA1', 'CA2']

export const caller = { CallSid: callers, Direction: 'inbound', From: person, To: ours }
export const begins = { ...caller, CallStatus: 'ringing' }
export const ends = { ...caller, CallStatus: 'completed', CallDuration: '61' }

/** A member with this phone. */
export async function memberWith({ app, workspace }: CallScene, phone: string | null): Promise<string> {
  const { id } = await workspace.member()
  await asOwner(app.databaseUrl, 'update members set phone = $2 where id = $1', [id, phone])
  return id
}

/** A member with this phone who owns the contact. */
export async function ownerWith(scene: CallScene, phone: string | null): Promise<string> {
  const owner_id = await memberWith(scene, phone)
  await scene.agent.patch(`/contacts/${scene.contactId}`, { owner_id })
  return owner_id
}

export async function mailsTo({ app }: CallScene, memberId: string) {
  const [{ email } = { email: '' }] = await asOwner<{ email: string }>(
    app.databaseUrl,
    'select email from members where id = $1',
    [memberId],
  )
  return (await readMails(app.runtime)).flatMap(({ mail }) => (mail?.to === email ? [mail] : []))
}

/** Checks a call after the minute in which more reports may arrive. */
export async function complete({ app, advance }: CallScene, id: unknown): Promise<void> {
  app.clock.advance(61_000)
  await advance(String(id))
}

/** Sets Twilio's responses about the legs of an incoming call. */
export function saysOfLegs(
  { providers }: Pick<CallScenes, 'providers'>,
  status: { callers: string; members: string | undefined },
): void {
  const member = { sid: members, status: status.members, duration: '42' }
  const calls = status.members === undefined ? [] : [member]
  providers.script.respond = ({ path }) => {
    if (path.includes(`ParentCallSid=${callers}`)) return [200, { calls }]
    return path.endsWith(`/Calls/${callers}.json`) ? [200, { sid: callers, status: status.callers }] : [404]
  }
}
