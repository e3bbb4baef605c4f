import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { type Cli, operator } from '#kernel/cli/cli.ts'
import { declare } from '#kernel/cli/declare.ts'
import { recordOutput } from '#kernel/cli/output.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { applyStopJournal } from '../modules/compliance/public.ts'
import { type RestoreHold, beginHold, endHold, findHold, noticedMs } from '../modules/installation/public.ts'
import { dropHeldWork, reviewHeldWork } from './held-work.ts'
import { openProvidedForCommand } from './open-runtime.ts'

const description = [
  'A restored database may hold what has left already, so workers let nothing leave until a person decides. `gable restore`',
  'begins that hold; a worker whose last-sent file is newer than the database does, too; after a disk snapshot or a point-in-time',
  'recovery, use --hold: workers that run stop at once. Both --release and --drop first record what the providers have received since, and look',
  'for the waiting messages where a provider can find them, which is Twilio: those that left become sent. --release then lets',
  'everything else go. --drop cancels what was queued, due or scheduled before; the guide "Operate Gable" says what that means for each kind.',
].join(' ')

interface Options {
  hold?: true
  release?: true
  drop?: true
  confirmGap?: true
}

export function addRestoredCommand(program: Command, cli: Cli): void {
  declare(program, 'restored', {
    summary: 'show, release or drop what waits in a restored database',
    description,
    example: 'restored --drop --confirm-gap',
  })
    .addOption(new Option('--hold', 'begin the hold').conflicts(['release', 'drop']))
    .addOption(new Option('--release', 'let everything that waits go').conflicts('drop'))
    .option('--drop', 'cancel what waits')
    .option(
      '--confirm-gap',
      'opt-outs and erasures of the span that nothing covers have been entered by hand',
    )
    .action(
      cli.run(async ({ runtime }, { hold: holds, release, drop, confirmGap }: Options) => {
        const { directory } = runtime.database
        const now = runtime.clock.now().toISOString()
        if (holds === true) {
          await beginHold(directory, { from: null, to: now })
          // When the command ends, nothing leaves anymore.
          await sleep(noticedMs)
        }
        const hold = await findHold(directory)
        if (hold === undefined) return { value: { held: false }, text: 'Nothing is held.' }
        const acts = release === true || drop === true
        if (acts && confirmGap !== true) throw new OperatorError(gapText(hold))
        // After a disk snapshot, no restore has applied it.
        await using provided = await openProvidedForCommand(runtime)
        if (acts) await applyStopJournal(runtime, provided.stops, operator)
        const waiting = await reviewHeldWork(runtime, provided.carriers, hold, {
          requiresAll: release === true,
        })
        if (drop === true) await dropHeldWork(runtime, hold)
        if (acts && !(await directory.transaction((tx) => endHold(tx, hold.since))))
          throw new OperatorError(
            'Someone else ended the hold, or the database was restored again. Look again with "restored".',
          )
        const { sent, ...rest } = waiting
        const report = {
          held: !acts,
          since: hold.since,
          uncovered: hold.uncovered,
          left_before: sent,
          ...rest,
        }
        return {
          ...recordOutput({ ...report, uncovered: spanText(hold) }),
          value: report,
          notice: acts ? undefined : 'Nothing leaves. Let it go with --release, or cancel it with --drop.',
        }
      }),
    )
}

const spanText = ({ uncovered: { from, to } }: RestoreHold) =>
  `${from ?? 'the time to which the database was restored'} to ${to}`

const gapText = (hold: RestoreHold) =>
  `Opt-outs, suppressions and erasures from ${spanText(hold)} may be missing. Replies to Twilio and to mailboxes are read again; enter the others, such as clicked unsubscribe links, with "gable suppressions create" and "gable contacts delete", then add --confirm-gap.`
