import { describe, expect, test } from 'vitest'
import { badNames, domainWordsInKernel, longFiles } from './names.ts'
import { listFiles, parse, readSources } from './source.ts'

describe('the house', () => {
  const house = readSources('server/src', 'server/test', 'bench')

  test('keeps words of the domain out of the kernel', () => {
    expect(domainWordsInKernel(house)).toEqual([])
  })

  test('has kebab-case names that say what is in a file', () => {
    expect(badNames(['server/src', 'server/test', 'server/migrations', 'bench'].flatMap(listFiles))).toEqual(
      [],
    )
  })

  test('has files of 300 lines at most', () => {
    expect(longFiles(house)).toEqual([])
  })
})

describe('a word of the domain in the kernel is found:', () => {
  const faultsOf = (code: string, name = 'jobs/job.ts') =>
    domainWordsInKernel([parse(`server/src/kernel/${name}`, code)])

  test.for([
    'const contactId = 1',
    'interface NewLead { at: Date }',
    'type Row = { deal_id: string }',
    'function listListings() {}',
    "const name = 'HOT_LEAD'",
    'const query = sql`select 1 from appointments`',
  ])('%s', (code) => {
    expect(faultsOf(`\n${code}`)).toEqual([expect.stringMatching(/^server\/src\/kernel\/jobs\/job\.ts:2: /)])
  })

  test('in the name of a file', () => {
    expect(faultsOf('', 'contact-ids.ts')).toHaveLength(1)
  })

  test.for([
    'const leading = server.listeningOrigin',
    '// contacts and leads',
    "const Email = { format: 'email', message: 'must be a valid email' }",
  ])('but not in %s', (code) => {
    expect(faultsOf(code)).toEqual([])
  })
})

test.for([
  ['server/src/kernel/Clock.ts', false],
  ['server/src/kernel/db/pg_internals.ts', false],
  ['server/src/Kernel/clock.ts', false],
  ['server/src/utils/text.ts', false],
  ['server/src/kernel/helpers.ts', false],
  ['server/migrations/1_x.sql', false],
  ['server/migrations/0001_roles-and-directory.sql', true],
  ['server/src/kernel/db/pg-internals.d.ts', true],
  ['server/src/modules/contacts/contacts.test.ts', true],
] as const)('the name %s passes: %s', ([path, passes]) => {
  expect(badNames([path]).length === 0).toBe(passes)
})

test('a file of 301 lines is found', () => {
  const lines = (count: number) => [{ path: 'a.ts', text: 'x\n'.repeat(count) }]
  expect(longFiles(lines(301))).toEqual(['a.ts:300: has 301 lines; a file has 300 at most'])
  expect(longFiles(lines(300))).toEqual([])
})
