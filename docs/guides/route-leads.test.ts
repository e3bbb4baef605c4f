import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { conditionIssues } from '@gable/server/src/modules/routing/rules/condition-issues.ts'
import { builtInRules, parseRules } from '@gable/server/src/modules/routing/rules/parse-rules.ts'
import { readRules } from '@gable/server/src/modules/routing/rules/read-rules.ts'
import { ruleFields, routingMethods, operators } from '@gable/server/src/modules/routing/rules/rule.ts'
import { addToTeam, createMember, createTeam } from '@gable/server/src/modules/workspaces/public.ts'
import { testApp } from '@gable/server/test/support/app.ts'
import { codeBlocks } from '@gable/server/test/support/code-blocks.ts'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// Most of it is processes.
vi.setConfig({ testTimeout: 180_000 })

type Json = Record<string, unknown>

const page = await readFile(new URL('./route-leads.md', import.meta.url), 'utf8')
const blocks = codeBlocks(page)
const shown = (language: string) => blocks.filter((block) => block.language === language)
const [given, ...scripts] = shown('sh').map(({ text }) => text)
const ran = new Set<string>()

const variables: Record<string, string> = {}
let folder: string
const opened = new AsyncDisposableStack()

/** `npm run -s gable -- …` without npm, which takes its time. */
const npm = 'npm() { shift 4; "$NODE" "$MAIN" "$@"; }'

/** Runs the one block of the page that has this text, in a shell with the page's variables. Returns what it prints. */
async function run(part: string): Promise<string> {
  const found = scripts.filter((text) => text.includes(part))
  const [script] = found
  if (script === undefined || found.length > 1) throw new Error(`${found.length} blocks with ${part}`)
  ran.add(script)
  const shell = ['-euo', 'pipefail', '-c', `${npm}\n${script}`]
  const { stdout } = await promisify(execFile)('bash', shell, { cwd: folder, env: variables })
  return stdout
}

async function ask(part: string): Promise<Json> {
  const body = JSON.parse(await run(part)) as Json
  if ('error' in body) throw new Error(JSON.stringify(body))
  return body
}

beforeAll(async () => {
  const databaseUrl = await freshDatabase('route_leads')
  const app = opened.use(await testApp({ databaseUrl, now: new Date() }))
  folder = await mkdtemp(join(tmpdir(), 'gable-page-'))
  opened.defer(() => rm(folder, { recursive: true }))
  const { ctx, id, credential } = await app.workspace()
  const { key = '' } = await credential('leads:write', 'contacts:read:pii', 'settings:manage')
  const member = async (name: string, address: string) =>
    (await createMember(ctx, { name, email: `${address}@lantern.example`, role: 'agent' })).id
  const members = [await member('Ada Reyes', 'ada'), await member('Bo Lindqvist', 'bo')]
  const team = (await createTeam(ctx, { name: 'North Shore' })).id
  for (const one of members) await addToTeam(ctx, team, one)
  Object.assign(variables, {
    PATH: process.env['PATH'],
    NODE: process.execPath,
    MAIN: fileURLToPath(new URL('../../server/src/cli/main.ts', import.meta.url)),
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/gable-cli-test', import.meta.url)),
    DATABASE_URL: databaseUrl,
    APP_SECRET: 'a secret that only the tests know, long enough',
    API: app.base,
    KEY: key,
    WORKSPACE: id,
    NORTH_SHORE: team,
    ADA: members[0],
  })
})
afterAll(() => opened.disposeAsync())

