import { expect, test } from 'vitest'
import { openApi } from '../../src/api.ts'
import { agent, openScene } from '../scenes/workspace.ts'

openScene({ role: 'api' })

interface Schema {
  $ref?: string
  minLength?: number
  pattern?: string
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
}

const { components, paths } = openApi() as unknown as {
  components: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>
}

/** The names and titles that request bodies may not leave empty, except the names that a provider gives to its templates. */
function* namesIn(schema: Schema, at: string, seen: readonly Schema[] = []): Generator<[string, Schema]> {
  const found = schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1) ?? '']
  if (found === undefined || seen.includes(found)) return
  for (const [name, member] of Object.entries(found.properties ?? {})) {
    if (['name', 'title'].includes(name) && member.minLength === 1) yield [`${at} ${name}`, member]
    if (name !== 'template') yield* namesIn(member, `${at} ${name}`, [...seen, found])
  }
  for (const inside of [found.items ?? [], found.oneOf ?? []].flat())
    yield* namesIn(inside, at, [...seen, found])
}

test('a name that consists of blanks is not a name', async () => {
  const names = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => [
        ...namesIn(schema, `${method} ${path}`),
      ]),
    ),
  )
  expect(names.length).toBeGreaterThan(20)
  const blank = names.filter(([, { pattern = '' }]) => new RegExp(pattern).test(' \u00a0 '))
  expect(blank.map(([at]) => at)).toEqual([])
  const { status, body } = await agent.post('/automations', { name: '  ', definition: { steps: [] } })
  expect([status, body['error'].details]).toEqual([400, [{ path: 'name', message: 'must not be empty' }]])
})
