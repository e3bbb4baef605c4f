import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createMember } from '@gable/server/src/modules/workspaces/public.ts'
import { appSecret, testApp } from '@gable/server/test/support/app.ts'
import { codeBlocks } from '@gable/server/test/support/code-blocks.ts'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { expect, test, vi } from 'vitest'

// Most of it is processes.
vi.setConfig({ testTimeout: 180_000 })

test('the guide works from the file to the second import, with the output that it shows', async () => {
  const databaseUrl = await freshDatabase('import_listings')
  await using app = await testApp({ databaseUrl, now: new Date() })
  const { ctx, id } = await app.workspace()
  await createMember(ctx, { name: 'Ada Reyes', email: 'ada@lantern.example', role: 'agent' })
  const page = await readFile(new URL('./import-listings.md', import.meta.url), 'utf8')
  const shown = (language: string) =>
    codeBlocks(page).flatMap((block) => (block.language === language ? [block.text] : []))
  const [given = '', ...scripts] = shown('sh')
  expect([...given.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)).toEqual(['WORKSPACE'])
  const cwd = await mkdtemp(join(tmpdir(), 'gable-page-'))
  try {
    // `npm run -s gable -- …` without npm, which takes its time.
    const npm = 'npm() { shift 4; "$NODE" "$MAIN" "$@"; }'
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-euo', 'pipefail', '-c', [npm, ...scripts].join('\n')],
      {
        cwd,
        env: {
          PATH: process.env['PATH'],
          NODE: process.execPath,
          MAIN: fileURLToPath(new URL('../../server/src/cli/main.ts', import.meta.url)),
          NODE_COMPILE_CACHE: fileURLToPath(
            new URL('../../node_modules/.cache/gable-cli-test', import.meta.url),
          ),
          DATABASE_URL: databaseUrl,
          APP_SECRET: appSecret,
          WORKSPACE: id,
        },
      },
    )
    expect(stdout).toBe(shown('text').join(''))
  } finally {
    await rm(cwd, { recursive: true })
  }
})
