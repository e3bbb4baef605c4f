import { expect, test } from 'vitest'
import { listFiles, readText } from './source.ts'
import { bannedWordsIn, softVerbsIn } from './words.ts'

const folders = ['server', 'sandbox', 'postgres', 'sdk', 'tools', 'web', 'e2e', 'docs', 'bench', 'bin']
const files = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...folders.flatMap(listFiles),
]
  // Written from the API reference, which is read itself.
  .filter((path) => !/^sdk\/(dist\/|types\.d\.ts|src\/resources\.ts)/.test(path))
  .filter((path) => /\.(ts|js|sql|md|html|css)$|^bin\/|openapi\.json$/.test(path))

test('code, tests, documents, and the API reference contain no banned words', () => {
  expect(files.flatMap((path) => bannedWordsIn({ path, text: readText(path) }))).toEqual([])
})

test('functions of the product are named by trade verbs', () => {
  const product = files.filter((path) =>
    /^server\/src\/(kernel|modules|adapters)\/(?!.*\.test\.ts$).*\.ts$/.test(path),
  )
  expect(product.flatMap((path) => softVerbsIn({ path, text: readText(path) }))).toEqual([])
})

test('soft verbs at the start of a name are reported; other names and values are not', () => {
  const text = [
    'export async function tendCall(id: string) {}',
    'const keepChecks = (id: string) => id',
    'const holdMs = 500',
    'export const lockNotes = async () => undefined',
    'const notes = (id: string) => id',
  ].join('\n')
  expect(softVerbsIn({ path: 'a.ts', text })).toEqual([
    'a.ts: tendCall: write process, maintain',
    'a.ts: keepChecks: write retain, save, require',
  ])
})

test.for([
  ['// Whoever asks is told.', ['Whoever', 'told']],
  ['const toldOf = answer_of(strangers)', ['told', 'strangers', 'answer']],
  ['The House answers.', ['House', 'answers']],
  ['// Its outdoor address is a warehouse.', []],
  ['// Sends an email; the color of a behavior.', []],
  ['// An e-mail in another colour', ['e-mail', 'colour']],
] as const)('banned words in %s: %j', ([text, words]) => {
  const path = 'server/src/app.ts'
  expect(bannedWordsIn({ path, text }).map((one) => one.replace(/: write .*/, ''))).toEqual(
    words.map((word) => `${path}:1: "${word}"`),
  )
})
