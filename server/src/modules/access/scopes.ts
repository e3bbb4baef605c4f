/** Every scope there is, with what it lets its holder do, in words for a consent screen. */
export const scopes = {
  'contacts:read': 'See contacts and their details',
  'contacts:read:pii': 'See full phone numbers and e-mail addresses instead of masked ones',
  'contacts:write': 'Create, update and erase contacts, add notes and tags',
  'leads:read': 'See leads and how they were routed',
  'leads:write': 'Create leads and assign them',
  'events:read': 'See activity timelines: calls, messages, notes, changes of status',
  'messages:read': 'Read texts and e-mails',
  'messages:send': 'Send texts and e-mails',
  'calls:read': 'See calls, recordings, transcripts and summaries',
  'deals:read': 'See pipelines and deals',
  'deals:write': 'Create and update deals, move them between stages',
  'listings:read': "See the workspace's own properties",
  'appointments:read': 'See appointments and tasks',
  'appointments:write': 'Book, move and cancel appointments, create tasks',
  'automations:read': 'See automations, campaigns and personas',
  'automations:manage': 'Start automations for a contact',
  'webhooks:manage': 'Create and remove webhook subscriptions',
} as const

export type Scope = keyof typeof scopes

export const allScopes = Object.keys(scopes) as Scope[]

export const isScope = (name: string): name is Scope => Object.hasOwn(scopes, name)

/** Scopes whose holders see what is personal: whole numbers and addresses, and what people have written and said. */
export const personalScopes: ReadonlySet<string> = new Set<Scope>([
  'contacts:read:pii',
  'events:read',
  'messages:read',
  'messages:send',
  'calls:read',
])

/** What a scope brings along: writing implies reading, and so do sending, managing and seeing personal data. */
function implied(scope: string): string | undefined {
  if (scope.endsWith(':write')) return scope.replace(/:write$/, ':read')
  if (scope === 'messages:send') return 'messages:read'
  if (scope === 'automations:manage') return 'automations:read'
  if (scope === 'contacts:read:pii') return 'contacts:read'
  return undefined
}

/** The scopes with all that they imply, in the order of the table above. */
export function expandScopes(granted: readonly string[]): Set<string> {
  const held = new Set(granted.flatMap((scope) => [scope, implied(scope) ?? scope]))
  return new Set(allScopes.filter((scope) => held.has(scope)))
}

const expansions = new Map<string, Set<string>>()

/** As expandScopes, once for each combination in use; few are, and the map is emptied should it ever not be so. */
export function expanded(granted: readonly string[]): ReadonlySet<string> {
  const name = granted.join(' ')
  const known = expansions.get(name) ?? expandScopes(granted)
  if (expansions.size > 1000) expansions.clear()
  expansions.set(name, known)
  return known
}
