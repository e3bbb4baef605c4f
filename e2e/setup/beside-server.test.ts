import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { expect, test, vi } from 'vitest'
import { root, startGable } from '../faults/gable-process.ts'

vi.setConfig({ testTimeout: 300_000 })

const run = promisify(execFile)

test('an install beside a running server disturbs it in nothing, and later imports find the new packages', async () => {
  // On the file system of the packages, so that hard links can copy them.
  await mkdir(join(root, '.data'), { recursive: true })
  const clone = await mkdtemp(join(root, '.data/setup-'))
  await using _clone = {
    [Symbol.asyncDispose]: () => rm(clone, { recursive: true, force: true, maxRetries: 5 }),
  }
  const parts = ['bin', 'server', 'sandbox', 'postgres']
  for (const part of parts) await cp(join(root, part), join(clone, part), { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) await cp(join(root, file), join(clone, file))
  for (const part of ['sdk', 'web', 'e2e', 'docs']) {
    await mkdir(join(clone, part))
    await cp(join(root, part, 'package.json'), join(clone, part, 'package.json'))
  }
  const packages = join(root, 'node_modules')
  await run('cp', ['-al', packages, join(clone, 'node_modules')])
  await rm(join(clone, 'node_modules/.gable-setup'), { force: true })
  await rm(join(clone, 'node_modules/.package-lock.json'))
  const npm = await mkdtemp(join(clone, 'npm-'))
  await writeFile(join(npm, 'npm'), `#!/bin/sh\nexec cp -al '${packages}' node_modules\n`)
  await chmod(join(npm, 'npm'), 0o755)

  const env = { DATABASE_URL: await freshDatabase('setup'), APP_SECRET: 'a secret that only the tests know' }
  await using gable = await startGable(env, clone)
  const before = (await stat(join(clone, 'node_modules'))).ino
  const asking = new AbortController()
  const statuses: number[] = []
  const ask = async () => {
    while (!asking.signal.aborted) statuses.push((await fetch(`${gable.origin}/readyz`)).status)
  }
  const asked = ask()
  await run(process.execPath, [join(clone, 'bin/setup.js'), 'start'], {
    env: { PATH: `${npm}:${process.env['PATH']}` },
  })
  asking.abort()
  await asked
  expect((await stat(join(clone, 'node_modules'))).ino).not.toBe(before)
  expect(new Set(statuses)).toEqual(new Set([200]))
  // Imports its package with the first request.
  expect((await fetch(`${gable.origin}/docs/reference.js`)).status).toBe(200)
  gable.kill('SIGTERM')
  expect(await gable.exit).toEqual({ code: 0, signal: null })
})
