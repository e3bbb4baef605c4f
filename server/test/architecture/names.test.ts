import { describe, expect, test } from 'vitest'
import { badNames, domainWordsInKernel, namesExportedTwice } from './names.ts'
import { listFiles, parse, readSources } from './source.ts'

describe('the code', () => {
  const parts = ['server', 'sandbox', 'postgres', 'sdk', 'tools', 'web', 'e2e', 'docs', 'bench']
  const runtime = readSources(...parts)

  test('keeps domain terms out of the kernel', () => {
    expect(domainWordsInKernel(runtime)).toEqual([])
  })

  test('has kebab-case file names and no catch-all names such as utils', () => {
    expect(badNames(parts.flatMap(listFiles))).toEqual([])
  })

  test('exports each name from only one file', () => {
    expect(namesExportedTwice(readSources('server/src', 'sandbox', 'postgres'))).toEqual([])
  })
})

test('reports a name that two files export, except re-exports and a type beside its schema', () => {
  const leads = parse('server/src/modules/leads/lead.ts', 'export const Lead = 1; export type Lead = number')
  const reExport = parse('server/src/modules/leads/public.ts', "export { Lead } from './lead.ts'")
  const second = parse('server/src/modules/deals/lead.ts', 'export interface Lead {}')
  expect(namesExportedTwice([leads, reExport])).toEqual([])
  expect(namesExportedTwice([leads, reExport, second])).toEqual([
    'Lead: exported by server/src/modules/leads/lead.ts and server/src/modules/deals/lead.ts',
  ])
})

describe('reports a domain term in the kernel:', () => {
  const issuesOf = (code: string, name = 'jobs/job.ts') =>
    domainWordsInKernel([parse(`server/src/kernel/${name}`, code)])

  test.for([
    'const contactId = 1',
    'interface NewLead { at: Date }',
    'type Row = { deal_id: string }',
    'function listListings() {}',
    "const name = 'HOT_LEAD'",
    'const query = sql`select 1 from appointments`',
  ])('%s', (code) => {
    expect(issuesOf(`\n${code}`)).toEqual([expect.stringMatching(/^server\/src\/kernel\/jobs\/job\.ts:2: /)])
  })

  test('in a file name', () => {
    expect(issuesOf('', 'contact-ids.ts')).toHaveLength(1)
  })

  test.for([
    'const leading = server.listeningOrigin',
    '// contacts and leads',
    "const Email = { format: 'email', message: 'must be a valid email' }",
  ])('but not in %s', (code) => {
    expect(issuesOf(code)).toEqual([])
  })
})

test.for([
  ['server/src/kernel/Clock.ts', false],
  ['server/src/kernel/db/pg_internals.ts', false],
  ['server/src/Kernel/clock.ts', false],
  ['server/src/utils/text.ts', false],
  ['server/src/kernel/helpers.ts', false],
  ['server/migrations/1_x.sql', false],
  ['server/migrations/0001_roles.sql', true],
  ['server/src/kernel/db/pg-internals.d.ts', true],
  ['server/src/modules/contacts/contacts.test.ts', true],
] as const)('file name %s is valid: %s', ([path, passes]) => {
  expect(badNames([path]).length === 0).toBe(passes)
})
