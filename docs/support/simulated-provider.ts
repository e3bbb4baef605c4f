import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../server/src/cli/main.ts', import.meta.url))

/**
 * Writes a program that runs `gable` commands, except that the connections that it creates are simulated: the simulated
 * carrier speaks the protocols of the providers. Returns its path, for the variable MAIN of a guide's commands.
 */
export async function simulatingMain(folder: string): Promise<string> {
  const path = join(folder, 'main.mjs')
  await writeFile(
    path,
    `const args = process.argv.slice(2)
if (args.slice(0, 2).join(' ') === 'connections create') process.argv.push('--simulated')
await import(${JSON.stringify(main)})
`,
  )
  return path
}
