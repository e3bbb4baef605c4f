import { expect, test } from 'vitest'
import { createContext } from '#kernel/context.ts'
import { keyRing } from '#kernel/secrets.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner, fingerprint, freshDatabase } from '#test/support/database.ts'
import { newer, older, withSecrets } from '#test/support/secrets.ts'
import { findSuppressions } from './find-suppressions.ts'
import { maintainSuppressionKeys } from './jobs.ts'
import { suppress, suppressIn } from './suppress.ts'
import { openKey } from './suppression-key.ts'
import { subjectOf } from './suppression.ts'

const phone = subjectOf('phone', '+13125550186')
const optOut = { subject: phone, kind: 'opted_out', source: 'operator' } as const

const sealedOf = async ({ databaseUrl }: TestApp, workspaceId: string): Promise<Buffer> =>
  (
    await asOwner<{ sealed: Buffer }>(
      databaseUrl,
      'select sealed from suppression_keys where workspace_id = $1',
      [workspaceId],
    )
  )[0]?.sealed ?? Buffer.alloc(0)

/** The suppressions of the number that a runtime with other application secrets finds. */
async function found(app: TestApp, workspaceId: string, secrets: string[]): Promise<unknown[]> {
  const rows: unknown[] = []
  await withSecrets(app, secrets, async (runtime) => {
    const actor = { type: 'system', id: null, name: 'test' }
    const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
    rows.push(...((await findSuppressions(ctx, [phone])).get(phone.value) ?? []))
  })
  return rows
}

const lose = ({ databaseUrl }: TestApp, workspaceId: string) =>
  asOwner(databaseUrl, "update suppression_keys set sealed = '\\x01' || sealed where workspace_id = $1", [
    workspaceId,
  ])

test('the key is 256 random bits, sealed, and opens only in its own workspace', async () => {
  await using app = await testApp()
  const [mine, foreign] = [await app.workspace(), await app.workspace()]
  for (const { ctx } of [mine, foreign]) await suppress(ctx, [optOut])
  const [one, other] = [await sealedOf(app, mine.id), await sealedOf(app, foreign.id)]
  const keys = keyRing([older])
  expect(Buffer.from(openKey(keys, mine.id, one), 'base64')).toHaveLength(32)
  expect(openKey(keys, mine.id, one)).not.toBe(openKey(keys, foreign.id, other))
  expect(() => openKey(keys, foreign.id, one)).toThrow('unable to authenticate data')
})

test('after a secret rotation, the same numbers are found without the old secret', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('suppression_keys') })
  const workspaces = [await app.workspace(), await app.workspace()]
  for (const { ctx } of workspaces) await suppress(ctx, [optOut])
  await withSecrets(app, [newer, older], async (runtime) => {
    await maintainSuppressionKeys.handle(runtime)
    const once = await fingerprint(app.databaseUrl)
    await maintainSuppressionKeys.handle(runtime)
    expect(await fingerprint(app.databaseUrl)).toEqual(once)
  })
  for (const { id } of workspaces) expect(await found(app, id, [newer])).toHaveLength(1)
})

test('without the secret, lookups and writes fail, and the key is not replaced', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('suppression_keys_lost') })
  const [lost, other] = [await app.workspace(), await app.workspace()]
  for (const { ctx } of [lost, other]) await suppress(ctx, [optOut])
  const unreadable = expect.objectContaining({ status: 503, code: 'suppressions_unreadable' })
  await expect(found(app, lost.id, [newer])).rejects.toThrow(unreadable)

  await lose(app, lost.id)
  const before = await sealedOf(app, lost.id)
  await expect(suppress(lost.ctx, [optOut])).rejects.toThrow(unreadable)
  await withSecrets(app, [newer, older], (runtime) => maintainSuppressionKeys.handle(runtime))
  expect(await sealedOf(app, lost.id)).toEqual(before)
  expect(await found(app, other.id, [newer])).toHaveLength(1)
})

test('the key cannot be deleted while suppressions depend on it', async () => {
  await using app = await testApp()
  const { ctx, id } = await app.workspace()
  await suppress(ctx, [optOut])
  await expect(
    asOwner(app.databaseUrl, 'delete from suppression_keys where workspace_id = $1', [id]),
  ).rejects.toThrow('suppressions_key')
})

test('a key from a transaction that was rolled back is not cached', async () => {
  await using app = await testApp()
  const { ctx, id } = await app.workspace()
  const undone = ctx.transaction(async (tx) => {
    await suppressIn(tx, [optOut])
    throw new Error('no')
  })
  await expect(undone).rejects.toThrow('no')
  await suppress(ctx, [optOut])
  // Another process uses the committed key.
  expect(await found(app, id, [older])).toHaveLength(1)
})
