import type { Runtime } from '#kernel/context.ts'
import type { Egress } from '#kernel/egress/egress.ts'
import { takeTurns } from '#kernel/http/turns.ts'
import type { ModuleDependencies } from '../modules/index.ts'
import { findHold, findLastBackup, findWorkers } from '../modules/installation/public.ts'
import { readMails } from '../modules/mail/public.ts'
import { everyWorkspace } from '../modules/workspaces/public.ts'
import { checkConnections, checkedAtOnce } from './connections.ts'
import { type CheckFinding, broken, inTime } from './finding.ts'
import {
  checkDisk,
  judgeBackup,
  judgeClock,
  judgeHold,
  judgeJournal,
  judgeMail,
  judgeWorkers,
} from './machine.ts'
import { checkPublicUrl } from './public-url.ts'

export interface Examined {
  runtime: Runtime
  providers: ModuleDependencies
  /** What may call PUBLIC_URL. */
  egress: Egress
  publicUrl: string | undefined
  /** The folders of this machine that must have space. */
  folders: readonly string[]
  /** Signs in to the mail server; undefined without one. */
  testMail: (() => Promise<string | undefined>) | undefined
  /** Whether the installation is one to try Gable out, with the embedded PostgreSQL: some faults are then warnings. */
  isTrial: boolean
  limitMs?: number
}

/** Checks an installation whose database is reached and up to date. Each check ends by itself; none throws. */
export async function examine({
  runtime,
  providers,
  egress,
  publicUrl,
  folders,
  testMail,
  isTrial,
  limitMs,
}: Examined): Promise<CheckFinding[]> {
  const { database, clock } = runtime
  const now = clock.now()
  const one = (check: string, work: (signal: AbortSignal) => Promise<CheckFinding[]>) =>
    inTime(check, null, work, limitMs)
  const inTurn = takeTurns(checkedAtOnce)
  const workspaces = await Array.fromAsync(everyWorkspace(database.directory))
  const found = await Promise.all([
    one('public_url', (signal) => checkPublicUrl(publicUrl, { egress, now, isTrial }, signal)),
    one('clock', async () => {
      await using _ = await runtime.clockWatch.start()
      return [judgeClock(runtime.clockWatch.aheadMs())]
    }),
    one('disk', () => checkDisk(folders)),
    one('worker', async () => {
      const { count, are_wrong } = await findWorkers(database.directory, clock)
      return [judgeWorkers(count, are_wrong === true)]
    }),
    one('mail', async () => {
      if (testMail === undefined) return [judgeMail(undefined, { isTrial })]
      const failedMails = (await readMails(runtime)).filter(({ state }) => state === 'failed').length
      return [judgeMail({ said: await testMail(), failedMails }, { isTrial })]
    }),
    one('backup', async () => {
      const endedAt = (await findLastBackup(database.directory)) ?? null
      return [judgeBackup(endedAt, { now, isTrial })]
    }),
    one('held', async () => [judgeHold((await findHold(database.directory))?.since)]),
    one('opt_out_journal', async () => [judgeJournal(await providers.stops.findCovered(), now)]),
    ...workspaces.map(({ id }) =>
      checkConnections(runtime, providers, id, limitMs, inTurn).catch(broken('connections', id)),
    ),
  ])
  return found.flat()
}
