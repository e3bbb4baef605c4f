import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { codeBlocks } from '@gable/server/test/support/code-blocks.ts'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const folders = ['.', 'sdk', 'docs', 'docs/introduction', 'docs/guides', 'docs/samples', 'docs/decisions']
/** CONTRIBUTING.md has code of the server. */
const pages = folders.flatMap(pagesIn).filter((page) => page !== './CONTRIBUTING.md')
const textOf = (page: string) => readFileSync(new URL(page, root), 'utf8')
const blocks = pages.flatMap((page) =>
  codeBlocks(textOf(page))
    .filter(({ language }) => language === 'ts')
    .map(({ text }) => ({ page, text })),
)

function pagesIn(folder: string): string[] {
  const names = readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.md'))
  return names.map((name) => `${folder}/${name}`)
}

/** What a block may take from the text around it. */
const around = `import type { Contact, Gable as Client } from 'gable'
declare global {
  const gable: Client
  const contact: Contact
  const callbackUrl: string, clientId: string, clientSecret: string, redirectUri: string
}
`

const tsconfig = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022', 'dom'],
    module: 'nodenext',
    types: ['node'],
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    // The types of the client are part of what is checked, but not those of Node.js beside those of browsers.
    skipLibCheck: true,
  },
  include: ['*.ts'],
}

/** The errors of the compiler for these modules. */
function errorsOf(modules: readonly string[]): string {
  // Where imports find the client as a package, as in the project of a developer.
  const folder = new URL(`node_modules/.cache/gable-blocks-${process.pid}/`, root)
  mkdirSync(folder, { recursive: true })
  try {
    const write = (name: string, text: string) => writeFileSync(new URL(name, folder), text)
    write('package.json', '{"type":"module"}')
    write('tsconfig.json', JSON.stringify(tsconfig))
    write('around.d.ts', around)
    for (const [at, text] of modules.entries()) write(`block-${at}.ts`, `${text}\nexport {}\n`)
    const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root))
    return spawnSync(process.execPath, [tsc, '-p', fileURLToPath(folder)], { encoding: 'utf8' }).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('every TypeScript block of the documentation compiles', () => {
  expect(blocks.length).toBeGreaterThan(9)
  // However a block is fenced.
  const fences = pages.map((page) => textOf(page).match(/^\W*(```|~~~)\W*(ts|tsx|mts|typescript)\b/gim) ?? [])
  expect(blocks).toHaveLength(fences.flat().length)
  const modules = blocks.map(({ page, text }) => `// ${page}\n${text}`)
  expect(errorsOf(modules)).toBe('')
})

test('and a block with a wrong name would not', () => {
  expect(errorsOf(['await gable.contacts.list({ stag: "LEAD" })'])).toMatch(
    /block-0\.ts\(1,29\): error .*'stag'/,
  )
})
