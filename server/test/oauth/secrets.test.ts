import { Writable } from 'node:stream'
import pino from 'pino'
import { expect, test } from 'vitest'
import { describeError } from '../../src/kernel/log.ts'
import { hashSecret } from '../../src/modules/access/public.ts'
import { rotateAppSecret } from '../../src/modules/oauth/public.ts'
import { testApp } from '../support/app.ts'
import { asOwner, freshDatabase } from '../support/database.ts'
import { tablesWith } from '../support/whereabouts.ts'
import { approveApp, bearer, codeForm, inWorkspace, post, refreshForm, registerApp } from './scene.ts'

test('no issued secret appears in any table or log, not even in part', async () => {
  let logged = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  const log = pino({ level: 'trace', serializers: { err: describeError } }, stream)
  await using app = await testApp({ log, role: 'all', databaseUrl: await freshDatabase('oauth_secrets') })
  const workspace = await app.workspace()
  const mirror = await registerApp(app)
  const native = await registerApp(app, { confidential: false })
  const secrets: string[] = [mirror.secret ?? '']
  for (const registered of [mirror, native]) {
    const approved = await approveApp(workspace, registered)
    const form = codeForm(registered, approved)
    const first = await post(app, 'token', form)
    const second = await post(app, 'token', refreshForm(registered, String(first.body['refresh_token'])))
    await bearer(app, String(second.body['access_token'])).get('/contacts')
    await bearer(app, String(second.body['access_token'])).get('/leads')
    await post(app, 'revoke', { token: String(first.body['access_token']) })
    await post(app, 'token', refreshForm(registered, String(first.body['refresh_token'])))
    await post(app, 'token', form)
    secrets.push(approved.code, approved.verifier)
    for (const { body } of [first, second])
      secrets.push(String(body['access_token']), String(body['refresh_token']))
  }
  const { secret } = await rotateAppSecret(inWorkspace(app, mirror.app.workspace_id), mirror.app.id)
  const form = { grant_type: 'client_credentials', client_id: mirror.app.id, client_secret: secret }
  const machine = await post(app, 'token', form)
  await post(app, 'token', { ...form, client_secret: `${secret}x` })
  secrets.push(secret, String(machine.body['access_token']))

  // The first 12 characters of a client secret are stored, so that people recognize it.
  const needles = secrets.flatMap((one) => [one.slice(12, 36), one.slice(-24)])
  const hex = needles.map((needle) => Buffer.from(needle).toString('hex'))
  expect(needles.every((needle) => needle.length === 24)).toBe(true)
  expect(await tablesWith(app.databaseUrl, [...needles, ...hex])).toEqual([])
  expect(needles.filter((needle) => logged.includes(needle))).toEqual([])
  const known = await asOwner(app.databaseUrl, 'select 1 from oauth_access_tokens where hash = $1', [
    hashSecret(String(machine.body['access_token'])),
  ])
  expect(known).toHaveLength(1)
})
