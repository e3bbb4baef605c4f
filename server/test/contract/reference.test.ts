import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints, openApi } from '../../src/api.ts'
import { listFiles, readText } from '../architecture/source.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { codeBlocks } from '../support/code-blocks.ts'
import { freshDatabase } from '../support/database.ts'

const text = (openApi()['info'] as { description: string }).description

test('the API reference begins with topics that apply to all endpoints', () => {
  const headings = [...text.matchAll(/^# (.+)$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual([
    'Authentication',
    'Errors',
    'Pagination',
    'Field masks',
    'Texts and numbers',
    'Idempotency',
    'Concurrent updates',
    'Rate limits',
    'Versioning',
  ])
})

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

test('the API reference lists every declared error once', () => {
  const declared = new Set<string>()
  for (const path of listFiles('server/src').filter((name) => /(?<!\.test)\.ts$/.test(name))) {
    for (const [, code = '', status] of readText(path).matchAll(/defineError\(\s*'(\w+)',\s*(\d+)/g))
      if (!besideTheApi.has(code)) declared.add(`${code} ${status}`)
  }
  const listed = [...text.matchAll(/^\| `(\w+)` +\| (\d+) \|/gm)].map(
    ([, code, status]) => `${code} ${status}`,
  )
  expect(declared.size).toBeGreaterThan(30)
  expect(listed.toSorted()).toEqual([...declared].toSorted())
})

test('every operation that requires a recent sign-in documents the error', () => {
  const documented = Object.entries(openApi()['paths'] as Record<string, Record<string, Operation>>).flatMap(
    ([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        JSON.stringify(responses?.['403'] ?? '').includes('`recent_sign_in_required`')
          ? [`${method.toUpperCase()} ${path}`]
          : [],
      ),
  )
  const required = endpoints.filter(({ recentSignIn }) => recentSignIn === true)
  expect(documented.toSorted()).toEqual(required.map(({ method, path }) => `${method} ${path}`).toSorted())
})

interface Operation {
  responses?: Record<string, unknown>
}

let app: TestApp
let variables: Record<string, string>

beforeAll(async () => {
  app = await testApp({ databaseUrl: await freshDatabase('reference') })
  const agent = await app.credential('contacts:write')
  for (const first_name of ['Lin', 'Grace', 'Ada'])
    await agent.post('/contacts', { first_name, tags: ['lakefront'] })
  variables = { API: app.base, KEY: agent.key ?? '' }
})

afterAll(() => app[Symbol.asyncDispose]())

const blocks = codeBlocks(text)
const examples = blocks.flatMap(({ text: command }, at) => {
  const next = blocks[at + 1]
  return command.startsWith('curl ') && next?.language === 'json' ? [{ command, response: next.text }] : []
})

/** The value with each text and number replaced with its type, and with only one item of each list. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]))
}

test('the API reference has at least five examples', () => expect(examples.length).toBeGreaterThan(4))

test.each(examples)(
  'an example runs and returns the documented shape: $command',
  async ({ command, response }) => {
    const env = { PATH: process.env['PATH'], ...variables }
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', command], { env })
    expect(shapeOf(JSON.parse(stdout))).toEqual(shapeOf(JSON.parse(response)))
  },
)
