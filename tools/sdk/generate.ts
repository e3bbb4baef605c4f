/**
 * Generates the client from server/openapi.json: its types, its methods, and what it ships, compiled. Writes to sdk/, or
 * to a copy of it in the folder that the argument names.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenApi, emitResources } from './emit-resources.ts'

const root = join(import.meta.dirname, '../..')
const openApi = join(root, 'server/openapi.json')
const [target = join(root, 'sdk')] = process.argv.slice(2)

if (process.argv.length > 2)
  for (const part of ['src', 'package.json', 'tsconfig.json', 'README.md', 'LICENSE'])
    cpSync(join(root, 'sdk', part), join(target, part), { recursive: true })

const scratch = mkdtempSync(join(tmpdir(), 'gable-sdk-'))
try {
  const generator = join(import.meta.dirname, 'node_modules/@hey-api/openapi-ts/bin/run.js')
  run(generator, ['-i', openApi, '-o', scratch, '-p', '@hey-api/typescript', '--silent', '--no-log-file'])
  writeFileSync(join(target, 'types.d.ts'), typesOf(readFileSync(join(scratch, 'types.gen.ts'), 'utf8')))
} finally {
  rmSync(scratch, { recursive: true })
}
const document = JSON.parse(readFileSync(openApi, 'utf8')) as OpenApi
writeFileSync(join(target, 'src/resources.ts'), emitResources(document))

rmSync(join(target, 'dist'), { recursive: true, force: true })
// Comments and indentation are for those who read the types and the sources.
compile('--emitDeclarationOnly')
compile('--declaration', 'false', '--removeComments')
for (const name of readdirSync(join(target, 'dist')).filter((one) => one.endsWith('.js'))) {
  const file = join(target, 'dist', name)
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^ +/gm, ''))
}

/** Without the types of error responses: each error is a `GableError`. */
function typesOf(text: string): string {
  const blocks = text.split(/\n\n(?=export |\/\*\*)/)
  const operations = new Set([...text.matchAll(/^export type (\w+)Errors =/gm)].map(([, name]) => name))
  const isError = (block: string) => operations.has(/^export type (\w+)Errors? =/m.exec(block)?.[1])
  return blocks.filter((block) => !isError(block)).join('\n\n')
}

function compile(...options: string[]): void {
  run(join(root, 'node_modules/typescript/bin/tsc'), ['-p', target, ...options])
}

function run(program: string, options: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...options], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ended with status ${status}.\n${stdout}${stderr}`)
}
