import type { Command } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { collectEvidence } from './collect-evidence.ts'

export function addEvidenceCommand(program: Command, cli: Cli): void {
  const consent = group(program, 'consent', 'the ledger of consents, opt-outs and suppressions')

  declare(consent, 'evidence <contact_id>', {
    summary: 'print all evidence about a contact as JSON',
    description: 'Prints the same file that `GET /contacts/{id}/evidence` returns, unmasked.',
    example: 'consent evidence CONTACT_ID --workspace ID > evidence.json',
    json: 'print the file on one line',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, contactId: string, { workspace }: { workspace: string }) => {
        const value = await collectEvidence(await command.workspace(workspace), contactId)
        return { value, text: JSON.stringify(value, null, 2) }
      }),
    )
}
