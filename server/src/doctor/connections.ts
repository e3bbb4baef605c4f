import { type Runtime, refreshed } from '#kernel/context.ts'
import { takeTurns } from '#kernel/http/turns.ts'
import type { ModuleDependencies } from '../modules/index.ts'
import type { AccountTest, InboundUrl } from '../modules/messages/public.ts'
import {
  type ConnectionRow,
  type ProviderAccount,
  type SenderRow,
  listConnections,
  listSenders,
  missingOf,
  openAccount,
  statesInWords,
  stopOf,
} from '../modules/senders/public.ts'
import { type CheckFinding, checkMs, failed, finding, fine, warning, inTime } from './finding.ts'

type Providers = Pick<ModuleDependencies, 'carriers' | 'voice' | 'signing'>

/** How many connections are checked at once. */
export const checkedAtOnce = 8

const dayMs = 24 * 3_600_000

/**
 * The findings about the connections and senders of a workspace: credentials, callback URLs, registrations, and what
 * stops them. Asks about simulated connections only where the simulated carrier is in effect. Calls with the same `inTurn`
 * check few connections at once.
 */
export async function checkConnections(
  runtime: Runtime,
  providers: Providers,
  workspaceId: string,
  limitMs = checkMs,
  inTurn = takeTurns(checkedAtOnce),
): Promise<CheckFinding[]> {
  const ctx = await refreshed(runtime, {
    workspaceId,
    actor: { type: 'operator', id: null, name: 'gable doctor' },
    scopes: new Set(),
  })
  const connections = (await listConnections(ctx.directory, workspaceId)).filter(
    ({ disconnected_at }) => disconnected_at === null,
  )
  const senders = await listSenders(ctx.db)
  const found = await Promise.all(
    connections.map((connection) =>
      inTurn('', async () => {
        const own = senders.filter(({ connection_id }) => connection_id === connection.id)
        return connection.simulated && !ctx.simulatesProviders
          ? own.map(unreal)
          : checkConnection({ runtime, providers, limitMs }, connection, own)
      }),
    ),
  )
  return found.flat()
}

const unreal = ({ address }: SenderRow): CheckFinding =>
  finding(
    'sender',
    failed(
      'It belongs to a simulated connection, and the simulated carrier is not in effect: messages from it wait, then fail.',
      'Add a sender with a real connection, and make it the default.',
    ),
    address,
  )

const nameOf = ({ name, id }: ConnectionRow) => `${name} (${id})`

async function checkConnection(
  { runtime, providers, limitMs }: { runtime: Runtime; providers: Providers; limitMs: number },
  connection: ConnectionRow,
  senders: readonly SenderRow[],
): Promise<CheckFinding[]> {
  const subject = nameOf(connection)
  const account = await openAccount({ ...runtime, directory: runtime.database.directory }, connection.id)
  if (account === undefined) return []
  const credentials = await inTime(
    'credentials',
    subject,
    async () => judgeCredentials(connection, await testAccount(providers, account)),
    limitMs,
  )
  const state = judgeState(connection, runtime.clock.now())
  // What follows would only say the same once more.
  if (credentials.some(({ result }) => result === 'failed')) return [...credentials, ...state]
  const ofSenders = await Promise.all(
    senders.map((sender) =>
      inTime('sender', sender.address, () => checkSender(providers, account, sender), limitMs),
    ),
  )
  const ofCalls = await inTime(
    'callback_url',
    subject,
    async () => {
      const inbound = await providers.voice[account.provider]?.readInboundUrl?.(account)
      // Calls that Gable places carry the URL with them.
      return inbound === undefined ? [] : [judgeInbound(subject, inbound, { bad: warning, what: 'calls' })]
    },
    limitMs,
  )
  const ofDocuments = await inTime(
    'callback_url',
    subject,
    async () => {
      const url = await providers.signing[account.provider]?.readCallbackUrl?.(account)
      if (url === undefined) return []
      if ('fault' in url) throw new Error(url.message)
      // Gable connects the simulated provider with the first document.
      return [
        judgeInbound(subject, url, {
          bad: account.simulated ? warning : failed,
          what: 'changes of documents',
        }),
      ]
    },
    limitMs,
  )
  return [...credentials, ...state, ...ofCalls, ...ofDocuments, ...ofSenders.flat()]
}

/** Undefined if the provider has no way to test an account. */
async function testAccount(
  { carriers, voice, signing }: Providers,
  account: ProviderAccount,
): Promise<AccountTest | undefined> {
  const tested = await carriers[account.provider]?.test?.(account)
  if (tested !== undefined) return tested
  const result = await voice[account.provider]?.test(account)
  if (result !== undefined) return { result, said: null }
  const listed = await signing[account.provider]?.listTemplates?.(account)
  if (listed === undefined) return undefined
  if (!('fault' in listed)) return { result: 'accepted', said: null }
  const isDenied = listed.fault === 'credentials_rejected'
  return { result: isDenied ? 'rejected' : 'unreachable', said: listed.message }
}

