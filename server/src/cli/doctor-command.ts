import type { Command } from 'commander'
import type pg from 'pg'
import { declare } from '#kernel/cli/declare.ts'
import { type CommandOutput, printing } from '#kernel/cli/output.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { testMailServer } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { examine } from '../doctor/examine.ts'
import { type CheckFinding, failed, finding, inTime } from '../doctor/finding.ts'
import { checkPostgres } from '../doctor/postgres.ts'
import { openEgress } from '../egress-kinds.ts'
import { reachDatabase } from '../reach-database.ts'
import { databaseServer, openForCommand, openProvidedForCommand } from './open-runtime.ts'

const description = [
  'Checks PUBLIC_URL and its certificate, PostgreSQL with its settings, roles, grants, and policies, the clock, the disk, the mail',
  'server, workers, backups, a hold after a restore, and for each connection the credentials, the callback URLs, and the',
  'registrations of its senders. It changes nothing and sends nothing. Each result is ok, a warning, or failed, with what to do.',
  'Each check ends after 15 seconds. The exit status is 1 if a check failed. Run it with the variables of the servers, on one of',
  'their machines. It asks about simulated connections only where the simulated carrier is in effect.',
].join(' ')

export function addDoctorCommand(program: Command): void {
  declare(program, 'doctor', {
    summary: 'check a running installation, and say what to do',
    description,
    example: 'doctor',
  }).action(
    printing(async () => {
      const findings = await checkAll(readConfig())
      if (resultOf(findings) === 'failed') process.exitCode = 1
      return outputOf(findings)
    }),
  )
}

async function checkAll(config: Config): Promise<CheckFinding[]> {
  await using opened = new AsyncDisposableStack()
  let client: pg.Client
  try {
    const { url } = opened.use(await databaseServer(config))
    client = await reachDatabase(url)
  } catch (error) {
    return [unreachable(error)]
  }
  opened.defer(() => client.end())
  const ofDatabase = await inTime('postgresql', null, () => checkPostgres(client))
  const isUsable = ofDatabase.every(
    ({ check, result }) => result !== 'failed' || check === 'postgresql_settings',
  )
  if (!isUsable) return ofDatabase
  try {
    const { runtime } = opened.use(await openForCommand())
    const { smtp, publicUrl, dataDir, backupDir, databaseUrl } = config
    const further = await examine({
      runtime,
      providers: opened.use(await openProvidedForCommand(runtime)),
      egress: opened.use(openEgress('ownUrl', config.egress)),
      publicUrl,
      folders: [dataDir, ...(backupDir === undefined ? [] : [backupDir])],
      testMail: smtp && (() => testMailServer(smtp)),
      isTrial: databaseUrl === undefined,
    })
    return [...ofDatabase, ...further]
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    // The application secret is not the database's.
    return [
      ...ofDatabase,
      finding('secret', failed(error.message, 'Set APP_SECRET to the secret of this database.')),
    ]
  }
}

function unreachable(error: unknown): CheckFinding {
  if (!(error instanceof Error)) throw error
  return finding(
    'postgresql',
    failed(error.message, 'Start PostgreSQL, and correct DATABASE_URL; the other checks need the database.'),
  )
}

const order = ['failed', 'warning', 'ok'] as const

const resultOf = (findings: readonly CheckFinding[]) =>
  order.find((one) => findings.some(({ result }) => result === one)) ?? 'ok'

/** What failed first. */
function outputOf(findings: readonly CheckFinding[]): CommandOutput {
  const sorted = order.flatMap((one) => findings.filter(({ result }) => result === one))
  const lines = sorted.flatMap(({ check, subject, result, found, action }) => [
    `${result.padEnd(8)} ${check}${subject === null ? '' : ` ${subject}`}: ${found}`,
    ...(action === null ? [] : [`         → ${action}`]),
  ])
  return { value: { result: resultOf(findings), checks: sorted }, text: lines.join('\n') }
}
