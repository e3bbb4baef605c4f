import type { StatsFs } from 'node:fs'
import { mkdir, statfs } from 'node:fs/promises'
import { type CheckFinding, failed, finding, fine, warning } from './finding.ts'

/** `ms`: how far this machine's clock is ahead of PostgreSQL's. */
export function judgeClock(ms: number): CheckFinding {
  const seconds = Math.round(Math.abs(ms) / 100) / 10
  const found = `The clock of this machine is ${seconds} s ${ms < 0 ? 'behind' : 'ahead of'} PostgreSQL's.`
  const action = 'Run a time service such as chrony on this machine and on the database server.'
  if (seconds > 30) return finding('clock', failed(`${found} Nothing is sent.`, action))
  return finding('clock', seconds > 2 ? warning(found, action) : fine(found))
}

const megabyte = 2 ** 20

/** Free space, in bytes. */
export function judgeSpace(folder: string, { free, total }: { free: number; total: number }): CheckFinding {
  const found = `${Math.round(free / megabyte)} MB of ${Math.round(total / megabyte)} MB are free.`
  const action = 'Free some space, or move the folder to a larger disk.'
  if (free < 500 * megabyte) return finding('disk', failed(found, action), folder)
  const isLow = free < 2048 * megabyte || free < total / 20
  return finding('disk', isLow ? warning(found, action) : fine(found), folder)
}

/** The findings about the space of the folders, which are created if they are missing. */
export async function checkDisk(
  folders: readonly string[],
  read: (folder: string) => Promise<Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'>> = statfs,
): Promise<CheckFinding[]> {
  const found: CheckFinding[] = []
  for (const folder of new Set(folders)) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const { bavail, blocks, bsize } = await read(folder)
      found.push(judgeSpace(folder, { free: bavail * bsize, total: blocks * bsize }))
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      found.push(
        finding(
          'disk',
          failed(`The folder cannot be used (${code}).`, 'Let the user of the servers read and write it.'),
          folder,
        ),
      )
    }
  }
  return found
}

const hourMs = 3_600_000

/** When the last backup ended; null if there was none. */
export function judgeBackup(
  at: string | null,
  { now, isTrial }: { now: Date; isTrial: boolean },
): CheckFinding {
  const bad = isTrial ? warning : failed
  const action = 'Run "npm run -s gable -- backup FILE" every day, and store the file on another machine.'
  if (at === null) return finding('backup', bad('There is no backup made with gable backup.', action))
  const hours = Math.floor((now.getTime() - Date.parse(at)) / hourMs)
  const found = `The last backup is ${hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`} old.`
  if (hours >= 7 * 24) return finding('backup', bad(found, action))
  return finding('backup', hours >= 48 ? warning(found, action) : fine(found))
}

/** Until when opt-outs and erasures are copied to BACKUP_DIR or the bucket. */
export function judgeJournal(until: Date | undefined, now: Date): CheckFinding {
  const action = 'Start a worker, and let it write to BACKUP_DIR, which all machines share, or to the bucket.'
  if (until === undefined)
    return finding(
      'opt_out_journal',
      warning('No worker has copied opt-outs to BACKUP_DIR or the bucket.', action),
    )
  const minutes = Math.floor((now.getTime() - until.getTime()) / 60_000)
  const found = `Opt-outs and erasures are copied until ${minutes} minutes ago.`
  return finding('opt_out_journal', minutes > 10 ? warning(found, action) : fine(found))
}

/** How many workers are connected to the database, and whether the clocks of all of them are wrong. */
export function judgeWorkers(count: number, areWrong: boolean): CheckFinding {
  if (count === 0)
    return finding(
      'worker',
      failed(
        'No worker is connected, so nothing is sent and nothing runs in the background.',
        'Start one: npm run -s gable -- serve --role worker',
      ),
    )
  const found = `${count === 1 ? 'A worker is' : `${count} workers are`} connected.`
  const wrong = `${found} Nothing is sent, because the clock of each is more than 30 s from PostgreSQL's.`
  return finding(
    'worker',
    areWrong
      ? failed(wrong, 'Run a time service such as chrony on the machines of the workers.')
      : fine(found),
  )
}

/** Since when a restored database is held; undefined if it is not. */
export const judgeHold = (since: string | undefined): CheckFinding =>
  finding(
    'held',
    since === undefined
      ? fine('Nothing is held.')
      : failed(
          `Nothing leaves since the database was restored (${since}).`,
          'Look at what waits with "npm run -s gable -- restored", then use --release or --drop.',
        ),
  )

/** `said`: why the mail server does not accept Gable's sign-in; undefined if it does. `failedMails`: how many were not sent. */
export function judgeMail(
  server: { said: string | undefined; failedMails: number } | undefined,
  { isTrial }: { isTrial: boolean },
): CheckFinding {
  if (server === undefined)
    return finding(
      'mail',
      (isTrial ? warning : failed)(
        'SMTP_URL is not set: invitations and password links reach no one.',
        'Set SMTP_URL and MAIL_FROM on all servers.',
      ),
    )
  if (server.said !== undefined)
    return finding(
      'mail',
      failed(
        `The mail server does not accept the sign-in: ${server.said}`,
        'Correct SMTP_URL on all servers.',
      ),
    )
  return finding(
    'mail',
    server.failedMails === 0
      ? fine('The mail server accepts the sign-in.')
      : warning(
          `The mail server accepts the sign-in, but ${server.failedMails} emails were not sent.`,
          'Read why with "npm run -s gable -- mail list" and "mail show ID", then use "mail retry ID".',
        ),
  )
}