test('the guide works from the first rule to the backtest', async () => {
  const { ADA } = variables
  expect(await run('cat > rules.json')).toMatch(/^version +0\n[^]*\nadded:\n.*NAME\n[^]*Referrals are Ada's/)
  expect(await run('routing-rules update')).toMatch(/^version +1\n[^]*North Shore from 400,000/)
  expect(await run('> draft.json')).toMatch(/^ID +VERSION +.*\n\S+ +1 +.*gable/)

  expect(await ask('-X PUT')).toMatchObject({ version: 1, rules: [{ name: "Referrals are Ada's" }, {}, {}] })
  expect(await ask('/routing-rules/versions')).toMatchObject({
    data: [{ version: 1, actor: { name: 'gable' } }],
  })

  const preview = await ask('/routing-preview')
  expect(preview).toMatchObject({ assignee_id: ADA, matched_rule: { name: 'North Shore from 400,000' } })
  const [, printed = ''] = shown('text').map(({ text }) => text)
  const tested = await run('routing-rules test')
  for (const line of printed.split('\n').filter((one) => one !== '…')) expect(tested).toContain(line)

  const lead = await ask("'Idempotency-Key: form-8841'")
  expect(lead).toMatchObject({ assignee_id: ADA, phone: '+13125550123', ai_outbound_allowed: true })
  variables['LEAD'] = String(lead['id'])
  expect(await run('suppressions create --workspace $WORKSPACE --phone')).toMatch(/^kind +opted_out$/m)
  expect(await run('do-not-call.txt')).toMatch(
    /^2 lines: 2 suppressed, 0 were already, 0 not taken\.\n[^]*KIND[^]*\n\S+ .*internal_dnc.*sms, voice_auto, whatsapp/,
  )
  expect(await ask('$LEAD/routing')).toMatchObject({
    data: [{ assignee_id: ADA, considered: [{ matched: false }, { matched: false }, { matched: true }] }],
  })
  expect(await ask('$LEAD/assign')).toMatchObject({ changed: false, assignee_id: ADA })

  const offered = await ask('"source": "Portal app"}')
  expect(offered).toMatchObject({ waits_for: 'claim', offered_to: [ADA, expect.any(String)] })
  variables['OFFERED'] = String(offered['id'])
  expect(await ask('$OFFERED/claim')).toMatchObject({ status: 'claimed', assignee_id: ADA })

  const agents = await run('--paused-until')
  expect(agents).toMatch(/^paused_until +2056-07-01T08:00:00\.000Z$/m)
  expect(agents).toMatch(/^shifts:\n.*DAYS.*\n.*mon, tue, wed.*\n.*22:00 +02:00/m)
  expect(agents).toMatch(/^shifts +-$/m)

  expect(await ask('-X PATCH')).toMatchObject({
    id: ADA,
    paused: true,
    paused_until: '2056-07-01T08:00:00.000Z',
  })

  const backtest = await run('routing-rules backtest')
  expect(backtest).toMatch(/^total +2\ndiffer +0\n/m)
  expect(backtest).toMatch(/^offered +1 +1$/m)
})

test('the error message in the guide matches the program', async () => {
  const condition = {
    all: [
      { field: 'zip', operator: 'exists' },
      { field: 'prize', operator: 'gte', value: 1 },
    ],
  }
  const [issue] = conditionIssues(condition, 'rules.2.conditions')
  const [issueAt] = shown('text')
  expect(issueAt?.text).toBe(`${issue?.path}: ${issue?.message}\n`)
})

test('the examples are valid, and the guide lists every field, operator, and method', async () => {
  const document = readRules({ rules: JSON.parse(shown('json')[0]?.text ?? '') as unknown })
  expect(parseRules(document, builtInRules, new Date()).rules).toHaveLength(3)
  const rowsOf = (heading: string) =>
    new RegExp(`\\| ${heading} \\|.*\\n\\|.*\\n((?:\\|.*\\n)+)`).exec(page)?.[1]?.trimEnd().split('\n') ?? []
  const named = (text = '') => [...text.matchAll(/`([\w.]+)`/g)].map(([, name]) => name ?? '')
  expect(rowsOf('Method').map((row) => named(row)[0])).toEqual([...routingMethods])
  const rows = rowsOf('Field').map((row) => row.split('|').slice(1, 3).map(named))
  expect(rows.flatMap(([names = []]) => names).toSorted()).toEqual([...ruleFields, 'context.'].toSorted())
  for (const [names = [], taken = []] of rows) {
    for (const field of names.map((name) => (name === 'context.' ? 'context.form' : name))) {
      const suits = (operator: string) =>
        conditionIssues({ field, operator }, '').every(({ path }) => path !== '.operator')
      const expected = field.startsWith('context') ? operators.filter((one) => one !== 'time_between') : taken
      expect(operators.filter(suits).toSorted(), field).toEqual([...expected].toSorted())
    }
  }
})

test('every code block in the guide is checked', () => {
  expect(scripts.filter((text) => !ran.has(text))).toEqual([])
  const assigned = [...(given ?? '').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
  expect(assigned).toEqual(['API', 'KEY', 'WORKSPACE', 'NORTH_SHORE', 'ADA'])
  expect(shown('text')).toHaveLength(2)
  expect(shown('json')).toHaveLength(1)
})
