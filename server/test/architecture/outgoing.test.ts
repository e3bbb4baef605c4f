import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import type { Provided } from '#kernel/module.ts'
import { outgoing } from '../../src/cli/held-work.ts'
import { type ModuleDependencies, modules } from '../../src/modules/index.ts'

/** Workers that send nothing to anyone outside, by what they do instead. What they write for others to send is on the list. */
const quiet: Readonly<Record<string, readonly string[]>> = {
  'decide, derive, or delete what is in the database': [
    'assign-holders',
    'automation-entry-retention',
    'chain-ledgers',
    'delete-old-requests',
    'drop-unapproved-message',
    'end-lead-offer',
    'fail-deliveries',
    'fail-stopped-messages',
    'forget-deliveries',
    'generation-retention',
    'maintain-credentials',
    'maintain-mails',
    'maintain-suppression-keys',
    'maintain-webhook-secrets',
    'message-retention',
    'narrow-oauth-grant',
    'read-contacts-again',
    'read-deals-again',
    'read-listings-again',
    'recording-retention',
    'reseal-authenticator-keys',
    'reseal-calendar-passwords',
    'route-waiting-leads',
    'scrub-late-responses',
    'summarize-campaign',
    'sweep-deliveries',
    'sweep-idempotency-replies',
    'sweep-invitations',
    'sweep-oauth-tokens',
    'sweep-sign-in',
    'sync-oauth-grant',
  ],
  'read from a provider': ['fetch-message-media', 'look-up-status', 'refresh-senders'],
  'check addresses that are configured': ['warn-of-rejected'],
  'connect a number to the simulated carrier': ['connect-new-sender'],
  'write to a folder or bucket of our own': [
    'erase-unclaimed-files',
    'remove-erased-files',
    'remove-file',
    'write-stop-journal',
  ],
}

/** Tables with times at which a worker looks at them, from which nothing leaves, and why. */
const notSent: Readonly<Record<string, string>> = {
  connections: 'when a mailbox is read next',
  generations: 'a log',
  leads: 'until when an offer stands',
  ledger_unchained: 'entries that are not chained yet',
  pace_buckets: 'a counter',
  tasks: 'for a person to do',
  webhook_leases: 'who delivers',
  webhook_payloads: 'the bodies of deliveries',
  webhooks: 'where deliveries go',
}

const dependencies = { runtime: { clock: systemClock }, carriers: {} } as unknown as ModuleDependencies
const provide = <T>(part: Provided<readonly T[], ModuleDependencies> = []) =>
  typeof part === 'function' ? part(dependencies) : part

const workers = [
  ...new Set(
    modules.flatMap(({ jobs, periodicJobs, followUps, services }) =>
      [
        ...provide<{ name: string }>(jobs),
        ...provide<{ name: string }>(periodicJobs),
        ...(followUps ?? []),
        ...provide<{ name: string }>(services),
      ].map(({ name }) => name),
    ),
  ),
].toSorted()

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')

test('every job, periodic job, follow-up and service is on the list of what leaves, or sends nothing', () => {
  const sending = outgoing.flatMap((kind) => kind.workers)
  const quietNames = Object.values(quiet).flat()
  expect(workers.filter((name) => !sending.includes(name) && !quietNames.includes(name))).toEqual([])
  expect(sending.filter((name) => !workers.includes(name))).toEqual([])
  expect(quietNames.filter((name) => !workers.includes(name) || sending.includes(name))).toEqual([])
})

test('every table with something due is on the list of what leaves, or nothing leaves from it', async () => {
  const tables = (await read('server/schema.txt')).split(/\n\n/).flatMap((block) => {
    const [, name, kind] = /^([a-z_]+): (\w+)/.exec(block) ?? []
    return name === undefined ? [] : [{ name, kind, block }]
  })
  const isWaiting =
    /^ {2}(?:\w+_)?(?:due_at|next_at|look_at|scheduled_at|claimed_until|offered_until|leased_until) /m
  const waiting = tables
    .filter(({ kind, block }) => kind === 'queue' || isWaiting.test(block))
    .map(({ name }) => name)
  const sent = outgoing.flatMap((kind) => kind.tables)
  expect(waiting.filter((name) => !sent.includes(name) && notSent[name] === undefined)).toEqual([])
  const names = new Set(tables.map(({ name }) => name))
  expect([...sent, ...Object.keys(notSent)].filter((name) => !names.has(name))).toEqual([])
})

test('the list has each name once, and the guide says what release and drop do to each', async () => {
  const names = outgoing.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  const guide = await read('docs/guides/operate.md')
  const rows = outgoing
    .toSorted((a, b) => (a.what < b.what ? -1 : 1))
    .map(({ name, what, released, dropped }) => `| ${what} (\`${name}\`) | ${released} | ${dropped} |`)
  const [, table] = /^\| What waits \|.*\n\| -.*\n((?:\|.*\n)+)/m.exec(guide) ?? []
  expect(table?.trimEnd().split('\n')).toEqual(rows)
})
