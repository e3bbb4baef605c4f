import { Command } from 'commander'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { type CommandRuntime, createCli } from '#kernel/cli/cli.ts'
import { kebab, bodyMembers } from '#kernel/cli/operations/member-options.ts'
import { addOperationCommands } from '#kernel/cli/operations/operation-command.ts'
import type { Shape } from '#kernel/cli/operations/option-value.ts'
import type { ApiRequest } from '#kernel/cli/operations/run-operation.ts'
import { systemClock } from '#kernel/clock.ts'
import { type Endpoint, endpoint, pathParameters } from '#kernel/http/endpoint.ts'
import { hasVersion } from '#kernel/http/etag.ts'
import { querySchema } from '#kernel/http/query-string.ts'
import { isList, operationIds } from '#kernel/openapi/operation-ids.ts'
import { endpoints } from '../../src/api.ts'
import { createProgram } from '../../src/cli/program.ts'

type Json = Record<string, unknown>

const program = createProgram()
const operations = [...operationIds(endpoints)].map(([one, id]) => ({ one, words: wordsOf(id) }))

function wordsOf(id: string): string[] {
  return id.split('.').map((word) => word.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
}

function commandOf(words: readonly string[]): Command {
  let command = program
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word)
    if (next === undefined) throw new Error(`There is no command ${words.join(' ')}.`)
    command = next
  }
  return command
}

const bodyOf = ({ body }: Endpoint) => bodyMembers((body ?? {}) as Shape)
const queryOf = (one: Endpoint) => querySchema(one).properties as Record<string, Shape>

let sent: ApiRequest | undefined
const runtime = { runtime: { clock: systemClock }, [Symbol.asyncDispose]: async () => undefined }
const cli = createCli(new Map(), async () => runtime as unknown as CommandRuntime)
/** All operations, without a database: their requests go into `sent`. */
const recorder = new Command('gable').exitOverride().configureOutput({ outputError: () => undefined })
addOperationCommands(recorder, { ...cli, run: silently(cli.open) }, endpoints, async (_, request) => {
  sent = request
  return isList(request.endpoint) ? { data: [], next_cursor: null, has_more: false } : {}
})

/** Runs a command of the recorder. Returns the request that it sends. */
async function requestOf(words: readonly string[]): Promise<ApiRequest> {
  sent = undefined
  await recorder.parseAsync(words, { from: 'user' })
  if (sent === undefined) throw new Error(`${words.join(' ')} sends nothing.`)
  return sent
}

/** Runs a command's handler and prints nothing. */
function silently(open: () => Promise<CommandRuntime>): ReturnType<typeof createCli>['run'] {
  return (handler) =>
    async (...args) =>
      void (await handler(await open(), ...args))
}

const idsOf = ({ path }: Endpoint) => pathParameters(path)

test('--help of every operation names its arguments and options, with their choices', () => {
  for (const { one, words } of operations) {
    let help = ''
    const command = commandOf(words)
    command
      .configureHelp({ helpWidth: 10_000 })
      .configureOutput({ writeOut: (text) => void (help += text) })
      .outputHelp()
    const { members, required } = bodyOf(one)
    const names = Object.entries({ ...queryOf(one), ...members })
    const flags = names.map(
      ([name, { writeOnly }]) => `--${kebab(name)}${writeOnly === true ? '-stdin' : ''}`,
    )
    const own = ['--json', '--workspace']
    if (one.body !== undefined) own.push('--data')
    if (one.list !== undefined) own.push('--all', '--limit', '--cursor')
    if (one.method === 'POST') own.push('--idempotency-key')
    if (one.method === 'PATCH' && hasVersion(one)) own.push('--if-match')
    for (const flag of [...flags, ...own])
      expect(help, words.join(' ')).toMatch(new RegExp(`^  ${flag}[ \\n]`, 'm'))
    for (const name of idsOf(one)) expect(help).toContain(`<${kebab(name)}>`)
    for (const [name, shape] of names)
      for (const choice of shape.enum ?? []) if (choice !== null) expect(help, name).toContain(String(choice))
    for (const name of required)
      expect(help).toMatch(new RegExp(`^  --${kebab(name)}\\b.*\\(required\\)`, 'm'))
  }
})

test('a secret of a body is read from standard input only', () => {
  const secrets = operations.flatMap(({ one, words }) =>
    Object.entries(bodyOf(one).members)
      .filter(([name, { writeOnly }]) => writeOnly === true || /secret|password|token/.test(name))
      .map(([name]) => ({ words, name })),
  )
  expect(secrets.map(({ words, name }) => `${words.join(' ')} ${name}`)).toEqual([
    'connections create secret',
    'connections update secret',
  ])
  for (const { words, name } of secrets) {
    const flags = commandOf(words).options.map(({ long }) => long)
    expect(flags).toContain(`--${name}-stdin`)
    expect(flags).not.toContain(`--${name}`)
  }
})

/** A value as options. */
function optionsOf(name: string, value: unknown): string[] {
  const flag = `--${kebab(name)}`
  if (typeof value === 'boolean') return [value ? flag : flag.replace('--', '--no-')]
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' && !one.includes(',')))
    return value.length === 0 ? [flag, ''] : value.flatMap((one) => [flag, String(one)])
  return [flag, typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)]
}

