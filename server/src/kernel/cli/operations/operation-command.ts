import { type Command, Option } from 'commander'
import { type Endpoint, pathParameters } from '../../http/endpoint.ts'
import { hasVersion } from '../../http/etag.ts'
import { querySchema } from '../../http/query-string.ts'
import { nextSignal } from '../../next-signal.ts'
import { operationIds } from '../../openapi/operation-ids.ts'
import type { Cli, CommandRuntime } from '../cli.ts'
import { declare, group, workspaceOption } from '../declare.ts'
import { exampleOf } from './example.ts'
import { followList } from './follow-list.ts'
import { addMemberOptions, kebab, bodyMembers } from './member-options.ts'
import type { Shape } from './option-value.ts'
import { type Given, type SendRequest, runOperation } from './run-operation.ts'

/** `webhooks.deliveries.redeliver` is the command `webhooks deliveries redeliver`. */
const commandWords = (operationId: string): string[] =>
  operationId.split('.').map((word) => word.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))

/**
 * Adds a command for each endpoint: arguments from its path, options from its query and body. Throws if a command or an
 * option of that name exists already.
 */
export function addOperationCommands<D>(
  program: Command,
  cli: Cli,
  endpoints: readonly Endpoint<D>[],
  send: SendRequest<D>,
): void {
  for (const [endpoint, id] of operationIds(endpoints))
    addOperationCommand(program, cli, { endpoint, id, send })
}

function addOperationCommand<D>(
  program: Command,
  cli: Cli,
  { endpoint, id, send }: { endpoint: Endpoint<D>; id: string; send: SendRequest<D> },
): void {
  const words = commandWords(id)
  const parent = words.slice(0, -1).reduce<Command>((under, noun) => group(under, noun), program)
  const command = declare(parent, words.at(-1) ?? '', {
    summary: `${endpoint.summary.charAt(0).toLowerCase()}${endpoint.summary.slice(1)}`,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    example: [...words, ...exampleOf(endpoint)].join(' '),
  })
  const params = pathParameters(endpoint.path)
  for (const name of params) command.argument(`<${kebab(name)}>`, `in ${endpoint.path}`)
  const query = addMemberOptions(command, querySchema(endpoint).properties as Record<string, Shape>)
  const { members, required } = bodyMembers((endpoint.body ?? {}) as Shape)
  const body = addMemberOptions(command, members, required)
  if (endpoint.list !== undefined) command.option('--all', 'list all pages')
  if (endpoint.tail !== undefined)
    command.addOption(
      new Option(
        '--tail',
        'print the last ones, oldest first, and then new ones as they come, until Ctrl-C; with --json, one JSON value per line',
      ).conflicts(['all', 'cursor', 'pick']),
    )
  if (endpoint.body !== undefined)
    command.option(
      '--data <file>',
      'the whole body as JSON, or - for standard input; options override its members',
    )
  if (endpoint.method === 'POST')
    command.option(
      '--idempotency-key <key>',
      'makes it safe to repeat the command: for 24 hours, it runs once',
    )
  if (endpoint.method === 'PATCH' && hasVersion(endpoint))
    command.option('--if-match <version>', 'fail if updated_at of the record is no longer this time')
  command
    .option('--pick <path>', 'print one part of the response as JSON, such as data.0.id')
    .addOption(workspaceOption())
  const operationOf = ({ runtime }: CommandRuntime, args: readonly unknown[]) => ({
    ids: args.slice(0, params.length) as string[],
    given: args[params.length] as Given,
    query,
    body,
    now: runtime.clock.now(),
  })
  const run = cli.run((runtime, ...args) =>
    runOperation(endpoint, (request) => send(runtime, request), operationOf(runtime, args)),
  )
  command.action(async function (this: Command, ...args: unknown[]) {
    if ((args[params.length] as Given).tail !== true) return await run.call(this, ...args)
    const stop = new AbortController()
    const stopped = nextSignal().then(() => stop.abort())
    await using runtime = await cli.open()
    await followList(endpoint, (request) => send(runtime, request), operationOf(runtime, args), {
      clock: runtime.runtime.clock,
      signal: stop.signal,
    })
    await stopped
  })
}
