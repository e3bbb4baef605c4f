import type { CommandRuntime } from '#kernel/cli/cli.ts'
import { type CommandOutput, aligned, record } from '#kernel/cli/output.ts'
import { type WorkspaceMembership, membershipsOf } from '../memberships.ts'
import { listPasskeys } from '../passkeys/queries.ts'
import type { PersonRow } from '../queries.ts'
import { countRecoveryCodes } from '../second-step/queries.ts'
import { type SessionRow, listSessions } from '../session-queries.ts'

/** How a person signs in, where they are signed in, and their workspaces. Contains no secrets. */
export async function showPerson({ runtime }: CommandRuntime, person: PersonRow): Promise<CommandOutput> {
  const { directory } = runtime.database
  const { id, name, email } = person
  const [passkeys, codes, sessions, memberships] = await Promise.all([
    listPasskeys(directory, id),
    countRecoveryCodes(directory, id),
    listSessions(directory, id, runtime.clock.now()),
    membershipsOf(runtime, id),
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
      workspaces: memberships.map(presentedMembership),
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
    ...memberships.map(({ workspace, member }) => ['Workspace', workspace.id, workspace.name, member.role]),
    ...sessions.map((session) => ['Session', session.seen_at, session.device]),
  ]
  return { value, text: lists.length === 0 ? text : `${text}\n\n${aligned(lists)}` }
}

const presentedMembership = ({ workspace, member }: WorkspaceMembership) => ({
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
