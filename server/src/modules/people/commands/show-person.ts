import type { CommandRuntime } from '#kernel/cli/cli.ts'
import { type CommandOutput, recordOutput } from '#kernel/cli/output.ts'
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
  return recordOutput({
    id,
    name,
    email,
    password: person.password !== null,
    passkeys: passkeys.length,
    second_step: person.totp_confirmed_at !== null,
    recovery_codes_left: codes,
    workspaces: memberships.map(presentedMembership),
    sessions: sessions.map(presentedSession),
  })
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
