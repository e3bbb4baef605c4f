import { execFile } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { listFiles, readText } from '@gable/server/test/architecture/source.ts'
import { type TestApp, testApp } from '@gable/server/test/support/app.ts'
import { codeBlocks } from '@gable/server/test/support/code-blocks.ts'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { readyToSend } from '@gable/server/test/support/ready-to-send.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = new URL('.', import.meta.url)
const pages = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))
const errors = pages.find(({ name }) => name === 'errors.md')?.text ?? ''

/** Error codes that only the pages' own requests, commands, jobs, and provider callbacks can get. */
const besideTheApi = new Set([
  'passkey_rejected',
  'not_allowed',
  'invalid_signature',
  'calendar_unreachable',
  'listing_changed',
  'not_due',
  'digest_not_due',
])

test('the page on errors has every declared error once, each with a remedy', () => {
  const declared = new Set<string>()
  for (const path of listFiles('server/src').filter((name) => /(?<!\.test)\.ts$/.test(name))) {
    for (const [, code = '', status] of readText(path).matchAll(/defineError\(\s*'(\w+)',\s*(\d+)/g))
      if (!besideTheApi.has(code)) declared.add(`${code} ${status}`)
  }
  const listed = [...errors.matchAll(/^\| `(\w+)` \| (\d+) \| [^|]+\. \| [^|]+\. \|$/gm)].map(
    ([, code, status]) => `${code} ${status}`,
  )
  expect(declared.size).toBeGreaterThan(30)
  expect(listed.toSorted()).toEqual([...declared].toSorted())
})

test('every page says where the variables of its requests come from', () => {
  const guides = new URL('../guides/', folder)
  const all = [
    ...pages,
    ...readdirSync(guides)
      .filter((name) => name.endsWith('.md'))
      .map((name) => ({ name, text: readFileSync(new URL(name, guides), 'utf8') })),
  ]
  const unexplained = all.flatMap(({ name, text }) => {
    if (/come from (previous|the) responses/.test(text.replaceAll(/\s+/g, ' '))) return []
    const commands = codeBlocks(text).filter(({ language }) => language === 'sh')
    const script = commands.map(({ text: command }) => command).join('\n')
    const known = new Set([
      ...[...script.matchAll(/\b([A-Z_]{2,})=/g)].map(([, variable]) => variable),
      ...[...text.matchAll(/`\$?([A-Z_]{2,})`/g)].map(([, variable]) => variable),
    ])
    const used = new Set([...script.matchAll(/\$\{?([A-Z_]{2,})/g)].map(([, variable]) => variable))
    return [...used].filter((variable) => !known.has(variable)).map((variable) => `${name}: ${variable}`)
  })
  expect(unexplained).toEqual([])
})

let app: TestApp
let variables: Record<string, string>

beforeAll(async () => {
  app = await testApp({ databaseUrl: await freshDatabase('introduction') })
  const workspace = await app.workspace()
  await readyToSend(workspace)
  const agent = await workspace.credential(
    'contacts:write',
    'leads:write',
    'messages:send',
    'contacts:read:pii',
  )
  for (const first_name of ['Lin', 'Grace', 'Ada'])
    await agent.post('/contacts', {
      first_name,
      tags: ['lakefront'],
      phone: '+13125550111',
      email: 'ada@reyes.example',
    })
  const masked = await workspace.credential('contacts:read')
  variables = { API: app.base, KEY: agent.key ?? '', MASKED_KEY: masked.key ?? '' }
})

afterAll(() => app[Symbol.asyncDispose]())

const examples = pages.flatMap(({ name, text }) => {
  const blocks = codeBlocks(text)
  return blocks.flatMap(({ text: command }, at) => {
    const next = blocks[at + 1]
    return command.startsWith('curl ') && next?.language === 'json'
      ? [{ page: name, command, response: next.text }]
      : []
  })
})

/** The value with each text and number replaced with its type, and with only one item of each list. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  const shape = Object.entries(value)
    .filter(([name]) => name !== '…')
    .map(([name, member]) => [name, shapeOf(member)] as const)
  return '…' in value ? expect.objectContaining(Object.fromEntries(shape)) : Object.fromEntries(shape)
}

test('the introduction has at least eight examples', () => expect(examples.length).toBeGreaterThan(7))

test.each(examples)(
  '$page: an example runs and returns the documented shape: $command',
  async ({ command, response }) => {
    const env = { PATH: process.env['PATH'], ...variables }
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', command], { env })
    expect(shapeOf(JSON.parse(stdout))).toEqual(shapeOf(JSON.parse(response)))
  },
)
