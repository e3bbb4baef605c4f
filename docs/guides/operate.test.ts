import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { codeBlocks } from '@gable/server/test/support/code-blocks.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { gableWith } from '@gable/server/test/support/gable.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

let guide: string
let folder: string

beforeAll(async () => {
  guide = await readFile(new URL('operate.md', import.meta.url), 'utf8')
  folder = await mkdtemp(join(tmpdir(), 'gable-operate-'))
  await mkdir(join(folder, 'backups'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The shell commands of a section that begin with this, as the guide has them, without their comments. */
const commandsIn = (section: string, beginning = 'npm run -s gable -- '): string[] => {
  const text = new RegExp(`^#+ ${section}\\n([^]*?)(?=^## )`, 'm').exec(guide)?.[1] ?? ''
  return codeBlocks(text)
    .filter(({ language }) => language === 'sh')
    .flatMap((block) => block.text.split('\n'))
    .filter((line) => line.startsWith(beginning))
    .map((line) => line.replace(/\s+#.*$/, '').replaceAll('/backups', join(folder, 'backups')))
}

const newDatabase = async (name: string) => {
  const { serverUrl, prefix } = inject('databases')
  await asOwner(serverUrl, `create database ${prefix}_operate_${name} template template0`)
  const url = new URL(serverUrl)
  url.pathname = `/${prefix}_operate_${name}`
  return {
    DATABASE_URL: url.href,
    APP_SECRET: 'a secret that only the tests know and long enough',
    DATA_DIR: join(folder, name),
  }
}

/** Lets a shell read the command, and runs it in this process: starting npm takes longer than most commands. */
const run = async (command: string, env: Record<string, string>) => {
  const words = command.replace('npm run -s gable -- ', "printf '%s\\n' ")
  const { stdout } = await promisify(execFile)('sh', ['-ec', words])
  const { code, out, err } = await gableWith(() => env)(stdout.trimEnd().split('\n'))
  expect({ command, code, err }).toMatchObject({ command, code: 0 })
  return out
}

test('the commands of Install, Back up, Restore, and Upgrade work in this order', async () => {
  const source = await newDatabase('source')
  const [migrate = '', ...serves] = commandsIn('Install')
  expect(serves).toEqual(['npm run -s gable -- serve --role api', 'npm run -s gable -- serve --role worker'])
  await run(migrate, source)
  await run('npm run -s gable -- workspaces create --name "Lantern & Oak Realty"', source)
  const [backup = '', ...none] = commandsIn('Back up')
  expect(none).toEqual([])
  await run(backup, source)
  const [made = ''] = await readdir(join(folder, 'backups'))

  const target = await newDatabase('target')
  const [restore = '', ...restored] = commandsIn('Restore')
  expect(restore).toMatch(/ restore \S+$/)
  const output = await run(restore.replace(/\S+$/, join(folder, 'backups', made)), target)
  expect(output).toContain('covered_until')
  expect(restored.map((command) => command.replace(/^.* restored ?/, ''))).toEqual([
    '',
    '--drop --confirm-gap',
    '--release --confirm-gap',
    '--hold',
  ])
  expect(await run(restored[0] ?? '', target)).toContain('enrollments')
  await run(restored[1] ?? '', target)
  expect(await run(restored[0] ?? '', target)).toBe('Nothing is held.\n')
  await run(restored[3] ?? '', target)
  await run(restored[2] ?? '', target)
  expect(await run('npm run -s gable -- workspaces list', target)).toContain('Lantern & Oak Realty')

  const upgrade = commandsIn('Upgrade')
  expect(upgrade).toHaveLength(2)
  for (const command of upgrade) await run(command, target)
})

test('what deploy has exists as the guide names it', async () => {
  const files = await readdir(join(root, 'deploy'))
  for (const name of files) expect(guide, name).toContain(`\`${name}\``)
  const unit = await readFile(join(root, 'deploy/gable@.service'), 'utf8')
  expect(unit).toMatch(
    /^ExecStart=\/opt\/gable\/node_modules\/\.bin\/node \/opt\/gable\/server\/src\/cli\/main\.ts serve --role %i$/m,
  )
})
