import { expect, test } from 'vitest'
import type { ConnectionRow, SenderRow } from '../modules/senders/public.ts'
import { judgeCredentials, judgeInbound, judgeRegistration, judgeState } from './connections.ts'
import type { CheckFinding } from './finding.ts'
import {
  judgeBackup,
  judgeClock,
  judgeHold,
  judgeJournal,
  judgeMail,
  judgeSpace,
  judgeWorkers,
} from './machine.ts'
import { type PostgresFacts, judgePostgres } from './postgres.ts'

const now = new Date('2026-03-02T15:00:00.000Z')
const hoursAgo = (n: number) => new Date(now.getTime() - n * 3_600_000)
const gigabyte = 2 ** 30
const real = { now, isTrial: false }
const trial = { now, isTrial: true }

const settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: '100',
  shared_buffers: '16384',
}
const postgres: PostgresFacts = {
  version: 150_004,
  readOnly: false,
  encoding: 'UTF8',
  sizeBytes: gigabyte,
  settings,
}
const set = (changed: object) => ({ ...postgres, settings: { ...settings, ...changed } })

const connection = {
  id: 'c1',
  workspace_id: 'w1',
  name: 'Texts',
  provider: 'twilio',
  account: 'AC1',
  stopped: null,
  credentials_rejected_at: null,
  callback_rejected_at: null,
  mailbox_error: null,
  authentication_missing_at: null,
} as ConnectionRow
const tested = (result: 'accepted' | 'rejected' | 'unknown_account' | 'unreachable') =>
  judgeCredentials(connection, { result, said: null })
const states = (changed: Partial<ConnectionRow>) => judgeState({ ...connection, ...changed }, now)
const stopped = { code: 'provider_unavailable', message: 'no', since: now.toISOString() } as const

const senderOf = (kind: SenderRow['kind'], registration: SenderRow['registration']) =>
  ({ id: 's1', kind, address: 'x', registration }) as SenderRow
