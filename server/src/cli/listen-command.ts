import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { declare, workspaceOption } from '#kernel/cli/declare.ts'
import { inTurn } from '#kernel/cli/in-turn.ts'
import { patienceNotices } from '#kernel/cli/patience.ts'
import { type Since, sinceForms, sinceOf } from '#kernel/cli/since.ts'
import { readTarget } from '#kernel/egress/address.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { payloadOf } from '#kernel/events/payload.ts'
import { nextSignal } from '#kernel/next-signal.ts'
import { anywhere } from '../egress-kinds.ts'
import { requireEventNames, theCredential } from '../modules/events/public.ts'
import { eventNamesOf, eventsHelp, newWebhookSecret, publishedEvents } from '../modules/webhooks/public.ts'
import { type Forwarded, forward, openForwarding } from './forwarding.ts'
import { openTail } from './journal-tail.ts'

interface ListenOptions {
  workspace?: string
  forwardTo?: string
  secret?: string
  events: string[]
  since: Since
  json?: true
}

/** Maximum number of concurrent exchanges. */
const atOnce = 8

const listenText = [
  'Reads the journal, so it needs no webhook. With --forward-to it posts each event once, signed as a delivery is, with',
  `a secret made for this run or the one you give, ${atOnce} at a time; a request that fails is printed and not tried`,
  'again. Ctrl-C ends it.',
].join(' ')

export function addListenCommand(program: Command, cli: Cli): void {
  declare(program, 'listen', {
    summary: 'print the events of a workspace as they happen, and forward them to your program',
    description: listenText,
    json: 'print one JSON value per line',
    example: 'listen --forward-to http://localhost:3000/webhooks',
  })
    .addOption(workspaceOption())
    .option(
      '--forward-to <url>',
      'the URL to post events to, which can use http and a local address',
      addressOf,
    )
    .addOption(
      new Option('--events <names>', 'event names, separated by spaces, or all')
        .argParser(eventNamesOf)
        .default([], 'all'),
    )
    .option('--secret <secret>', 'the whsec_… secret to sign with', secretOf)
    .addOption(
      new Option('--since <when>', `include events since this time, ${sinceForms}`)
        .argParser(sinceOf)
        .default(sinceOf('0s'), '0s'),
    )
    .addHelpText('after', eventsHelp(cli.eventTypes))
    .action(async (options: ListenOptions) => {
      if (options.secret !== undefined && options.forwardTo === undefined)
        throw new CommanderError(2, 'gable.secret', '--secret requires --forward-to.')
      const stop = new AbortController()
      const stopped = nextSignal().then(() => stop.abort())
      await Promise.all([stopped, listen(cli, options, stop.signal)])
    })
}

async function listen(cli: Cli, options: ListenOptions, signal: AbortSignal): Promise<void> {
  const { forwardTo: url, secret = newWebhookSecret(), json = false } = options
  await using command = await cli.open()
  const ctx = await command.workspace(options.workspace)
  requireEventNames(ctx, options.events, theCredential(ctx), '--events')
  const names =
    options.events.length === 0 ? publishedEvents(cli.eventTypes).map(({ name }) => name) : options.events
  await using egress = openForwarding()
  // Do not wait for exchanges in progress.
  signal.addEventListener('abort', () => egress[Symbol.asyncDispose]())
  const show = (value: unknown, text: string) =>
    process.stdout.write(`${json ? JSON.stringify(value) : text}\n`)

  const events = await openTail(ctx, {
    names,
    since: options.since,
    signal,
    ...patienceNotices(json),
  })
  if (!signal.aborted)
    show(...opening(ctx.workspaceId, { names, all: options.events.length === 0 }, url, secret))
  const width = Math.max(...names.map((name) => name.length))
  const lines = inTurn<{ row: JournalRow; forwarded: Forwarded | null }>(atOnce, ({ row, forwarded }) => {
    const payload = payloadOf(ctx.workspaceId, row)
    show({ type: 'event', payload, forwarded }, line(row, forwarded, width))
  })
  for await (const row of events) {
    if (signal.aborted) break
    await lines.begin(async () => ({
      row,
      forwarded: url === undefined ? null : await forward(ctx, egress, { url, secret }, row),
    }))
  }
  await lines.ended()
}

function opening(
  workspaceId: string,
  { names, all }: { names: readonly string[]; all: boolean },
  url: string | undefined,
  secret: string,
): [unknown, string] {
  const what = all ? 'all events' : names.join(', ')
  const text = `Listening to ${what} of workspace ${workspaceId}. Ctrl-C ends it.`
  const value = { type: 'listening', workspace_id: workspaceId, event_types: names }
  if (url === undefined) return [{ ...value, forward_to: null, secret: null }, text]
  return [{ ...value, forward_to: url, secret }, `${text}\nForwarding to ${url}, signed with ${secret}`]
}

const line = (row: JournalRow, forwarded: Forwarded | null, width: number) =>
  [
    row.occurred_at,
    row.name.padEnd(width),
    row.subject_id,
    ...(forwarded === null
      ? []
      : [`${forwarded.failure ?? String(forwarded.status)}, ${forwarded.duration_ms} ms`]),
  ].join('  ')

/** Accepts a URL as people write it for a program on their own machine: without a scheme, it is http. */
function addressOf(text: string): string {
  const url = /^\w+:\/\//.test(text) ? text : `http://${text}`
  const target = readTarget(url, anywhere)
  if (typeof target !== 'string') return url
  throw new InvalidArgumentError(`${target.charAt(0).toUpperCase()}${target.slice(1)}.`)
}

/** Requires the format of webhook secrets, so that the secret of a webhook can be given. */
function secretOf(text: string): string {
  const [, base64 = ''] = /^whsec_(.{24,})$/.exec(text) ?? []
  if (base64 !== '' && Buffer.from(base64, 'base64').toString('base64') === base64) return text
  throw new InvalidArgumentError('It must be whsec_ and at least 16 bytes in base64.')
}
