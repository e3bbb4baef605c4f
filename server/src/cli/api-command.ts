import { Argument, type Command } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare } from '#kernel/cli/declare.ts'
import type { CommandOutput } from '#kernel/cli/output.ts'
import { parseJson, readJson } from '#kernel/cli/read-file.ts'
import { AppError, type ErrorBody } from '#kernel/errors.ts'
import type { Authenticator } from '#kernel/http/authentication.ts'
import { methods } from '#kernel/http/endpoint.ts'

interface ApiOptions {
  workspace: string
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
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--data <json>', 'the request body; - reads it from standard input')
    .action(cli.run(send))
}

async function send(
  command: CommandRuntime,
  method: (typeof methods)[number],
  path: string,
  { workspace, data }: ApiOptions,
): Promise<CommandOutput> {
  const body = await bodyOf(data)
  const { createHttpServer } = await import('#kernel/http/server.ts')
  const { apiBase, endpoints } = await import('../api.ts')
  await using server = createHttpServer({
    runtime: command.runtime,
    authenticator: await asOperator(command, workspace),
    endpoints,
    base: apiBase,
    routes: [],
    trustProxy: 0,
    https: false,
  })
  const url = apiBase + (path.startsWith('/') ? path : `/${path}`)
  const response = await server.inject({
    method,
    url,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) }),
  })
  const value = response.json<{ error?: ErrorBody & { code: string } }>()
  if (value.error !== undefined) throw new AppError(value.error.code, response.statusCode, value.error)
  return { value, text: JSON.stringify(value, null, 2) }
}

const bodyOf = async (data: string | undefined): Promise<unknown> => {
  if (data === undefined) return undefined
  return data === '-' ? readJson('-') : parseJson(data, '--data')
}

/** Authenticates every request as the operator of this server, with all scopes. */
async function asOperator(command: CommandRuntime, workspaceId: string): Promise<Authenticator> {
  const { actor, scopes } = await command.workspace(workspaceId)
  const principal = {
    workspaceId,
    actor,
    scopes,
    reach: 'all' as const,
    credentialId: 'operator',
    scheme: 'Token' as const,
    recentlyAuthenticated: true,
  }
  const rate = { limit: 1, remaining: 1, resetAt: 0 }
  return {
    authenticate: async () => ({ principal, rate }),
    countAnonymous: () => ({ principal, rate }),
  }
}
