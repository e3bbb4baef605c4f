import { expect, test } from 'vitest'
import { listFiles, readText } from './source.ts'
import { bannedWordsIn } from './words.ts'

const folders = ['server', 'sandbox', 'postgres', 'sdk', 'web', 'e2e', 'docs', 'bench', 'bin']
const files = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...folders.flatMap(listFiles)].filter(
  (path) => /\.(ts|js|sql|md|html|css)$|^bin\/|openapi\.json$/.test(path),
)

test('code, tests, documents, and the API reference contain no banned words', () => {
  expect(files.flatMap((path) => bannedWordsIn({ path, text: readText(path) }))).toEqual([])
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
