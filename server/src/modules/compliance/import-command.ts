import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { declare, group, workspaceOption } from '#kernel/cli/declare.ts'
import { importSuppressions } from './import-suppressions.ts'
import { type OptOutChannel, type SuppressionKind, optOutChannels, suppressionKinds } from './suppression.ts'

interface Options {
  workspace?: string
  kind: SuppressionKind
  channels?: OptOutChannel[]
}

export function addSuppressionImport(program: Command, cli: Cli): void {
  declare(group(program, 'suppressions'), 'import', {
    summary: 'stop contacting every number and address in a file',
    description:
      'The file has a number or an email address on each line. Of each, Gable stores only a keyed hash, which outlives an erasure. Active suppressions stay, so a file can be imported twice. Bad lines are reported at the end; the exit code is then 1.',
    example: 'suppressions import do-not-call.txt --kind internal_dnc',
  })
    .argument('<file>', 'a text file in UTF-8; - for standard input')
    .addOption(workspaceOption())
    .addOption(new Option('--kind <kind>', 'why').choices(suppressionKinds).makeOptionMandatory())
    .addOption(
      new Option(
        '--channels <names>',
        `for an opt-out: ${optOutChannels.join(', ')}; all by default`,
      ).argParser(channelsIn),
    )
    .action(
      cli.run(async (command, file: string, { workspace, kind, channels }: Options) =>
        importSuppressions(await command.workspace(workspace), file, { kind, channels }),
      ),
    )
}

function channelsIn(text: string): OptOutChannel[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  const channels = optOutChannels.filter((channel) => names.includes(channel))
  if (names.length > 0 && channels.length === new Set(names).size) return channels
  throw new InvalidArgumentError(`Name some of ${optOutChannels.join(', ')}.`)
}
