import { afterAll, beforeAll, expect, test } from 'vitest'
import { listApiKeys } from '../../src/modules/access/public.ts'
import { readMails } from '../../src/modules/mail/public.ts'
import { listApps } from '../../src/modules/oauth/public.ts'
import { listWebhooks } from '../../src/modules/webhooks/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner, freshDatabase } from '../support/database.ts'
import { type User, anOwner, pagesOf, pathFor, secretIn } from './scene.ts'

let app: TestApp
let owner: User

beforeAll(async () => {
  app = await testApp({ databaseUrl: await freshDatabase('settings_secrets') })
  owner = await anOwner(app)
})
afterAll(() => app[Symbol.asyncDispose]())

/** Creates one of each secret that the pages can create. Returns the secrets and the paths of their records. */
async function makeAll() {
  const { base, workspace } = owner
  const { directory } = app.runtime.database
  const scopes = ['contacts:read']
  const key = await owner.submit(`${base}/keys/new`, { name: 'A key', scopes, expires_in_days: '9' })
  const registration = {
    name: 'An app',
    redirect_uris: 'https://app.example/',
    scopes,
    kind: 'confidential',
  }
  const client = await owner.submit(`${base}/apps/new`, registration)
  const webhook = await owner.submit(`${base}/webhooks/new`, { url: 'https://a.example/', events: 'all' })
  await owner.submit(`${base}/members/invite`, {
    name: 'A guest',
    email: 'guest@gable.example',
    role: 'agent',
  })
  const records = {
    workspace: workspace.id,
    key: (await listApiKeys(directory, workspace.id))[0]?.id ?? '',
    app: (await listApps(directory, workspace.id))[0]?.id ?? '',
    webhook: (await listWebhooks(workspace.ctx.db, workspace.ctx.actor))[0]?.id ?? '',
    member: owner.member.id,
  }
  const renewed = [
    await owner.submit(`${base}/apps/${records.app}/secret`, {}),
    await owner.submit(`${base}/webhooks/${records.webhook}/secret`, {}),
  ]
  const [mail] = await readMails(app.runtime)
  const link = /token=(\S+)/.exec(mail?.mail?.text ?? '')?.[1] ?? ''
  return { records, secrets: [...[key, client, webhook, ...renewed].map(secretIn), link] }
}

test('a secret is on no page after the response that shows it, and in no table', async () => {
  const { records, secrets } = await makeAll()
  const kinds = ['gbl_key_', 'gbl_cs_', 'whsec_', 'gbl_cs_', 'whsec_', 'gbl_ln_']
  expect(secrets.map((secret) => /^(gbl_[a-z]+_|whsec_)/.exec(secret)?.[1])).toEqual(kinds)
  expect(new Set(secrets).size).toBe(secrets.length)

  for (const route of pagesOf(app)) {
    if (/:(connection|delivery|invitation|sender|signature|voice)/.test(route.path)) continue
    const { body, location } = await owner.get(pathFor(route, records))
    for (const secret of secrets) expect(body + location).not.toContain(secret)
  }

  const tables = await asOwner<{ name: string }>(
    app.databaseUrl,
    "select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  )
  const rows = await asOwner<{ text: string }>(
    app.databaseUrl,
    tables.map(({ name }) => `select t::text as text from ${name} t`).join(' union all '),
  )
  const stored = rows.map(({ text }) => text).join('\n')
  expect(stored).toContain(records.key)
  for (const secret of secrets) {
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain(Buffer.from(secret).toString('hex'))
    expect(stored).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, ''))
  }
})
