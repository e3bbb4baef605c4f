import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import pg from 'pg'
import { operator } from '#kernel/cli/cli.ts'
import { declare } from '#kernel/cli/declare.ts'
import { printing, recordOutput } from '#kernel/cli/output.ts'
import { progressDisplay } from '#kernel/cli/progress-display.ts'
import { systemClock } from '#kernel/clock.ts'
import { createLog } from '#kernel/log.ts'
import { keyRing } from '#kernel/secrets.ts'
import { appSecretsOf } from '../app-secrets.ts'
import { openFiles } from '../app.ts'
import { readBackup } from '../backup/read-backup.ts'
import { writeBackup } from '../backup/write-backup.ts'
import { type Config, readConfig } from '../config.ts'
import { applyStopJournal } from '../modules/compliance/public.ts'
import {
  findInstallationIds,
  saveCoveredSpan,
  saveLastBackup,
  secretCheck,
} from '../modules/installation/public.ts'
import { databaseServer, openForCommand, reachDatabaseServer } from './open-runtime.ts'

type Ids = Awaited<ReturnType<typeof findInstallationIds>>

const filesOf = (config: Config, installationIds: () => Promise<Ids>) =>
  openFiles({ ...config, clock: systemClock, log: createLog('silent') }, installationIds)

export function addBackupCommands(program: Command): void {
  declare(program, 'backup <file>', {
    summary: 'write the database and its files to a new file',
    description:
      'Servers may run meanwhile: the backup is what was there when it began. It has no application secret, which you must keep elsewhere, and only its owner may read it. Files in a bucket are listed, not copied.',
    example: 'backup /backups/gable-2026-11-28',
  }).action(
    printing(async (file: string) => {
      const config = readConfig()
      // Also requires the schema and the secret of this version.
      await using command = await openForCommand()
      await using opened = new AsyncDisposableStack()
      const { directory } = command.runtime.database
      const { files } = opened.use(filesOf(config, () => findInstallationIds(directory)))
      const server = opened.use(await databaseServer(config))
      const client = new pg.Client({ connectionString: server.url, application_name: 'gable backup' })
      await client.connect()
      opened.defer(() => client.end())
      using progress = progressDisplay({ unit: 'rows' })
      const report = await writeBackup({
        client,
        path: resolve(file),
        files,
        bucket: config.s3 !== undefined,
        secretCheck: secretCheck(command.runtime.keys),
        clock: systemClock,
        onProgress: (done) => progress.show({ label: 'Back up', done }),
      })
      await saveLastBackup(command.runtime.database.directory, systemClock.now())
      const notice =
        report.missing === 0
          ? undefined
          : `${report.missing} files had no content, or not the content that was stored.`
      return { ...recordOutput(report), notice }
    }),
  )

  declare(program, 'restore <file>', {
    summary: 'restore a backup into an empty database',
    description:
      'Needs the application secret of the server that was backed up, and a user who may migrate. Works between PostgreSQL versions, and from the embedded PostgreSQL to your own.',
    example: 'restore /backups/gable-2026-11-28',
  }).action(
    printing(async (file: string) => {
      const config = readConfig()
      await using opened = new AsyncDisposableStack()
      // Known once the database is restored.
      const installationIds = Promise.withResolvers<Ids>()
      const { files, stops } = opened.use(filesOf(config, () => installationIds.promise))
      await files.check()
      const server = opened.use(await reachDatabaseServer(config))
      using progress = progressDisplay({ unit: 'kB' })
      const report = await readBackup({
        url: server.url,
        path: resolve(file),
        keys: keyRing(await appSecretsOf(config)),
        files,
        clock: systemClock,
        onProgress: (bytes, done) =>
          progress.show(
            bytes > 0
              ? { label: 'Restore the database', done: Math.ceil(bytes / 1000) }
              : { label: 'Restore files', done },
          ),
      })
      // A restored server is no first start.
      if (config.databaseUrl === undefined) {
        await mkdir(config.dataDir, { recursive: true })
        await writeFile(join(config.dataDir, 'seeded'), `${report.taken_at}\n`)
      }
      await using command = await openForCommand()
      const { runtime } = command
      installationIds.resolve(await findInstallationIds(runtime.database.directory))
      const journal = await applyStopJournal(runtime, stops, operator)
      const covered = journal.unreadable.length === 0 ? journal.covered_until : null
      if (covered !== null && covered > report.taken_at)
        await saveCoveredSpan(runtime.database.directory, report.taken_at, covered)
      const { suppressions, erasures, covered_until, unreadable } = journal
      const journalReport = { suppressions_added: suppressions, contacts_erased: erasures, covered_until }
      return {
        ...recordOutput({ ...report, ...journalReport }),
        notice: [
          ...unreadable.map(
            (id) => `The opt-outs of the workspace ${id} could not be read from the journal.`,
          ),
          'Nothing leaves until you decide what happens to what waits: npm run -s gable -- restored',
        ].join('\n'),
      }
    }),
  )
}
