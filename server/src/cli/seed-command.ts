import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { declare } from '#kernel/cli/declare.ts'
import { type CommandOutput, printing } from '#kernel/cli/output.ts'
import { aligned } from '#kernel/cli/presentation.ts'
import { progressDisplay } from '#kernel/cli/progress-display.ts'
import { demoCount, findDemo, seedDemo } from '../seed/seed-demo.ts'
import { contactsOfWorkspace, keyedWorkspaces, maxScale, seedScale } from '../seed/seed-scale.ts'

const demoText = [
  'Brings the database up to date first. Without --scale it makes two workspaces: a brokerage of 12 members with',
  'one of everything and 18 months of history, and a tiny one. If they already exist, it says so and changes nothing. Runs on the same',
  'day create the same data, except for ids and keys. All phone numbers and email addresses are reserved for fiction.',
].join(' ')

const scaleText = [
  `--scale adds contacts for measuring under load, each with the event of its creation: ${contactsOfWorkspace} or a few more`,
  `in a workspace. The first ${keyedWorkspaces} workspaces get an API key each. Every run adds more; a run that is interrupted`,
  'keeps what it has made. Expect five to ten thousand contacts a second.',
].join(' ')

export function addSeedCommand(program: Command, cli: Cli): void {
  declare(program, 'seed', {
    summary: 'fill the database with demo data',
    description: `${demoText}\n\n${scaleText}`,
    example: 'seed --scale 100000 --json',
  })
    .addOption(
      new Option('--scale <contacts>', `1 to ${maxScale.toLocaleString('en-US')}`).argParser(scaleOf),
    )
    .addOption(new Option('--again', 'create the demo workspaces again').conflicts('scale'))
    .action(
      printing(async ({ scale, again = false }: { scale?: number; again?: boolean }) => {
        await using command = await cli.open({ migrates: true })
        using progress = progressDisplay({ unit: 'contacts' })
        if (scale !== undefined)
          return scaled(await seedScale(command.runtime, scale, { onProgress: progress.show }))
        const present = await findDemo(command.runtime)
        if (!again && present.length === demoCount) return alreadyThere(present)
        return seeded(await seedDemo(command.runtime, { onProgress: progress.show, again }))
      }),
    )
}

const keysAreShownOnce = 'The keys have all scopes, last 90 days, and are shown only now.'

const seeded = ({ workspaces }: Awaited<ReturnType<typeof seedDemo>>): CommandOutput => ({
  value: { created: true, workspaces },
  text: [
    aligned(workspaces.map(({ id, name, api_key }) => [name, id, api_key])),
    keysAreShownOnce,
    aligned(workspaces.map(({ owner }) => ['Sign in as', owner.email, owner.password])),
    'The passwords are also shown only now.',
  ].join('\n'),
})

const alreadyThere = (present: Awaited<ReturnType<typeof findDemo>>): CommandOutput => ({
  value: { created: false, workspaces: present.map(({ id, name }) => ({ id, name })) },
  text: `The demo workspaces already exist (--again creates new ones):\n${aligned(present.map(({ id, name }) => [name, id]))}`,
})

function scaled(workspaces: Awaited<ReturnType<typeof seedScale>>): CommandOutput {
  const shown = workspaces
    .slice(0, keyedWorkspaces)
    .map(({ id, contacts, api_key = '' }) => [id, `${contacts} contacts`, api_key])
  const more = workspaces.length - shown.length
  const rest = more === 0 ? '' : `\n… and ${more} more: gable workspaces list`
  return { value: { created: true, workspaces }, text: `${aligned(shown)}${rest}\n${keysAreShownOnce}` }
}

function scaleOf(text: string): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= maxScale) return count
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxScale}.`)
}
