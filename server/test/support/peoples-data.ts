/** What the columns of a table hold; personal-data.ts says what is what. */
export interface TableData {
  erased: string[]
  kept: Record<string, string>
  never: string[]
}

/** Of the tables of those who sign in: they work for a brokerage, and none is a contact. */
export const peoplesData: Record<string, TableData> = {
  people: {
    erased: [],
    kept: {
      name: 'somebody who works for a brokerage, not a contact',
      email: 'somebody who works for a brokerage, not a contact',
    },
    never: ['id', 'password', 'totp', 'totp_confirmed_at', 'totp_step', 'created_at', 'updated_at'],
  },
  memberships: { erased: [], kept: {}, never: ['person_id', 'workspace_id', 'member_id', 'created_at'] },
  sessions: {
    erased: [],
    kept: { device: 'a browser of somebody who works for a brokerage, gone with the session' },
    never: ['hash', 'id', 'person_id', 'proved_at', 'seen_at', 'expires_at', 'ends_at', 'created_at'],
  },
  invitations: {
    erased: [],
    kept: {
      name: 'somebody who is to work for the brokerage, not a contact',
      email: 'somebody who is to work for the brokerage, not a contact',
    },
    never: [
      'invited_by',
      'id',
      'hash',
      'workspace_id',
      'role',
      'expires_at',
      'accepted_at',
      'revoked_at',
      'created_at',
    ],
  },
  password_resets: { erased: [], kept: {}, never: ['hash', 'person_id', 'expires_at', 'created_at'] },
  passkeys: {
    erased: [],
    kept: { name: 'what somebody who works for a brokerage calls a device of theirs' },
    never: ['id', 'person_id', 'public_key', 'counter', 'transports', 'created_at', 'last_used_at'],
  },
  recovery_codes: { erased: [], kept: {}, never: ['person_id', 'hash'] },
  sign_in_steps: { erased: [], kept: {}, never: ['hash', 'kind', 'person_id', 'challenge', 'expires_at'] },
  sign_in_attempts: { erased: [], kept: {}, never: ['key', 'started_at', 'used'] },
}
