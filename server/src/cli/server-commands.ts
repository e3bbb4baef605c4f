import { writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { declare } from '#kernel/cli/declare.ts'
import { printing } from '#kernel/cli/output.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { type ServerRole, readConfig, serverRoles } from '../config.ts'
import { migrateForCommand } from './open-runtime.ts'

export function addServerCommands(program: Command): void {
  declare(program, 'serve', {
    summary: 'run the server until it gets a signal',
    description: 'Without a terminal, prints one line of JSON when it is ready, with or without --json.',
    example: 'serve --role api',
  })
    .addOption(
      new Option(
        '--role <role>',
        'all also migrates the database first; run any number of api and worker servers',
      ).choices(serverRoles),
    )
    .action(async ({ role }: { role?: ServerRole }) => {
      const { serve } = await import('../serve.ts')
      const config = readConfig()
      await serve({ ...config, role: role ?? config.role })
    })

  declare(program, 'migrate', {
    summary: 'bring the database up to date',
    description: 'Safe to run while the server runs, and in several places at once.',
    example: 'migrate --json',
  }).action(
    printing(async () => {
      const applied = await migrateForCommand()
      return {
        value: { applied },
        text: applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`,
      }
    }),
  )

  declare(program, 'openapi', {
    summary: 'print the API’s OpenAPI document',
    example: 'openapi --out server/openapi.json',
  })
    .option('--out <file>', 'write the document to a file instead')
    .action(async ({ out, json }: { out?: string; json?: true }) => {
      const { openApi } = await import('../api.ts')
      const document = `${JSON.stringify(openApi(), null, 2)}\n`
      if (out === undefined) return void process.stdout.write(document)
      await writeFile(out, document).catch((cause: NodeJS.ErrnoException) => {
        throw new OperatorError(`Cannot write ${out} (${cause.code}).`, { cause })
      })
      process.stdout.write(json === true ? `${JSON.stringify({ out })}\n` : `Wrote ${out}.\n`)
    })
}
