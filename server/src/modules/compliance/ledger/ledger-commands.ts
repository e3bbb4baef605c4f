import { type Command, InvalidArgumentError } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { declare, group, workspaceOption } from '#kernel/cli/declare.ts'
import { recordOutput } from '#kernel/cli/output.ts'
import { progressDisplay } from '#kernel/cli/progress-display.ts'
import { findHead } from './ledger-queries.ts'
import { type KnownHead, verifyLedger } from './verify-ledger.ts'

const headText = /^([1-9]\d{0,8}):([0-9a-f]{64})$/

const verifyText = [
  'Each entry has the hash of the one before it. This reads all of them, and names the first that was changed, is missing, or is in another',
  'place; the exit code is then 1. Entries of the last seconds wait to be chained. Someone with access to the database could also',
  'cut off the end of the chain or compute it again: keep what `consent head` prints elsewhere, and name it with --head.',
].join(' ')

export function addLedgerCommands(program: Command, cli: Cli): void {
  const consent = group(program, 'consent', 'the ledger of consents, opt-outs and suppressions')

  declare(consent, 'verify', {
    summary: 'verify that the consent ledger is unchanged',
    description: verifyText,
    example: 'consent verify',
  })
    .addOption(workspaceOption())
    .option('--head <sequence:hash>', 'the head that you kept elsewhere', headIn)
    .action(
      cli.run(async (command, { workspace, head }: { workspace?: string; head?: KnownHead }) => {
        const ctx = await command.workspace(workspace)
        using progress = progressDisplay({ unit: 'entries' })
        const report = await verifyLedger(ctx, {
          ...(head && { known: head }),
          onProgress: (done, total) => progress.show({ label: 'Verify', done, total }),
        })
        if (report.broken !== null) process.exitCode = 1
        const { broken, entries, waiting, head: last } = report
        const ledger = broken === null ? 'intact' : `broken: ${broken.message}`
        const shown = { ledger, entries, waiting, head: last === null ? null : textOf(last) }
        return { ...recordOutput(shown), value: report }
      }),
    )

  declare(consent, 'head', {
    summary: 'show the last entry of the consent ledger, so that you can keep it elsewhere',
    example: 'consent head',
  })
    .addOption(workspaceOption())
    .action(
      cli.run(async (command, { workspace }: { workspace?: string }) => {
        const link = await findHead((await command.workspace(workspace)).db)
        const head = link === undefined ? null : { sequence: link.sequence, hash: link.hash }
        return { value: head, text: head === null ? 'Nothing is chained yet.' : textOf(head) }
      }),
    )
}

const textOf = ({ sequence, hash }: KnownHead) => `${sequence}:${hash}`

function headIn(text: string): KnownHead {
  const [, sequence, hash] = headText.exec(text) ?? []
  if (sequence === undefined || hash === undefined)
    throw new InvalidArgumentError('Use the format that `consent head` prints: 12:9f86….')
  return { sequence: Number(sequence), hash }
}