test('the example of every body, given by options, is the body that is sent', async () => {
  const seen = new Set<string>()
  for (const { one, words } of operations) {
    const examples = (one.body as { examples?: Json[] } | undefined)?.examples ?? []
    for (const example of examples) {
      const { members } = bodyOf(one)
      const open = Object.entries(example).filter(([name]) => members[name]?.writeOnly !== true)
      const options = open.flatMap(([name, value]) => optionsOf(name, value))
      const { body } = await requestOf([...words, ...idsOf(one), ...options])
      expect(body, words.join(' ')).toEqual(Object.fromEntries(open))
      seen.add(words.join(' '))
    }
  }
  expect(seen.size).toBeGreaterThan(70)
})

test('every query parameter is an option, and ids fill the path in order', async () => {
  for (const { one, words } of operations) {
    const names = Object.entries(queryOf(one))
    const given = names.map(([name, { type }]) => [name, type === 'boolean' ? false : '7'] as const)
    const { url } = await requestOf([
      ...words,
      ...idsOf(one).map((name) => `the-${name}`),
      ...given.flatMap(([name, value]) => optionsOf(name, value)),
    ])
    const [path, query = ''] = url.split('?')
    expect(path).toBe(one.path.replaceAll(/\{(\w+)\}/g, 'the-$1'))
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual(
      Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    )
  }
})

describe('an option', () => {
  const body = async (...options: string[]) => (await requestOf(options)).body

  test('takes null and false', async () => {
    expect(await body('contacts', 'update', 'ID', '--last-name', 'null', '--owner-id', 'null')).toEqual({
      last_name: null,
      owner_id: null,
    })
    expect(await body('members', 'update', 'ID', '--no-active')).toEqual({ active: false })
    // A name cannot be null, so it is a text.
    expect(await body('offices', 'create', '--name', 'null')).toEqual({ name: 'null' })
  })

  test('takes several values, repeated or between commas, and choices between blanks, or all', async () => {
    expect(await body('contacts', 'update', 'ID', '--tags', 'buyer, first time', '--tags', 'vip')).toEqual({
      tags: ['buyer', 'first time', 'vip'],
    })
    const scopes = (text: string) => body('api-keys', 'create', '--scopes', text)
    expect(await scopes('leads:read contacts:read')).toEqual({ scopes: ['leads:read', 'contacts:read'] })
    const { scopes: all } = (await scopes('all')) as { scopes: string[] }
    expect(all).toEqual((bodyOf(found('api-keys create')).members['scopes'] as Shape).items?.enum)
  })

  test('takes an object as JSON, as a file, or by member', async () => {
    const address = { city: 'Evanston', state: 'IL' }
    const create = (...options: string[]) => body('contacts', 'create', ...options)
    expect(await create('--address', JSON.stringify(address))).toEqual({ address })
    expect(await create('--address', 'city=Evanston', '--address', 'state=IL')).toEqual({ address })
    const registration = ['--registration', 'domain_authenticated=true']
    expect(await body('senders', 'update', 'ID', ...registration)).toEqual({
      registration: { domain_authenticated: true },
    })
    expect(await create('--address', '@package.json')).toMatchObject({ address: { name: 'gable' } })
    await expect(create('--address', 'Evanston')).rejects.toThrow(/--address .* It must be JSON/)
  })

  test('takes a time from now', async () => {
    const { since } = (await body('webhooks', 'recover', 'ID', '--since', '24h')) as { since: string }
    expect(Date.now() - Date.parse(since)).toBeCloseTo(86_400_000, -5)
    const { due_at: due } = (await body('tasks', 'create', '--due-at', '+2d')) as { due_at: string }
    expect(Date.parse(due) - Date.now()).toBeCloseTo(2 * 86_400_000, -5)
    expect(await body('tasks', 'create', '--due-at', 'tomorrow')).toEqual({ due_at: 'tomorrow' })
  })

  test('sets a header', async () => {
    const at = '2026-11-20T20:11:04.817Z'
    const { headers } = await requestOf(['contacts', 'update', 'ID', '--if-match', at])
    expect(headers).toEqual({ 'if-match': `"${at}"` })
    const create = await requestOf(['contacts', 'create', '--idempotency-key', 'form-1'])
    expect(create.headers).toEqual({ 'idempotency-key': 'form-1' })
  })

  const found = (words: string) => operations.find((one) => one.words.join(' ') === words)?.one as Endpoint
})

test('a command or an option that exists already is an error at the start', () => {
  const responses = { 200: Type.Object({}) }
  const handle = async () => ({ status: 200 as const, body: {} })
  const spec = { scope: 'any' as const, summary: 'Clash', responses, handle }
  expect(() => createProgram([endpoint('POST /workspaces', spec), ...endpoints])).toThrow(
    /already have.*create/,
  )
  const body = Type.Object({ workspace: Type.String() })
  expect(() => createProgram([endpoint('POST /clashes', { ...spec, body })])).toThrow(/--workspace/)
})
