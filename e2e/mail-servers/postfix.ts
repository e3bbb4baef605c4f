import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { untilListening } from './dovecot.ts'
import { endDaemon, startDaemon } from './processes.ts'

export interface PostfixOptions {
  /** The folder of its daemons. */
  daemons: string
  folder: string
  /** Where mails are delivered, DOMAIN/NAME/ in Maildir, and to whom the folder belongs. */
  mail: { folder: string; uid: number }
  ports: {
    /** Takes mail of those who sign in, as Gable does. */
    submission: number
    /** The same with TLS from the start. */
    submissions: number
    /** Takes mail for our own domains from the outside. */
    mx: number
    /** The server of `faraway.example`, which knows only `slow@`. */
    faraway: number
    /** Where the test says what becomes of a recipient, and of a mail; see `policy.ts`. */
    policy: number
  }
  authSocket: string
  tls: { key: string; cert: string }
  addresses: readonly string[]
}

/** Postfix in a folder of its own: it asks no name server, and delivers to nothing but the mailboxes and the ports named here. */
export async function startPostfix(options: PostfixOptions): Promise<AsyncDisposable> {
  const { daemons, folder, ports, addresses } = options
  const [config, queue, data] = ['config', 'queue', 'data'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const owner = Number(execFileSync('id', ['-u', owningUser], { encoding: 'utf8' }))
  for (const one of [folder, config, queue, data]) await mkdir(one, { recursive: true, mode: 0o755 })
  await chown(data, owner, 0)
  for (const name of queueFolders) {
    await mkdir(join(queue, name), { mode: 0o700 })
    await chown(join(queue, name), name === 'pid' ? 0 : owner, 0)
  }
  await chmod(join(queue, 'private'), 0o755)
  await writeFile(join(config, 'main.cf'), mainCf(options, { queue, data }))
  await writeFile(join(config, 'master.cf'), masterCf(options))
  const lines = addresses.map((address) => `${address} ${address.split('@').toReversed().join('/')}/\n`)
  await writeFile(join(config, 'mailboxes'), lines.join(''))
  await writeFile(join(config, 'logins'), addresses.map((address) => `${address} ${address}\n`).join(''))
  const child = startDaemon(join(daemons, 'master'), ['-c', config, '-d'])
  await Promise.all([ports.submission, ports.mx, ports.faraway].map(untilListening))
  return { [Symbol.asyncDispose]: () => endDaemon(child) }
}

/** Of all packages of Postfix. */
const owningUser = 'postfix'

const queueFolders = [
  'active',
  'bounce',
  'corrupt',
  'defer',
  'deferred',
  'flush',
  'hold',
  'incoming',
  'maildrop',
  'pid',
  'private',
  'public',
  'saved',
  'trace',
]

const mainCf = (
  { folder, mail, ports, authSocket, tls }: PostfixOptions,
  at: { queue: string; data: string },
) => `
compatibility_level = 3.6
queue_directory = ${at.queue}
data_directory = ${at.data}
mail_owner = ${owningUser}
maillog_file = ${folder}/postfix.log
maillog_file_prefixes = ${folder}
myhostname = mail.lantern.example
mydestination =
mynetworks =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
alias_database =
local_recipient_maps =
local_transport = error:5.1.1 there are no local users
default_transport = error:5.4.4 mail does not leave this machine
relay_transport = error:5.4.4 mail does not leave this machine
transport_maps = inline:{ faraway.example=smtp:[127.0.0.1]:${ports.faraway} }
relay_domains = faraway.example
relay_recipient_maps = inline:{ slow@faraway.example=1 }
virtual_mailbox_domains = inline:{ lantern.example=1, reyes.example=1 }
virtual_mailbox_base = ${mail.folder}
virtual_mailbox_maps = texthash:${folder}/config/mailboxes
virtual_uid_maps = static:${mail.uid}
virtual_gid_maps = static:${mail.uid}
virtual_minimum_uid = ${mail.uid}
recipient_delimiter = +
smtpd_peername_lookup = no
smtp_dns_support_level = disabled
smtp_host_lookup = native
smtpd_sasl_type = dovecot
smtpd_sasl_path = ${authSocket}
smtpd_sasl_security_options = noanonymous
smtpd_sender_login_maps = texthash:${folder}/config/logins
smtpd_relay_restrictions = permit_sasl_authenticated reject_unauth_destination
smtpd_recipient_restrictions = check_policy_service inet:127.0.0.1:${ports.policy}
smtpd_end_of_data_restrictions = check_policy_service inet:127.0.0.1:${ports.policy}
smtpd_policy_service_timeout = 60s
smtpd_client_connection_rate_limit = 0
smtpd_tls_cert_file = ${tls.cert}
smtpd_tls_key_file = ${tls.key}
smtpd_tls_loglevel = 1
smtpd_error_sleep_time = 0
minimal_backoff_time = 2s
maximal_backoff_time = 2s
queue_run_delay = 2s
delay_warning_time = 3s
`

/** Those who sign in are only taken for what they say later: unknown recipients come back as bounces. */
const signedIn = `
  -o smtpd_tls_auth_only=yes
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_reject_unlisted_recipient=no
  -o smtpd_client_restrictions=
  -o smtpd_sender_restrictions=reject_sender_login_mismatch,permit_sasl_authenticated,reject`

const masterCf = ({ ports }: PostfixOptions) => `
127.0.0.1:${ports.submission} inet n - n - - smtpd
  -o smtpd_tls_security_level=may${signedIn}
127.0.0.1:${ports.submissions} inet n - n - - smtpd
  -o smtpd_tls_wrappermode=yes${signedIn}
127.0.0.1:${ports.mx} inet n - n - - smtpd
127.0.0.1:${ports.faraway} inet n - n - - smtpd
  -o myhostname=mail.faraway.example
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`