const approved = { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' }
const url = 'https://gable.example/callbacks/twilio/c1/inbound'
const inbound = (actual: string | null) =>
  judgeInbound('x', { actual, expected: `${url}#rc=5&rp=all`, setting: 'the URL' })

test.for<[what: string, found: CheckFinding | CheckFinding[], results: string]>([
  ['PostgreSQL 15 with its defaults', judgePostgres(postgres), 'ok ok'],
  ['PostgreSQL 14', judgePostgres({ ...postgres, version: 140_011 }), 'failed ok'],
  ['a read-only database', judgePostgres({ ...postgres, readOnly: true }), 'ok failed'],
  ['another encoding', judgePostgres({ ...postgres, encoding: 'LATIN1' }), 'ok failed'],
  ['fsync off', judgePostgres(set({ fsync: 'off' })), 'ok failed'],
  ['full_page_writes off', judgePostgres(set({ full_page_writes: 'off' })), 'ok failed'],
  ['synchronous_commit off', judgePostgres(set({ synchronous_commit: 'off' })), 'ok failed'],
  ['few connections', judgePostgres(set({ max_connections: '79' })), 'ok warning'],
  ['enough connections', judgePostgres(set({ max_connections: '80' })), 'ok ok'],
  [
    'a large database with default buffers',
    judgePostgres({ ...postgres, sizeBytes: gigabyte + 1 }),
    'ok warning',
  ],
  [
    'a large database with more buffers',
    judgePostgres({ ...set({ shared_buffers: '16385' }), sizeBytes: 9 * gigabyte }),
    'ok ok',
  ],
  ['a clock 2 s ahead', judgeClock(2000), 'ok'],
  ['a clock 2.1 s behind', judgeClock(-2100), 'warning'],
  ['a clock 30 s ahead', judgeClock(30_000), 'warning'],
  ['a clock 31 s behind', judgeClock(-31_000), 'failed'],
  ['a disk with space', judgeSpace('/d', { free: 2 * gigabyte, total: 20 * gigabyte }), 'ok'],
  [
    'a disk with less than 2 GB',
    judgeSpace('/d', { free: 2 * gigabyte - 1, total: 20 * gigabyte }),
    'warning',
  ],
  [
    'a disk with less than a twentieth',
    judgeSpace('/d', { free: 4 * gigabyte, total: 99 * gigabyte }),
    'warning',
  ],
  ['a disk with less than 500 MB', judgeSpace('/d', { free: 499 * 2 ** 20, total: gigabyte }), 'failed'],
  ['no backup', judgeBackup(null, real), 'failed'],
  ['no backup of a trial', judgeBackup(null, trial), 'warning'],
  ['a backup of yesterday', judgeBackup(hoursAgo(47).toISOString(), real), 'ok'],
  ['a backup of two days ago', judgeBackup(hoursAgo(48).toISOString(), real), 'warning'],
  ['a backup of a week ago', judgeBackup(hoursAgo(7 * 24).toISOString(), real), 'failed'],
  ['no journal', judgeJournal(undefined, now), 'warning'],
  ['a journal of a minute ago', judgeJournal(hoursAgo(1 / 60), now), 'ok'],
  ['a journal of an hour ago', judgeJournal(hoursAgo(1), now), 'warning'],
  ['no worker', judgeWorkers(0, false), 'failed'],
  ['a worker', judgeWorkers(1, false), 'ok'],
  ['two workers', judgeWorkers(2, false), 'ok'],
  ['two workers with wrong clocks', judgeWorkers(2, true), 'failed'],
  ['a hold', judgeHold(now.toISOString()), 'failed'],
  ['no hold', judgeHold(undefined), 'ok'],
  ['no mail server', judgeMail(undefined, real), 'failed'],
  ['no mail server of a trial', judgeMail(undefined, trial), 'warning'],
  ['a mail server that rejects', judgeMail({ said: '535', failedMails: 0 }, real), 'failed'],
  ['unsent emails', judgeMail({ said: undefined, failedMails: 1 }, real), 'warning'],
  ['a mail server', judgeMail({ said: undefined, failedMails: 0 }, real), 'ok'],
  ['accepted credentials', tested('accepted'), 'ok'],
  ['rejected credentials', tested('rejected'), 'failed'],
  ['an unknown account', tested('unknown_account'), 'failed'],
  ['a provider that cannot be reached', tested('unreachable'), 'failed'],
  ['a connection that sends', states({}), ''],
  ['a stopped connection', states({ stopped }), 'failed'],
  [
    'a connection whose messages were rejected',
    states({ credentials_rejected_at: now.toISOString() }),
    'failed',
  ],
  ['a mailbox that was not read', states({ mailbox_error: 'no' }), 'warning'],
  ['a stopped mailbox', states({ mailbox_error: 'no', stopped }), 'failed'],
  ['unverified senders', states({ authentication_missing_at: now.toISOString() }), 'warning'],
  ['a rejected callback', states({ callback_rejected_at: hoursAgo(23).toISOString() }), 'warning'],
  ['a callback that was rejected long ago', states({ callback_rejected_at: hoursAgo(25).toISOString() }), ''],
  ['a registered number', judgeRegistration(senderOf('10dlc', approved)), 'ok'],
  [
    'a campaign in progress',
    judgeRegistration(senderOf('10dlc', { ...approved, campaign: 'IN_PROGRESS' })),
    'failed',
  ],
  [
    'an unverified toll-free number',
    judgeRegistration(senderOf('tollfree', { verification: 'IN_REVIEW' })),
    'failed',
  ],
  ['an active short code', judgeRegistration(senderOf('shortcode', { status: 'ACTIVE' })), 'ok'],
  ['a banned WhatsApp number', judgeRegistration(senderOf('whatsapp', { status: 'BANNED' })), 'failed'],
  [
    'an unauthenticated domain',
    judgeRegistration(senderOf('email', { domain_authenticated: false })),
    'failed',
  ],
  ['a callback URL', inbound(url), 'ok'],
  ['no callback URL', inbound(null), 'failed'],
  ['an empty callback URL', inbound(''), 'failed'],
  ['another callback URL', inbound('https://demo.twilio.com/welcome'), 'failed'],
  ['a number of another account', judgeInbound('x', undefined), 'failed'],
])('%s', ([, found, results]) => {
  const all = [found].flat()
  expect(all.map(({ result }) => result).join(' ')).toBe(results)
  for (const { result, found: said, action } of all) {
    expect(said).toMatch(/\w/)
    expect({ said, hasAction: action !== null }).toEqual({ said, hasAction: result !== 'ok' })
  }
})
