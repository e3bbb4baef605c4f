import type { Clock } from '#kernel/clock.ts'
import type { Egress } from '#kernel/egress/egress.ts'
import { bare } from '#kernel/egress/rules.ts'
import { type TxtLookup, txtLookup } from '#kernel/egress/txt-records.ts'
import type { MailServer } from '#kernel/mail-server.ts'
import type { Carrier, Failure, OpenCleared, ProviderAccount } from '../../modules/messages/ports.ts'
import { sendLater, unavailable, unknown } from '../replies.ts'
import { smtpOptions } from '../smtp-options.ts'
import { composeMail } from './compose-mail.ts'
import { isDomainAuthenticated } from './domain-records.ts'
import { type Patience, handOver } from './hand-over.ts'
import { readImapMailbox } from './mailbox.ts'
import { accountFails } from './smtp-outcome.ts'

export interface EmailOptions {
  egress: Egress
  open: OpenCleared
  clock: Clock
  /** The origin of the simulated carrier for a simulated account; empty where it is not in effect. */
  simulatedUrl: (account: Pick<ProviderAccount, 'workspaceId'>) => string
  patience?: Patience
  /** Defaults to the system's name servers. */
  lookup?: TxtLookup
}

/** A clearance is valid for five seconds, of which the worker may use one. Everything must be done within ten. */
const patient: Patience = { readyMs: 3_500, allMs: 9_000 }

/** The simulated carrier has SMTP one port above its HTTP port, and IMAP two ports above. */
function simulatedServer(origin: string, above: 1 | 2): MailServer | undefined {
  const url = URL.parse(origin)
  return url === null
    ? undefined
    : { host: bare(url.hostname), port: Number(url.port) + above, secure: false }
}

/** Emails over SMTP, and mailboxes over IMAP. An account's name and secret are the login for its mail servers. */
export const emailCarrier = ({
  egress,
  open,
  clock,
  simulatedUrl,
  patience = patient,
  lookup = txtLookup(),
}: EmailOptions): Carrier => ({
  async send(account, cleared) {
    const server = account.simulated ? simulatedServer(simulatedUrl(account), 1) : account.email?.smtp
    if (server === undefined) return notSetUp(account)
    const login = { user: account.name, pass: account.secrets[0] }
    const options = smtpOptions(server, login, patience.allMs)
    let messageId = ''
    try {
      const outcome = await handOver(
        options,
        (signal) => egress.connect(server, signal),
        async () => {
          const message = open(cleared, clock.now())
          if (message.email === null) throw new Error('The message is not an email.')
          messageId = message.email.messageId
          const mail = await composeMail(message, message.email, account.email?.dkim ?? null)
          return { from: message.email.bounceTo, to: message.to, mail }
        },
        patience,
      )
      return outcome.kind === 'taken' ? { ...outcome, providerMessageId: messageId } : outcome
    } catch (error) {
      // The message may already have been sent: its clearance could be used up.
      return unknown(error instanceof Error ? error.message : 'defect')
    }
  },
  // Mail servers keep no list of sent mail. A message of unknown outcome is sent once more with the same Message-ID.
  find: async () => undefined,
  readCallback: () => undefined,
  listInbound: async () => [],
  async *readMailbox(account, after) {
    const simulated = account.simulated ? simulatedServer(simulatedUrl(account), 2) : undefined
    const server =
      simulated === undefined
        ? account.email?.imap
        : { ...simulated, mailbox: 'INBOX', authservIds: ['simulated-carrier.example'] }
    if (server) yield* readImapMailbox(egress, server, account, after)
  },
  forget: async () => false,
  async test(account) {
    const server = account.simulated ? simulatedServer(simulatedUrl(account), 1) : account.email?.smtp
    if (server === undefined)
      return { result: 'unreachable', said: 'The settings name no mail server: smtp= is missing.' }
    const login = { user: account.name, pass: account.secrets[0] }
    const isReady = new Error('The server is ready for an email.')
    // The hand-over ends before an email would be sent.
    const outcome = await handOver(
      smtpOptions(server, login, patience.allMs),
      (signal) => egress.connect(server, signal),
      async () => {
        throw isReady
      },
      patience,
    ).catch((error: unknown) => error)
    if (outcome === isReady) return { result: 'accepted', said: null }
    const { code, message } = failureIn(outcome)
    return { result: code === 'credentials_rejected' ? 'rejected' : 'unreachable', said: message }
  },
  async readRegistration(account, { address }) {
    const isAuthenticated = account.simulated || (await isDomainAuthenticated(lookup, account, address))
    return isAuthenticated === undefined ? {} : { domain_authenticated: isAuthenticated }
  },
})

const failureIn = (outcome: unknown): Pick<Failure, 'code' | 'message'> =>
  (outcome as { failure?: Failure }).failure ?? {
    code: 'provider_unavailable',
    message: outcome instanceof Error ? outcome.message : 'The mail server does not respond as it should.',
  }

const notSetUp = ({ simulated }: ProviderAccount) =>
  simulated
    ? sendLater(unavailable('There is no simulated carrier.'))
    : accountFails('The settings of the connection name no mail server: smtp= is missing.')
