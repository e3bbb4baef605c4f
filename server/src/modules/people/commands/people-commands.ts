import type { Command } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { type CommandText, declare, group } from '#kernel/cli/declare.ts'
import { type CommandOutput, listOutput, recordOutput } from '#kernel/cli/output.ts'
import { readSecretLine } from '#kernel/cli/read-secret-line.ts'
import { NotFound } from '#kernel/errors.ts'
import { removePasskey } from '../passkeys/add-passkey.ts'
import { type PasskeyRow, listPasskeys } from '../passkeys/queries.ts'
import { type PersonRow, findPersonByEmail } from '../queries.ts'
import { sendReset } from '../reset-password.ts'
import { removeSecondStep } from '../second-step/second-step.ts'
import { endSessions } from '../sessions.ts'
import { setPassword } from '../set-password.ts'
import { showPerson } from './show-person.ts'

export function addPeopleCommands(program: Command, cli: Cli): void {
  const people = group(program, 'people', 'how people sign in, across all workspaces')

  onPerson(
    cli,
    people,
    'show',
    { summary: 'show how a person signs in, and where', example: 'people show ada@lantern.example' },
    showPerson,
  )
  setPasswordCommand(cli, people)
  onPerson(
    cli,
    people,
    'reset-link',
    {
      summary: 'create a link to set a password, valid once, for an hour',
      description: 'Anyone who has the link can set the password. Gable also emails it to the person.',
      example: 'people reset-link ada@lantern.example',
    },
    async ({ runtime }, row) => {
      const link = await sendReset(runtime, row)
      return recordOutput({ email: row.email, link })
    },
  )
  onPerson(
    cli,
    people,
    'sign-out',
    { summary: 'end all sessions of a person', example: 'people sign-out ada@lantern.example' },
    async ({ runtime }, { id, email }) => {
      const ended = await endSessions(runtime, id)
      return recordOutput({ email, sessions_ended: ended })
    },
  )
  onPerson(
    cli,
    people,
    'remove-second-step',
    {
      summary: 'turn off two-factor authentication for a person who has lost their app',
      description: 'Verify their identity first. Gable notifies them by email.',
      example: 'people remove-second-step ada@lantern.example',
    },
    async ({ runtime }, row) => {
      await removeSecondStep(runtime, row)
      return recordOutput({ email: row.email, second_step: false })
    },
  )
  addPasskeyCommands(cli, people)
}

function setPasswordCommand(cli: Cli, parent: Command): void {
  declare(parent, 'set-password', {
    summary: 'set the password of a person, and sign them out everywhere',
    description: 'Gable notifies the person by email.',
    example: 'people set-password ada@lantern.example --password-stdin < password.txt',
  })
    .argument('<email>', 'their address')
    .requiredOption('--password-stdin', 'reads the password from the first line of standard input')
    .action(
      cli.run(async (command, email: string) => {
        const password = await readSecretLine('password')
        const person = await theOne(command, email)
        await setPassword(command.runtime, person, password)
        return recordOutput({ id: person.id, email: person.email })
      }),
    )
}

function addPasskeyCommands(cli: Cli, parent: Command): void {
  onPerson(
    cli,
    parent,
    'passkeys',
    { summary: 'list the passkeys of a person', example: 'people passkeys ada@lantern.example' },
    async ({ runtime }, { id }) => {
      const rows = await listPasskeys(runtime.database.directory, id)
      return listOutput(rows.map(presented), 'The person has no passkeys.')
    },
  )

  declare(parent, 'remove-passkey', {
    summary: 'remove a passkey, such as one of a lost device',
    example: 'people remove-passkey ada@lantern.example PASSKEY',
  })
    .argument('<email>', 'their address')
    .argument('<passkey>', 'id of the passkey')
    // An id may begin with a hyphen and look like an option.
    .allowUnknownOption()
    .helpOption('--help', 'display help for command')
    .action(
      cli.run(async (command, email: string, id: string) => {
        const person = await theOne(command, email)
        if (!(await removePasskey(command.runtime, person, id)))
          throw NotFound(`${person.email} has no passkey ${id}.`)
        return recordOutput({ id, removed: true })
      }),
    )
}

/** Adds a command for one person, identified by email address. */
function onPerson(
  cli: Cli,
  parent: Command,
  name: string,
  text: CommandText,
  run: (command: CommandRuntime, person: PersonRow) => Promise<CommandOutput>,
): void {
  declare(parent, name, text)
    .argument('<email>', 'their address')
    .action(
      cli.run(async (command, email: string) => {
        return await run(command, await theOne(command, email))
      }),
    )
}

async function theOne({ runtime }: CommandRuntime, email: string): Promise<PersonRow> {
  const person = await findPersonByEmail(runtime.database.directory, email)
  if (person === undefined) throw NotFound(`No person signs in as ${email}.`)
  return person
}

const presented = ({ id, name, created_at, last_used_at }: PasskeyRow) => ({
  id,
  name,
  created_at,
  last_used_at,
})
