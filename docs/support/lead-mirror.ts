import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RegisteredApp, registerApp } from '@gable/server/test/oauth/scene.ts'
import type { TestApp } from '@gable/server/test/support/app.ts'
import type { Tokens } from 'gable'
import { type Sample, freePort, startSample } from './sample.ts'

/** The sample web app, registered and running. */
export interface LeadMirror extends Sample {
  url: string
  registered: RegisteredApp
  /** The file in which it stores its connection. */
  file: string
  connection(): Promise<Connection>
  /** Changes the stored tokens, as time or a mishap would. */
  setTokens(tokens: Partial<Tokens>): Promise<void>
}

interface Connection {
  tokens: Tokens
  webhook?: { id: string; secret: string }
}

export async function startLeadMirror(app: TestApp): Promise<LeadMirror> {
  await using opened = new AsyncDisposableStack()
  const registered = await registerApp(app, {
    redirect_uris: ['http://127.0.0.1/callback'],
    scopes: ['leads:read', 'webhooks:manage'],
  })
  const folder = await mkdtemp(join(tmpdir(), 'lead-mirror-'))
  opened.defer(() => rm(folder, { recursive: true }))
  const file = join(folder, 'connection.json')
  const port = await freePort()
  const sample = opened.use(
    startSample('lead-mirror/main.js', {
      GABLE_URL: app.url,
      CLIENT_ID: registered.app.id,
      CLIENT_SECRET: registered.secret ?? '',
      PORT: String(port),
      CONNECTION_FILE: file,
    }),
  )
  await sample.says(/Lead Mirror is at/)
  const connection = async () => JSON.parse(await readFile(file, 'utf8')) as Connection
  const all = opened.move()
  return {
    ...sample,
    url: `http://127.0.0.1:${port}`,
    registered,
    file,
    connection,
    async setTokens(tokens) {
      const now = await connection()
      await writeFile(file, JSON.stringify({ ...now, tokens: { ...now.tokens, ...tokens } }))
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
