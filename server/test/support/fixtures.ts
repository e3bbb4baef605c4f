import { orNotFound } from '#kernel/errors.ts'
import type { TestWorkspace } from './app.ts'
import type { Client, Response } from './client.ts'
import { asOwner, workerDatabase } from './database.ts'

/** How a list gets and loses its rows. */
export interface ListFixture {
  /** Creates the record to which the list belongs. Returns its id. */
  parent?(agent: Client): Promise<string>
  /** Adds a row. Returns its id. */
  insert(agent: Client, parent: string): Promise<string>
  /** Removes a row, if rows can be removed. */
  remove?(agent: Client, row: string): Promise<unknown>
}

/**
 * What the contract tests must know about a module and cannot derive from its endpoints. By default, `POST` to a
 * record's collection with the example body creates the record; a list gets its rows the same way and loses them by
 * `DELETE`. A module declares exceptions in a file `*.fixtures.ts` next to its endpoints.
 */
export interface Fixtures {
  /** Creates a record and returns the ids in its path. By path: `'/contacts/{id}'`. */
  records?: Record<string, (agent: Client) => Promise<string[]>>
  /** By path: `'/contacts/{id}/notes'`. */
  lists?: Record<string, ListFixture>
  /** Creates a record to which a parameter or a field may refer. By noun: `member`. */
  referents?: Record<string, (workspace: TestWorkspace) => Promise<string>>
  /**
   * Gives a record to a member. By path: `'/contacts/{id}'`; gets the last id in the path. All other records belong
   * to the workspace: every member whose role has the scope sees them.
   */
  owners?: Record<string, (id: string, memberId: string | null) => Promise<unknown>>
  /** Prepares a workspace for the example's request. By route. May be called again. */
  ready?: Record<string, (agent: Client) => Promise<unknown>>
  /** Prepares a record so that the same request works again. By route; gets the last id in the path. */
  reset?: Record<string, (id: string) => Promise<unknown>>
  /** Mutually exclusive members of a body. By route. */
  alternatives?: Record<string, readonly string[]>
  /** Valid values of a text that names something. By route and name: `'POST /webhooks url'`. */
  values?: Record<string, unknown[]>
}

/** The member that the body examples name. */
export const exampleMember = 'cmi8h2k5p0000y7w2d5g8j1m4'

/**
 * Adds a member with this id to the client's workspace, unless it already has one. Other workspaces may have a member
 * with the same id.
 */
export const insertMember = async ({ workspace }: Client, id = exampleMember) =>
  asOwner(
    await workerDatabase(),
    `insert into members (workspace_id, id, name, email, role, active, created_at, updated_at)
     values ($1, $2, 'A member', $2 || '@gable.example', 'agent', true, now(), now()) on conflict do nothing`,
    [orNotFound(workspace).id, id],
  )

/** The contact that the body examples name. */
export const exampleContact = 'cmi8h2k5p0001zq8r4t6w9x3y'

/**
 * Adds that contact to the client's workspace, unless it already has it. Other workspaces may have a contact with the
 * same id.
 */
export const insertContact = async ({ workspace }: Client) =>
  asOwner(
    await workerDatabase(),
    `insert into contacts (workspace_id, id, stage, tags, ai_auto_response, search_names, search_details, created_at, updated_at)
     values ($1, $2, 'LEAD', '{}', 'active', '', '', now(), now()) on conflict do nothing`,
    [orNotFound(workspace).id, exampleContact],
  )

/** The id of what a request created. Throws if the request failed, because the failure would be puzzling later. */
export function idOf({ status, body }: Response): string {
  if (status > 299) throw new Error(`Nothing was created: ${status} ${JSON.stringify(body)}`)
  return body['id']
}

let phones = 0

/** A new phone number for each person in a test: people who share a number wait for each other. */
export const newPhone = (): string => `+1312555${2000 + (phones++ % 8000)}`
