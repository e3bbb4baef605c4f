import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type CodeBlock, codeBlocks } from '@gable/server/test/support/code-blocks.ts'
import { expect } from 'vitest'

/** A guide whose scripts and requests can be run. Disposing of it removes the scripts' files. */
export interface GuidePage extends AsyncDisposable {
  /** The page's text on one line, however it is wrapped. */
  prose: string
  blocks: readonly CodeBlock[]
  /** Scripts and requests that the test must run. */
  toRun: readonly CodeBlock[]
  /** Those that have not been run yet. */
  notRun(): string[]
  /** The working directory of the page's commands. */
  folder: string
  /** Imports a script of the page by the name in its first line, with the end .mjs. */
  load<T>(name: string): Promise<T>
  /** The path of a script, to run it as a program. */
  fileOf(name: string): string
  /** The JSON block on the page that contains this text, parsed. */
  shown(part: string): unknown
  /** Runs the only request that contains this text, in a shell with these variables. Returns its output. */
  curl(part: string, variables: Readonly<Record<string, string>>): Promise<string>
}

/**
 * Reads `guides/<name>.md` and writes its scripts to a place from which their imports find the libraries. `commands`:
 * also run the shell blocks, except the first, which sets the variables.
 */
export async function guidePage(name: string, { commands = false } = {}): Promise<GuidePage> {
  const page = await readFile(new URL(`../guides/${name}.md`, import.meta.url), 'utf8')
  const blocks = codeBlocks(page)
  const scripts = blocks.filter(
    ({ language, text }) => language === 'js' || (language === 'ts' && nameOf(text)),
  )
  const requests = commands
    ? blocks.filter(({ language }) => language === 'sh').slice(1)
    : blocks.filter(({ text }) => text.startsWith('curl '))
  const toRun = [...scripts, ...requests]
  const ran = new Set<string>()
  const folder = fileURLToPath(
    new URL(`../../node_modules/.cache/gable-${name}-${process.pid}/`, import.meta.url),
  )
  await mkdir(folder, { recursive: true })
  for (const { language, text } of scripts)
    await writeFile(folder + nameOf(text), language === 'ts' ? stripTypeScriptTypes(text) : text)
  const fileOf = (script: string) => {
    ran.add(scripts.find(({ text }) => nameOf(text) === script)?.text ?? '')
    return folder + script
  }
  return {
    prose: page.replaceAll(/\s+/g, ' '),
    blocks,
    toRun,
    folder,
    notRun: () => toRun.map(({ text }) => text).filter((text) => !ran.has(text)),
    load: async <T>(script: string) =>
      (await import(/* @vite-ignore */ pathToFileURL(fileOf(script)).href)) as T,
    fileOf,
    shown: (part) =>
      JSON.parse(
        blocks.find(({ language, text }) => language === 'json' && text.includes(part))?.text ?? 'null',
      ) as unknown,
    async curl(part, variables) {
      const found = requests.filter(({ text }) => text.includes(part))
      const [block] = found
      if (block === undefined || found.length > 1) throw new Error(`${found.length} requests with ${part}`)
      ran.add(block.text)
      const env = { PATH: process.env['PATH'], ...gable, ...variables }
      const run = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', npm + block.text], {
        env,
        cwd: folder,
      })
      return (await run).stdout
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The name in the first line. Node.js strips no types from a file in node_modules, so a TypeScript file is written as JavaScript. */
const nameOf = (text: string) => /^\/\/ (\S+)\.(?:mjs|ts)\n/.exec(text)?.[1]?.concat('.mjs') ?? ''

/** Replaces `npm run -s gable -- …` with a direct call, because npm is slow to start. */
const npm = 'npm() { shift 4; "$NODE" "$MAIN" "$@"; }\n'
const gable = {
  NODE: process.execPath,
  MAIN: fileURLToPath(new URL('../../server/src/cli/main.ts', import.meta.url)),
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/gable-cli-test', import.meta.url)),
}

/** What a page shows, as an expectation of a test: ids and times may differ, and "…" stands for what the page omits. */
export function like(value: unknown): unknown {
  if (Array.isArray(value)) return expect.arrayContaining(value.map(like))
  if (typeof value === 'object' && value !== null)
    return expect.objectContaining(
      Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => name !== '…')
          .map(([name, inner]) => [name, like(inner)]),
      ),
    )
  return typeof value === 'string' && /^(cm|req_cm)i8h/.test(value) ? expect.any(String) : value
}
