import { readdirSync } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { createProgram } from '@gable/server/src/cli/program.ts'
import { readConfig } from '@gable/server/src/config.ts'
import { codeBlocks } from '@gable/server/test/support/code-blocks.ts'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url)
const read = (path: string) => readFile(new URL(path, root), 'utf8')

const pages = ['.', 'docs', 'docs/introduction', 'docs/guides', 'docs/decisions', 'docs/samples'].flatMap(
  (folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
)

test("the README's table lists exactly the variables that config.ts reads", async () => {
  const table = [...(await read('README.md')).matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  const source = await read('server/src/config.ts')
  const names = [...source.matchAll(/(?:text|integer|url|choice|reach)\('([A-Z_]+)'/g)].map(
    ([, name]) => name,
  )
  expect(table.toSorted()).toEqual([...new Set(names)].toSorted())
})

test('the contact that the README shows has the members of a contact', async () => {
  const shown = codeBlocks(await read('README.md')).find(({ language }) => language === 'json')?.text ?? ''
  const document = JSON.parse(await read('server/openapi.json')) as {
    components: { schemas: { Contact: { properties: object } } }
  }
  const { properties } = document.components.schemas.Contact
  expect(Object.keys(JSON.parse(shown) as object).toSorted()).toEqual(Object.keys(properties).toSorted())
})

test.for([
  ['WEBHOOK_ALLOW_HTTP', 'allowHttp'],
  ['WEBHOOK_ALLOW_PRIVATE', 'allowPrivate'],
] as const)("the README's defaults of %s match config.ts", async ([name, option]) => {
  expect(await read('README.md')).toContain(`| \`${name}\` | \`loopback\`, with \`DATABASE_URL\` \`false\` |`)
  const own = { DATABASE_URL: 'postgres://db/gable', APP_SECRET: 'x'.repeat(32) }
  const reach = (env: Record<string, string>) => readConfig(env).egress[option]
  expect([reach({}), reach(own)]).toEqual(['loopback', 'none'])
  expect(['true', 'false', 'loopback'].map((value) => reach({ ...own, [name]: value }))).toEqual([
    'all',
    'none',
    'loopback',
  ])
})

test('every file that the docs link to exists', async () => {
  for (const page of pages) {
    const links = [...(await read(page)).matchAll(/\]\((?!https?:|#|\/)([^)#]+)(?:#[^)]*)?\)/g)].map(
      ([, path]) => path ?? '',
    )
    for (const path of links) {
      await expect(access(new URL(path, new URL(page, root))), `${page} → ${path}`).resolves.toBeUndefined()
    }
  }
})

test('each promise of the security guide names tests that hold it, and they exist', async () => {
  const guide = await read('docs/guides/security.md')
  const [promises = ''] = guide.split('\n## What Gable does not promise')
  const groups = promises.split(/^(?=- )/m).slice(1)
  const evidence = groups.map((group) => [
    ...group.matchAll(/^ {2}- \[(.+)\]\(\.\.\/\.\.\/(.+\.test\.ts)\)$/gm),
  ])
  expect(groups.filter((_, at) => evidence[at]?.length === 0)).toEqual([])
  expect(evidence.flat()).toHaveLength(promises.match(/\.test\.ts\)/g)?.length ?? 0)
  for (const [, title = '', path = ''] of evidence.flat()) {
    const text = (await read(path)).replaceAll(/ \(seed \$\{seed\}\)(?=`)/g, '')
    const isTest = [`'${title}'`, `"${title}"`, `\`${title}\``].some((literal) =>
      text.match(/(?:test|describe)(?:\.\w+)*\([^]*/)?.[0].includes(literal),
    )
    expect({ path, title, isTest }).toEqual({ path, title, isTest: true })
  }
})

test('every command shown in the docs exists with its options', async () => {
  const shown = (await Promise.all(pages.map(read)))
    .flatMap(codeBlocks)
    .flatMap(({ text }) =>
      [...text.replaceAll('\\\n', ' ').matchAll(/^npm run -s gable -- ([^#\n<>|]*)/gm)].map(([, line = '']) =>
        line.trim(),
      ),
    )
  expect(shown.length).toBeGreaterThan(10)
  for (const line of shown) {
    const words = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
    let command = createProgram()
    while (command.commands.length > 0) {
      const name = words.shift()
      const next = command.commands.find((one) => one.name() === name)
      if (next === undefined) throw new Error(`There is no command ${name}: ${line}`)
      command = next
    }
    const { operands, unknown } = command.exitOverride().parseOptions(words)
    expect({ line, unknown }).toEqual({ line, unknown: [] })
    expect(operands.length, line).toBe(command.registeredArguments.length)
  }
})
