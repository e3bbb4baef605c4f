import type { ChildProcess } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { vi } from 'vitest'
import { endDaemon, startDaemon } from './processes.ts'

/** Whose mailboxes the servers have. */
export interface Mailbox {
  address: string
  password: string
}

export interface DovecotOptions {
  program: string
  /** For its configuration, its logs and its sockets. */
  folder: string
  /** Where the mails are: DOMAIN/NAME in Maildir. They belong to this user. */
  mail: { folder: string; uid: number }
  ports: { imap: number; imaps: number }
  /** A socket that Postfix asks for names and passwords. */
  authSocket: string
  tls: { key: string; cert: string }
  mailboxes: readonly Mailbox[]
}

export interface Dovecot extends AsyncDisposable {
  /** Ends it as a restart does: with the connections that it has. */
  restart(): Promise<void>
  stop(): Promise<void>
  start(): Promise<void>
}

export async function startDovecot(options: DovecotOptions): Promise<Dovecot> {
  const { program, folder, mailboxes, ports } = options
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  const config = join(folder, 'dovecot.conf')
  await writeFile(config, configuration(options))
  const users = mailboxes.map(({ address, password }) => `${address}:{PLAIN}${password}\n`)
  await writeFile(join(folder, 'users'), users.join(''), { mode: 0o644 })
  let child: ChildProcess | undefined
  const dovecot: Dovecot = {
    async start() {
      child = startDaemon(program, ['-F', '-c', config])
      await untilListening(ports.imap)
    },
    async stop() {
      if (child !== undefined) await endDaemon(child)
    },
    async restart() {
      await dovecot.stop()
      await dovecot.start()
    },
    [Symbol.asyncDispose]: () => dovecot.stop(),
  }
  await dovecot.start()
  return dovecot
}

const configuration = ({ folder, mail, ports, authSocket, tls }: DovecotOptions) => `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <${tls.cert}
ssl_key = <${tls.key}
ssl_dh =
auth_mechanisms = plain login
auth_failure_delay = 1 secs
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = static
  args = uid=${mail.uid} gid=${mail.uid} home=${mail.folder}/%d/%n
}
mail_location = maildir:${mail.folder}/%d/%n
first_valid_uid = ${mail.uid}
first_valid_gid = ${mail.uid}
service imap-login {
  inet_listener imap {
    port = ${ports.imap}
  }
  inet_listener imaps {
    port = ${ports.imaps}
    ssl = yes
  }
}
service auth {
  unix_listener ${authSocket} {
    mode = 0666
  }
}
`

/** Waits until something listens at a port of 127.0.0.1. */
export const untilListening = (port: number) =>
  vi.waitUntil(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1')
        socket.once('connect', () => {
          socket.destroy()
          resolve(true)
        })
        socket.once('error', () => resolve(false))
      }),
    { timeout: 30_000, interval: 50 },
  )
