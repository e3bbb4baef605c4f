import type { Command } from 'commander'
import { NotFound } from '#kernel/errors.ts'
import {
  type PasskeyRow,
  type PersonRow,
  endSessions,
  findPersonByEmail,
  listPasskeys,
  removePasskey,
  removeSecondStep,
  sendReset,
  setPassword,
} from '../modules/signin/public.ts'
import { type Answer, type Columns, answering, listing, record } from './answer.ts'
import { type CommandText, declare, group } from './declare.ts'
import { type CommandHouse, openForCommand } from './open-house.ts'
import { readPassword } from './read-password.ts'
import { showPerson } from './show-person.ts'

export function addPersonCommands(program: Command): void {
  const person = group(program, 'person', 'those who sign in, whatever the workspaces they are members of')

  onPerson(
    person,
    'show',
    { summary: 'show how somebody signs in, and where', example: 'person show ada@lantern.example' },
    showPerson,
  )
  setPasswordCommand(person)
  onPerson(
    person,
    'reset-link',
    {
      summary: 'make a link that sets a password, once and within an hour',
      description: 'Whoever has it can set the password. It goes out to the person by mail, too.',
      example: 'person reset-link ada@lantern.example',
    },
    async ({ house, origin }, row) => {
      const link = await sendReset(house, row, origin)
      return record({ email: row.email, link }, { Email: row.email, Link: link })
    },
  )
  onPerson(
    person,
    'sign-out',
    { summary: 'end all sessions of somebody', example: 'person sign-out ada@lantern.example' },
    async ({ house }, { id, email }) => {
      const ended = await endSessions(house, id)
      return record({ email, sessions_ended: ended }, { Email: email, 'Sessions ended': String(ended) })
    },
  )
  onPerson(
    person,
    'remove-second-step',
    {
      summary: 'let somebody in without the code of an app that they have lost',
      description: 'Make sure that it is them who ask. They are told by mail.',
      example: 'person remove-second-step ada@lantern.example',
    },
    async ({ house }, row) => {
      await removeSecondStep(house, row)
      return record({ email: row.email, second_step: false }, { Email: row.email, 'Second step': 'off' })
    },
  )
  addPasskeyCommands(person)
}

function setPasswordCommand(parent: Command): void {
  declare(parent, 'set-password', {
    summary: 'set the password of somebody, and sign them out everywhere',
    description: 'They are told by mail.',
    example: 'person set-password ada@lantern.example --password-stdin < password.txt',
  })
    .argument('<email>', 'their address')
    .requiredOption('--password-stdin', 'reads the password from the first line of standard input')
    .action(
      answering(async (email: string) => {
        const password = await readPassword()
        await using command = await openForCommand()
        const person = await theOne(command, email)
        await setPassword(command.house, person, password)
        return record({ id: person.id, email: person.email }, { Id: person.id, Email: person.email })
      }),
    )
}

function addPasskeyCommands(parent: Command): void {
  onPerson(
    parent,
    'passkeys',
    { summary: 'list the passkeys of somebody', example: 'person passkeys ada@lantern.example' },
    async ({ house }, { id }) => {
      const rows = await listPasskeys(house.database.directory, id)
      return { ...listing(rows, columns, 'They have no passkeys.'), value: rows.map(presented) }
    },
  )

  declare(parent, 'remove-passkey', {
    summary: 'take a passkey away, such as one of a device that was lost',
    example: 'person remove-passkey ada@lantern.example PASSKEY',
  })
    .argument('<email>', 'their address')
    .argument('<passkey>', 'id of the passkey')
    // An id may begin with a hyphen, and look like an option.
    .allowUnknownOption()
    .helpOption('--help', 'display help for command')
    .action(
      answering(async (email: string, id: string) => {
        await using command = await openForCommand()
        const person = await theOne(command, email)
        if (!(await removePasskey(command.house, person, id)))
          throw NotFound(`${person.email} has no passkey ${id}.`)
        return record({ id, removed: true }, { Removed: id })
      }),
    )
}

/** Adds a command on one person, named by their address. */
function onPerson(
  parent: Command,
  name: string,
  text: CommandText,
  run: (command: CommandHouse, person: PersonRow) => Promise<Answer>,
): void {
  declare(parent, name, text)
    .argument('<email>', 'their address')
    .action(
      answering(async (email: string) => {
        await using command = await openForCommand()
        return await run(command, await theOne(command, email))
      }),
    )
}

async function theOne({ house }: CommandHouse, email: string): Promise<PersonRow> {
  const person = await findPersonByEmail(house.database.directory, email)
  if (person === undefined) throw NotFound(`Nobody signs in as ${email}.`)
  return person
}

const columns: Columns<PasskeyRow> = {
  id: (row) => row.id,
  name: (row) => row.name,
  added: (row) => row.created_at,
  'last used': (row) => row.last_used_at,
}

const presented = ({ id, name, created_at, last_used_at }: PasskeyRow) => ({
  id,
  name,
  created_at,
  last_used_at,
})
