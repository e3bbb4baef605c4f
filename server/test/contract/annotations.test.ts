import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import type { Endpoint } from '#kernel/http/endpoint.ts'
import { endpoints } from '../../src/api.ts'
import { modules } from '../../src/modules/index.ts'
import { readCatalog } from '../architecture/catalog.ts'
import { freshDatabase } from '../support/database.ts'
import { plainTexts, shownMembers } from './annotations.ts'
import type { Schema } from './hostile-values.ts'
import { plain } from './requests.ts'

const events = modules.flatMap((module) => module.events ?? [])

/** Columns about a contact that need not be hidden from a credential that sees only masks. */
const shownAsTheyAre = {
  'appointments.attendees': 'ids; names and addresses in it are masked one by one',
  'automation_entries.triggers': 'tests of the definition; what the contact has instead is hidden',
  'calls.content_findings': 'codes, and where it stands; the words are masked',
  'calls.error': 'codes of a carrier; its words are masked',
  'contacts.address': "a sender's, in what can be reached; the address of a contact is masked",
  'contacts.timezone': 'the name of a zone',
  'events.data': 'masked when it was written',
  'generations.proposal': 'codes; the text is masked',
  'leads.offered_to': 'ids of members',
  'messages.error': 'codes of a carrier; its words are masked',
  'messages.media': 'IDs and types; names and links are hidden',
  'webhook_deliveries.attempts': 'when, and what the receiver sent back',
}

/** Whether an endpoint concerns the rows of a table: `/leads/…` concerns `leads` and `lead_consents`. */
const isAbout = ({ path }: Endpoint, table: string) => {
  const noun = (path.split('/')[1] ?? '').replaceAll('-', '_')
  return table === noun || table.startsWith(`${noun.replace(/s$/, '')}_`)
}

let client: pg.Client

beforeAll(async () => {
  client = new pg.Client({ connectionString: await freshDatabase('annotations') })
  await client.connect()
})
afterAll(() => client.end())

test('each personal column in a response is annotated as masked or is a listed exception', async () => {
  const { columns } = await readCatalog(client)
  const shown = columns
    .filter(({ comment }) => comment === 'personal: erased')
    .flatMap(({ name: column }) => {
      const [table = '', name = ''] = column.split('.')
      return endpoints
        .filter((endpoint) => isAbout(endpoint, table))
        .flatMap((endpoint) => shownMembers(endpoint))
        .filter(([path]) => path.split('.').at(-1) === name)
        .map(([, schema]) => ({ column, isMasked: plainTexts(schema, name).length === 0 }))
    })
  expect(new Set(shown.map(({ column }) => column)).size).toBeGreaterThan(15)
  const plainly = shown.filter(({ isMasked }) => !isMasked).map(({ column }) => column)
  expect(new Set(plainly)).toEqual(new Set(Object.keys(shownAsTheyAre)))
})

test('personal members of published events are annotated as masked, except contact.timezone', () => {
  const personal = events
    .filter(({ scope }) => scope !== null)
    .flatMap(({ name, data, personal: members }) =>
      members.map((member): [string, Schema] => [
        `${name} ${member}`,
        orNotFound(plain(data).properties?.[member]),
      ]),
    )
  expect(personal.length).toBeGreaterThan(10)
  expect(personal.flatMap(([at, schema]) => plainTexts(schema, at))).toEqual([
    'contact.created contact.timezone',
  ])
})

/** Annotations that masking does not reach, because they are under keywords that it does not follow. */
function unreached(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const isReached = /^(\/properties\/[^/]+|\/items|\/(anyOf|allOf|oneOf)\/\d+)*$/.test(at)
  const isUnreached = 'x-masked' in value && !isReached
  return [
    ...(isUnreached ? [at] : []),
    ...Object.entries(value).flatMap(([name, one]) => unreached(one, `${at}/${name}`)),
  ]
}

test('every masking annotation is where masking applies it', () => {
  const schemas = [
    ...endpoints.flatMap(({ body, responses }) => [body ?? {}, ...Object.values(responses)]),
    ...events.map(({ data }) => data),
  ].map((schema) => plain(schema))
  expect(JSON.stringify(schemas)).toContain('x-masked')
  expect(schemas.flatMap((schema) => unreached(schema))).toEqual([])
})
