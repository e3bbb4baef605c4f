import { createEgress } from '@gable/server/src/kernel/egress/create-egress.ts'
import { keyRing } from '@gable/server/src/kernel/secrets.ts'
import { changeComplianceSettings } from '@gable/server/src/modules/compliance/public.ts'
import { createConnection, createSender } from '@gable/server/src/modules/senders/public.ts'
import { operatorIn, operatorRuntime } from '@gable/server/test/support/operator.ts'
import { type GableProcess, spawnGable } from './gable-process.ts'

type Env = Record<'DATABASE_URL' | 'APP_SECRET', string>

export const office = 'office@lantern.example'

/** Has a workspace send through a mail server, and read a mailbox. Returns the id of the connection. */
export async function connectMail(
  { DATABASE_URL, APP_SECRET }: Env,
  workspaceId: string,
  settings: Record<string, string>,
): Promise<string> {
  await using egress = createEgress({ allowHttp: 'none', allowPrivate: 'loopback' })
  const runtime = { ...operatorRuntime(DATABASE_URL), keys: keyRing([APP_SECRET]), egress }
  await using _database = runtime.database
  const ctx = operatorIn(runtime, workspaceId)
  await changeComplianceSettings(ctx, { postal_address: '48 Alder Court, Chicago, IL 60614' })
  const draft = { provider: 'email' as const, name: 'Mail', account: 'office', secret: 'password' }
  const { id } = await createConnection(ctx, { ...draft, settings })
  await createSender(ctx, {
    connection_id: id,
    kind: 'email',
    address: office,
    pace: 1000,
    registration: { domain_authenticated: true },
  })
  return id
}

/** A worker that has begun to work. */
export async function startMailWorker(env: Env): Promise<GableProcess> {
  const more = { ROLE: 'worker', PUBLIC_URL: 'https://gable.example', EGRESS_ALLOW: '127.0.0.0/8' }
  const worker = spawnGable({ ...env, ...more })
  await worker.until(() => worker.stdout().includes('\n'))
  return worker
}
