import {
  type PersonRow,
  type Place,
  type SessionRow,
  countRecoveryCodes,
  listPasskeys,
  listSessions,
  placesOf,
} from '../modules/signin/public.ts'
import { type Answer, aligned, record } from './answer.ts'
import type { CommandHouse } from './open-house.ts'

/** How somebody signs in, where they are signed in, and of which workspaces they are a member. No secret is in it. */
export async function showPerson({ house }: CommandHouse, person: PersonRow): Promise<Answer> {
  const { directory } = house.database
  const { id, name, email } = person
  const [passkeys, codes, sessions, places] = await Promise.all([
    listPasskeys(directory, id),
    countRecoveryCodes(directory, id),
    listSessions(directory, id, house.clock.now()),
    placesOf(house, id),
  ])
  const hasPassword = person.password !== null
  const secondStep = person.totp_confirmed_at !== null
  const { value, text } = record(
    {
      id,
      name,
      email,
      password: hasPassword,
      passkeys: passkeys.length,
      second_step: secondStep,
      recovery_codes_left: codes,
      workspaces: places.map(presentedPlace),
      sessions: sessions.map(presentedSession),
    },
    {
      Id: id,
      Name: name,
      Email: email,
      Password: hasPassword ? 'yes' : 'no',
      Passkeys: String(passkeys.length),
      'Second step': secondStep ? `on, ${codes} recovery codes left` : 'off',
    },
  )
  const lists = [
    ...places.map(({ workspace, member }) => ['Workspace', workspace.id, workspace.name, member.role]),
    ...sessions.map((session) => ['Session', session.seen_at, session.device]),
  ]
  return { value, text: lists.length === 0 ? text : `${text}\n\n${aligned(lists)}` }
}

const presentedPlace = ({ workspace, member }: Place) => ({
  id: workspace.id,
  name: workspace.name,
  member_id: member.id,
  role: member.role,
})

const presentedSession = ({ id, device, seen_at, expires_at, created_at }: SessionRow) => ({
  id,
  device,
  seen_at,
  expires_at,
  created_at,
})
