import type { CommandRuntime } from '#kernel/cli/cli.ts'
import { AppError, type ErrorBody } from '#kernel/errors.ts'
import type { Authenticator } from '#kernel/http/authentication.ts'
import type { Endpoint, Method } from '#kernel/http/endpoint.ts'
import type { ModuleDependencies } from '../modules/index.ts'
import { openProvidedForCommand } from './open-runtime.ts'

export interface OperatorRequest {
  method: Method
  /** Relative to the API's base. */
  url: string
  workspace: string | undefined
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

/**
 * Sends a request to these endpoints in this process, as the operator with all scopes. Throws the `AppError` of an error
 * response.
 */
export async function sendAsOperator(
  command: CommandRuntime,
  endpoints: readonly Endpoint<ModuleDependencies>[],
  { method, url, workspace, body, headers }: OperatorRequest,
): Promise<Record<string, unknown>> {
  const { createHttpServer } = await import('#kernel/http/server.ts')
  await using provided = new AsyncDisposableStack()
  await using server = createHttpServer({
    runtime: command.runtime,
    authenticator: await asOperator(command, workspace),
    endpoints,
    provide: async () => provided.use(await openProvidedForCommand(command.runtime)),
    base: '',
    routes: [],
    trustProxy: 0,
    https: false,
  })
  const response = await server.inject({
    method,
    url,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  const value = response.json<Record<string, unknown>>()
  if (response.statusCode < 400) return value
  const {
    code,
    message,
    reason,
    details,
    request_id: _,
    ...more
  } = value['error'] as ErrorBody & {
    code: string
    request_id: string
  }
  throw new AppError(code, response.statusCode, {
    message,
    ...(reason !== undefined && { reason }),
    ...(details !== undefined && { details }),
    more,
  })
}

/** Authenticates every request as the operator of this server: all scopes, and signed in recently. */
async function asOperator(command: CommandRuntime, workspace: string | undefined): Promise<Authenticator> {
  const { actor, scopes, workspaceId } = await command.workspace(workspace)
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
