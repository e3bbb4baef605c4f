/**
 * Which columns hold what a contact is recognised by. An erasure empties `erased`; `kept` stays, for the reason given;
 * `never` holds none. A test compares this with the schema, so that a new column has to be thought about.
 */
export const personalData: Record<
  string,
  { erased: string[]; kept: Record<string, string>; never: string[] }
> = {
  contacts: {
    erased: [
      'first_name',
      'last_name',
      'email',
      'phone',
      'source',
      'tags',
      'notes',
      'search_names',
      'search_details',
    ],
    kept: {},
    never: [
      'workspace_id',
      'id',
      'stage',
      'owner_id',
      'ai_auto_response',
      'created_at',
      'updated_at',
      'erased_at',
    ],
  },
  events: {
    erased: ['data'],
    kept: { actor: 'names the member or key that acted, not the contact' },
    never: ['workspace_id', 'id', 'name', 'subject_type', 'subject_id', 'timeline_id', 'occurred_at'],
  },
  idempotency_replies: {
    erased: ['body'],
    kept: {
      fingerprint: 'a keyed hash, of no use without the secret, gone after 24 hours',
      key: "the caller's own random text, gone after 24 hours",
    },
    never: ['workspace_id', 'credential_id', 'status', 'subjects', 'created_at'],
  },
  members: {
    erased: [],
    kept: {
      name: 'a member of the brokerage, not a contact',
      email: 'a member of the brokerage, not a contact',
    },
    never: ['workspace_id', 'id', 'role', 'active', 'office_id', 'created_at', 'updated_at'],
  },
  offices: { erased: [], kept: {}, never: ['workspace_id', 'id', 'name', 'created_at', 'updated_at'] },
  teams: {
    erased: [],
    kept: {},
    never: ['workspace_id', 'id', 'name', 'office_id', 'created_at', 'updated_at'],
  },
  team_members: { erased: [], kept: {}, never: ['workspace_id', 'team_id', 'member_id'] },
  webhooks: {
    erased: [],
    kept: {
      url: 'an address of a program that the brokerage uses, not of a contact',
      description: 'what the brokerage says of that program',
    },
    never: [
      'workspace_id',
      'id',
      'event_types',
      'scopes',
      'secret',
      'previous_secret',
      'previous_secret_until',
      'paused',
      'disabled_at',
      'failing_since',
      'created_at',
      'updated_at',
    ],
  },
  webhook_holds: { erased: [], kept: {}, never: ['webhook_id', 'workspace_id', 'worker', 'held_until'] },
  webhook_payloads: { erased: ['body'], kept: {}, never: ['workspace_id', 'event_id'] },
  webhook_deliveries: {
    erased: ['attempts'],
    kept: {},
    never: [
      'workspace_id',
      'webhook_id',
      'id',
      'event_id',
      'event',
      'scope',
      'status',
      'attempt',
      'due_at',
      'claimed_by',
      'claimed_until',
      'created_at',
      'updated_at',
    ],
  },
  workspaces: { erased: [], kept: {}, never: ['id', 'name', 'created_at', 'updated_at'] },
  api_keys: {
    erased: [],
    kept: {},
    never: [
      'id',
      'workspace_id',
      'name',
      'hash',
      'prefix',
      'scopes',
      'created_at',
      'updated_at',
      'expires_at',
      'revoked_at',
      'last_used_at',
    ],
  },
  rate_windows: { erased: [], kept: {}, never: ['credential_id', 'window_start', 'used'] },
}
