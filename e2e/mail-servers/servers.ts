import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { certificateAuthority } from '@gable/server/test/egress/certificates.ts'
import { type Dovecot, type Mailbox, startDovecot } from './dovecot.ts'
import { type Policy, startPolicy } from './policy.ts'
import { type PostfixOptions, startPostfix } from './postfix.ts'
import { freePorts } from './processes.ts'
import { findPrograms } from './programs.ts'

/** A Postfix that delivers to mailboxes of a Dovecot, both on this machine. */
export interface MailServers extends AsyncDisposable {
  ports: Omit<PostfixOptions['ports'], 'policy'> & { imap: number; imaps: number }
  dovecot: Dovecot
  policy: Policy
  /** The folder with the mails of an address. */
  maildir(address: string): string
  /** What Postfix has written down so far. */
  postfixLog(): Promise<string>
}

/** A user who owns the mails, and need not exist. */
const uid = 5000

export async function startMailServers(mailboxes: readonly Mailbox[]): Promise<MailServers> {
  const programs = findPrograms()
  if (typeof programs === 'string') throw new Error(programs)
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'mail-servers-'))
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  // Users of the servers pass through it.
  await chmod(folder, 0o755)
  const mail = { folder: join(folder, 'mail'), uid }
  await mkdir(mail.folder)
  await chown(mail.folder, uid, uid)
  const tls = await certificate(folder)
  // As NODE_EXTRA_CA_CERTS does from the start.
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, tls.ca])
  opened.defer(() => setDefaultCACertificates(before))
  const policy = opened.use(await startPolicy())
  const [imap = 0, imaps = 0, submission = 0, submissions = 0, mx = 0, faraway = 0] = await freePorts(6)
  const ports = { imap, imaps, submission, submissions, mx, faraway }
  const authSocket = join(folder, 'auth')
  const dovecot = opened.use(
    await startDovecot({
      program: programs.dovecot,
      folder: join(folder, 'dovecot'),
      mail,
      ports,
      authSocket,
      tls,
      mailboxes,
    }),
  )
  const postfix = join(folder, 'postfix')
  opened.use(
    await startPostfix({
      daemons: programs.postfixDaemons,
      folder: postfix,
      mail,
      ports: { ...ports, policy: policy.port },
      authSocket,
      tls,
      addresses: mailboxes.map(({ address }) => address),
    }),
  )
  const all = opened.move()
  return {
    ports,
    dovecot,
    policy,
    maildir: (address) => join(mail.folder, ...address.split('@').toReversed()),
    postfixLog: () => readFile(join(postfix, 'postfix.log'), 'utf8'),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Files with a certificate for `localhost`, and the authority that issued it. */
async function certificate(folder: string) {
  const { ca, issue } = await certificateAuthority()
  const { key, cert } = await issue('localhost')
  const paths = { key: join(folder, 'tls.key'), cert: join(folder, 'tls.crt') }
  await writeFile(paths.key, String(key))
  await writeFile(paths.cert, String(cert))
  return { ...paths, ca }
}
