import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { lock } from '#kernel/db/lock.ts'
import { sql } from '#kernel/db/sql.ts'
import { equals, filters } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { newId } from '#kernel/ids.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { type AiSettings, defaultAiSettings } from './ai-settings.ts'
import { type Persona, personas } from './persona.ts'
import { PersonaVersion } from './version.ts'

const { Row, columns } = personas

export const personaFilters = filters({
  enabled: equals(
    Type.Boolean({ description: 'Return only personas that are enabled, or only personas that are not.' }),
  ),
})
type PersonaQuery = Static<typeof personaFilters.query>

/** Newest first. */
export const listPersonas = (db: Db, query: PersonaQuery, page: Page) =>
  db.many(Row)`
    select ${columns} from personas
    where workspace_id = ${db.workspaceId} and deleted_at is null ${personaFilters.where(query)} ${page.keyset()}`

export const findPersona = (db: Db, id: string) =>
  db.maybeOne(Row)`
    select ${columns} from personas where workspace_id = ${db.workspaceId} and id = ${id} and deleted_at is null`

/** The same, including deleted personas. */
export const findFormerPersona = (db: Db, id: string) =>
  db.maybeOne(Row)`select ${columns} from personas where workspace_id = ${db.workspaceId} and id = ${id}`

export const lockPersona = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from personas
    where workspace_id = ${tx.workspaceId} and id = ${id} and deleted_at is null for update`

/** The same for share: keeps others from changing the persona, and several transactions can hold it at once. */
export const lockPersonaForShare = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from personas
    where workspace_id = ${tx.workspaceId} and id = ${id} and deleted_at is null for share`

/** Personas that are on, oldest first: all of them, or those that write on a channel. */
export const listPersonasOn = (db: Db, channel: Persona['channels'][number] | null) =>
  db.many(Row)`
    select ${columns} from personas
    where workspace_id = ${db.workspaceId} and enabled and deleted_at is null and mode <> 'off'
      and (${channel}::text is null or ${channel}::text = any (channels))
    order by id`

const IdRow = Type.Object({ id: Type.String() })

/** The IDs of the personas that are off or deleted; all of them if the AI of the workspace is off. */
export const listStopped = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const rows = await db.many(IdRow)`
    select id from personas
    where workspace_id = ${db.workspaceId} and id = any (${ids}::text[]) and (not enabled or mode = 'off'
      or deleted_at is not null
      or exists (select from ai_settings where workspace_id = ${db.workspaceId} and not enabled))`
  return rows.map(({ id }) => id)
}

/** Objects and lists of objects are stored as JSON; lists of texts are PostgreSQL arrays. */
const stored = ({ active_hours, handoff, ...row }: Partial<Persona>) => ({
  ...row,
  ...(active_hours === undefined ? {} : { active_hours: JSON.stringify(active_hours) }),
  ...(handoff === undefined ? {} : { handoff: JSON.stringify(handoff) }),
})

export function insertPersona(tx: WorkspaceTx, persona: Persona): void {
  tx.write`insert into personas ${values({ workspace_id: tx.workspaceId, ...stored(persona) })}`
  insertVersion(tx, persona)
}

/** Writes the changed columns, and the new version if there is one. The caller holds the row's lock. */
export function savePersona(tx: WorkspaceTx, persona: Persona, changed: Partial<Persona>): void {
  tx.write`
    update personas set ${assignments(stored(changed))}
    where workspace_id = ${tx.workspaceId} and id = ${persona.id}`
  if (changed.version !== undefined) insertVersion(tx, persona)
}

const insertVersion = (tx: WorkspaceTx, { id, version, created_at: _, updated_at, ...content }: Persona) =>
  tx.write`
    insert into persona_versions ${values({
      workspace_id: tx.workspaceId,
      id: newId(new Date(updated_at)),
      persona_id: id,
      version,
      content: JSON.stringify(content),
      created_at: updated_at,
    })}`

const versionColumns = sql`id, persona_id, version, content - 'deleted_at' as content, created_at`

/** The versions of a persona, newest first. */
export const listPersonaVersions = (db: Db, personaId: string, page: Page) =>
  db.many(PersonaVersion)`
    select ${versionColumns} from persona_versions
    where workspace_id = ${db.workspaceId} and persona_id = ${personaId} ${page.keyset()}`

export const findPersonaVersion = (db: Db, personaId: string, version: number) =>
  db.maybeOne(PersonaVersion)`
    select ${versionColumns} from persona_versions
    where workspace_id = ${db.workspaceId} and persona_id = ${personaId} and version = ${version}`

const SettingsRow = Type.Object({
  enabled: Type.Boolean(),
  daily_budget: Type.Number(),
  second_look: Type.Boolean(),
})

/** The settings for all personas of a workspace, or the defaults. */
export const findAiSettings = async (db: Db): Promise<AiSettings> =>
  (await db.maybeOne(SettingsRow)`
    select enabled, daily_budget::double precision as daily_budget, second_look from ai_settings
    where workspace_id = ${db.workspaceId}`) ?? defaultAiSettings

/** The same, under a lock that serializes changes. */
export function lockAiSettings(tx: WorkspaceTx): Promise<AiSettings> {
  lock(tx, 'AI settings')
  return findAiSettings(tx)
}

export const saveAiSettings = (tx: WorkspaceTx, settings: AiSettings): void =>
  tx.write`
    insert into ai_settings ${values({ workspace_id: tx.workspaceId, ...settings })}
    on conflict (workspace_id) do update set ${assignments(settings)}`
