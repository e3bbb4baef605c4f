import { Argument, type Command } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, workspaceOption } from '#kernel/cli/declare.ts'
import type { CommandOutput } from '#kernel/cli/output.ts'
import { parseJson, readJson } from '#kernel/cli/read-file.ts'
import { type Method, methods } from '#kernel/http/endpoint.ts'
import { endpoints } from '../api.ts'
import { sendAsOperator } from './requests.ts'

interface ApiOptions {
  workspace?: string
  data?: string
}

export function addApiCommand(program: Command, cli: Cli): void {
  declare(program, 'api', {
    summary: 'send a request to the API',
    description:
      'Runs the request in this process with all scopes, whether or not a server is running, and prints the response body. The exit status is 1 if the response is an error.',
    example: "api GET '/leads?unlinked_only=true' --workspace ID",
  })
    .addArgument(new Argument('<method>', 'of the request').choices(methods))
    .argument('<path>', 'path and query, as in the API reference, such as /contacts?limit=10')
    .addOption(workspaceOption())
    .option('--data <json>', 'the request body; - reads it from standard input')
    .action(cli.run(send))
}

async function send(
  command: CommandRuntime,
  method: Method,
  path: string,
  { workspace, data }: ApiOptions,
): Promise<CommandOutput> {
  const url = path.startsWith('/') ? path : `/${path}`
  const body = await bodyOf(data)
  const value = await sendAsOperator(command, endpoints, { method, url, workspace, body })
  return { value, text: JSON.stringify(value, null, 2) }
}

const bodyOf = async (data: string | undefined): Promise<unknown> => {
  if (data === undefined) return undefined
  return data === '-' ? readJson('-') : parseJson(data, '--data')
}
