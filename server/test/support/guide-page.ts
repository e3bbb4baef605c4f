import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { type CodeBlock, codeBlocks } from '../../../docs/code-blocks.ts'

/** A guide whose scripts and requests are run; disposing removes the scripts' files. */
export interface GuidePage extends AsyncDisposable {
  /** In one line, however it is broken. */
  prose: string
  blocks: readonly CodeBlock[]
  /** Scripts and requests, each of which is to be run. */
  toRun: readonly CodeBlock[]
  /** Those that have not been run yet. */
  notRun(): string[]
  /** Where the commands of the page find and leave their files. */
  folder: string
  /** Imports a script of the page by the name in its first line. */
  load<T>(name: string): Promise<T>
  /** Where a script is, to run it as a program. */
  fileOf(name: string): string
  /** The response on the page that has this text, with all of it that the page shows. */
  shown(part: string): unknown
  /** Runs the one request that has this text, in a shell with these variables; returns what it prints. */
  curl(part: string, variables: Readonly<Record<string, string>>): Promise<string>
}

/**
 * Reads `guides/<name>.md`, and writes its scripts to where their imports find the libraries. `commands`: the blocks for the shell
 * are run as well, all but the first, which names the variables.
 */
export async function guidePage(name: string, { commands = false } = {}): Promise<GuidePage> {
  const page = await readFile(new URL(`../../../docs/guides/${name}.md`, import.meta.url), 'utf8')
  const blocks = codeBlocks(page)
  const scripts = blocks.filter(({ language }) => language === 'js')
  const requests = commands
    ? blocks.filter(({ language }) => language === 'sh').slice(1)
    : blocks.filter(({ text }) => text.startsWith('curl '))
  const toRun = [...scripts, ...requests]
  const ran = new Set<string>()
  const folder = fileURLToPath(
    new URL(`../../../node_modules/.cache/gable-${name}-${process.pid}/`, import.meta.url),
  )
  await mkdir(folder, { recursive: true })
  for (const { text } of scripts) await writeFile(folder + nameOf(text), text)
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

const nameOf = (text: string) => /^\/\/ (\S+\.mjs)\n/.exec(text)?.[1] ?? ''

/** `npm run -s gable -- …` without npm, which takes its time. */
const npm = 'npm() { shift 4; "$NODE" "$MAIN" "$@"; }\n'
const gable = {
  NODE: process.execPath,
  MAIN: fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url)),
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../node_modules/.cache/gable-cli-test', import.meta.url)),
}

/** What a page shows, as a test expects it: its ids and times are others, and "…" stands for what it leaves out. */
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