export function judgeCredentials(
  { id, workspace_id, provider, account, name }: ConnectionRow,
  test: AccountTest | undefined,
): CheckFinding[] {
  if (test === undefined) return []
  const said = test.said === null ? '.' : `: ${test.said}`
  const give = (one: Parameters<typeof finding>[1]) => [finding('credentials', one, `${name} (${id})`)]
  switch (test.result) {
    case 'accepted':
      return give(fine(`${provider} accepts the credentials.`))
    case 'rejected':
      return give(
        failed(
          `${provider} rejects the credentials${said}`,
          `Replace them: npm run -s gable -- connections update ${id} --workspace ${workspace_id} --secret-stdin`,
        ),
      )
    case 'unknown_account':
      return give(
        failed(
          `${provider} does not have the account ${account}${said}`,
          'Compare the account with the one at the provider, and connect the right one.',
        ),
      )
    case 'unreachable':
      return give(
        failed(
          `${provider} gives no clear response${said}`,
          'Check whether this machine may connect to the provider, and whether the provider has an outage.',
        ),
      )
  }
}

/** What is recorded with a connection. */
export function judgeState(connection: ConnectionRow, now: Date): CheckFinding[] {
  const { callback_rejected_at: rejectedAt, mailbox_error: mailbox } = connection
  const stop = stopOf(connection)
  return [
    ...(stop === null
      ? []
      : [
          finding(
            'sending',
            failed(
              `Nothing is sent since ${stop.since}: ${stop.message}`,
              'Fix what it says; each message fails after it has waited for 72 hours.',
            ),
            nameOf(connection),
          ),
        ]),
    ...(stop !== null || mailbox === null
      ? []
      : [
          finding(
            'sending',
            warning(
              `The mailbox was not read the last time: ${mailbox}`,
              'Fix what it says; nothing is sent once it has not been read for two minutes.',
            ),
            nameOf(connection),
          ),
        ]),
    ...(connection.authentication_missing_at === null
      ? []
      : [
          finding(
            'verified_senders',
            warning(
              'Received emails carry no Authentication-Results of the mail server, so their senders are not verified.',
              'Set authserv_id= among the settings to the name that the mail server writes.',
            ),
            nameOf(connection),
          ),
        ]),
    ...(rejectedAt === null || Date.parse(rejectedAt) < now.getTime() - dayMs
      ? []
      : [
          finding(
            'callbacks',
            warning(
              `A callback was rejected at ${rejectedAt}, because other credentials had signed it.`,
              'Compare the credentials that sign callbacks, and PUBLIC_URL with the address that the provider calls.',
            ),
            nameOf(connection),
          ),
        ]),
  ]
}

async function checkSender(
  { carriers, voice }: Providers,
  account: ProviderAccount,
  sender: SenderRow,
): Promise<CheckFinding[]> {
  const carrier = carriers[account.provider]
  // Twilio lists short codes elsewhere.
  const readInboundUrl = sender.kind === 'shortcode' ? undefined : carrier?.readInboundUrl
  const inbound = readInboundUrl && [judgeInbound(sender.address, await readInboundUrl(account, sender))]
  const reported = (await carrier?.readRegistration?.(account, sender)) ?? {}
  return [
    judgeRegistration({ ...sender, registration: { ...sender.registration, ...reported } }),
    ...(inbound ?? []),
    ...(sender.kind === 'shortcode' ? [] : await checkCalls()),
  ]

  /** Calls may go elsewhere on purpose. A number that the account does not have is reported already. */
  async function checkCalls(): Promise<CheckFinding[]> {
    const urls = await voice[account.provider]?.readNumberUrls?.(account, sender.address)
    return (urls ?? []).map((url) => judgeInbound(sender.address, url, { bad: warning, what: 'calls' }))
  }
}

const remedyFor = ({ id, kind }: SenderRow): string => remedies[kind].replace('ID', id)

const remedies: Readonly<Record<SenderRow['kind'], string>> = {
  '10dlc': 'Finish the A2P 10DLC registration at Twilio; Gable reads its state every hour.',
  tollfree: 'Finish the toll-free verification at Twilio; Gable reads its state every hour.',
  shortcode:
    'Once the carriers have activated it, set it: npm run -s gable -- senders update ID --registration status=ACTIVE',
  whatsapp:
    "Finish the registration of the number in Meta's WhatsApp Manager; Gable reads its state every hour.",
  email: 'Publish the SPF, DKIM, and DMARC records of the domain.',
}

export function judgeRegistration(sender: SenderRow): CheckFinding {
  const missing = missingOf(sender)
  const states = statesInWords(sender)
  return finding(
    'registration',
    missing.length === 0
      ? fine(`It may send: ${states}`)
      : failed(`${missing.join('. ')}: ${states}`, remedyFor(sender)),
    sender.address,
  )
}

/** `inbound`: undefined if the account does not have the sender. */
export function judgeInbound(
  subject: string,
  inbound: InboundUrl | undefined,
  { bad = failed, what = 'what it receives' } = {},
): CheckFinding {
  const give = (said: Parameters<typeof finding>[1]) => finding('callback_url', said, subject)
  if (inbound === undefined)
    return give(
      failed(
        'The account at the provider does not have it.',
        'Add the number to this account, or connect the account that has it.',
      ),
    )
  const { actual, expected, setting, isUnsaid } = inbound
  if (isUnsaid === true)
    return give(
      fine(`The provider does not say where it sends ${what}. It needs ${setting} with the URL ${expected}`),
    )
  // The fragment says how often Twilio tries again.
  const place = (url: string) => url.split('#', 1)[0]
  if (place(actual ?? '') === place(expected)) return give(fine(`The provider sends ${what} to this server.`))
  const found =
    actual === null || actual === ''
      ? `The provider sends ${what} nowhere.`
      : `The provider sends ${what} to ${actual}.`
  return give(bad(found, `At the provider, set ${setting} to ${expected}`))
}
