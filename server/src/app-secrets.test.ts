import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appSecretsOf } from './app-secrets.ts'
import { readConfig } from './config.ts'

async function scratch() {
  const path = await mkdtemp(join(tmpdir(), 'gable-secret-'))
  return {
    path,
    config: readConfig({ DATA_DIR: path }),
    file: join(path, 'app-secret'),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  }
}

test('twenty concurrent starts share one secret, readable only by its owner, and leave no other files', async () => {
  await using data = await scratch()
  const all = await Promise.all(Array.from({ length: 20 }, () => appSecretsOf(data.config)))
  expect(new Set(all.flat()).size).toBe(1)
  expect(all[0]).toEqual([(await readFile(data.file, 'utf8')).trim()])
  expect((await stat(data.file)).mode & 0o777).toBe(0o600)
  expect(await readdir(data.path)).toEqual(['app-secret'])
})

test('rejects an empty or truncated secret file without overwriting it', async () => {
  await using data = await scratch()
  for (const text of ['', 'short\n']) {
    await writeFile(data.file, text)
    await expect(appSecretsOf(data.config)).rejects.toThrow('at least 32 characters')
    expect(await readFile(data.file, 'utf8')).toBe(text)
  }
})
