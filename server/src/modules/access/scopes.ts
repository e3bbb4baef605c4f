import type { Scope } from '#kernel/scopes.ts'

/** Every scope, with its description on the consent page. */
export const scopes = {
  'contacts:read': 'See contacts and their details',
  'contacts:read:pii': 'See full phone numbers and email addresses instead of masked ones',
  'contacts:write': 'Create, update and erase contacts, add notes and tags',
  'leads:read': 'See leads and how they were routed',
  'leads:write': 'Create leads and assign them',
  'events:read': 'See activity timelines: calls, messages, notes, changes of status',
  'messages:read': 'Read texts and emails',
  'messages:send': 'Send texts and emails',
  'messages:send_only': 'Send texts and emails, without reading any',
  'calls:read': 'See calls, recordings, transcripts and summaries',
  'calls:write': 'Place calls',
  'deals:read': 'See pipelines and deals',
  'deals:write': 'Create and update deals, move them between stages',
  'listings:read': "See the workspace's own properties",
  'listings:write': "Create, update and import the workspace's own properties",
  'appointments:read': 'See appointments and tasks',
  'appointments:write': 'Book, move and cancel appointments, create tasks',
  'automations:read': 'See automations, campaigns and personas',
  'automations:write':
    'Create, change, publish and enable automations, campaigns and personas, and change the AI settings',
  'automations:manage': 'Start automations for a contact',
  'compliance:read': 'See opt-outs, suppressions, the evidence of a contact and the compliance settings',
  'compliance:write': 'Stop messages and calls to people, and lift opt-outs and suppressions',
  'webhooks:manage': 'Create and remove webhook subscriptions',
  'settings:manage':
    'Manage members, offices, teams, pipelines, API keys, apps, routing rules, senders of messages and compliance settings, and see the audit log',
} as const

export type { Scope } from '#kernel/scopes.ts'

type Names = keyof typeof scopes

declare module '#kernel/scopes.ts' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- its members are those of the record
  interface ScopeNames extends Record<Names, true> {}
}

export const allScopes = Object.keys(scopes) as Scope[]

export const isScope = (name: string): name is Scope => Object.hasOwn(scopes, name)

/** Without this scope, numbers and addresses are masked wherever a response shows personal data. */
export const unmaskingScope = 'contacts:read:pii' satisfies Scope

/** Scopes that show personal data: full numbers and addresses, and what people wrote and said. */
export const personalScopes: ReadonlySet<string> = new Set<Scope>([
  'contacts:read:pii',
  'events:read',
  'messages:read',
  'messages:send',
  'calls:read',
  'calls:write',
])

/** Writing, sending, managing and seeing personal data each imply reading. */
function implied(scope: string): readonly string[] {
  if (scope.endsWith(':write')) return [scope.replace(/:write$/, ':read')]
  if (scope === 'messages:send') return ['messages:read', 'messages:send_only']
  if (scope === 'automations:manage') return ['automations:read']
  if (scope === 'contacts:read:pii') return ['contacts:read']
  return []
}

/** Returns the scopes and the scopes that they imply, in the order of the table above. */
export function expandScopes(granted: readonly string[]): Set<string> {
  const held = new Set(granted.flatMap((scope) => [scope, ...implied(scope)]))
  return new Set(allScopes.filter((scope) => held.has(scope)))
}

const expansions = new Map<string, Set<string>>()

/** Memoized `expandScopes`. Few combinations are in use; the cache is cleared if it grows too large. */
export function expanded(granted: readonly string[]): ReadonlySet<string> {
  const name = granted.join(' ')
  const known = expansions.get(name) ?? expandScopes(granted)
  if (expansions.size > 1000) expansions.clear()
  expansions.set(name, known)
  return known
}
