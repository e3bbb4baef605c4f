import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { changesOf } from '#kernel/records/changes.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { PersonaInUse } from './errors.ts'
import { PersonaCreated, PersonaDeleted, PersonaUpdated } from './events.ts'
import {
  type Persona,
  type PersonaDraft,
  type PersonaPatch,
  isOn,
  personaFields,
  personas,
} from './persona.ts'
import { insertPersona, lockPersona, savePersona } from './queries.ts'

export const createPersona = (ctx: Ctx, draft: PersonaDraft): Promise<Persona> =>
  ctx.transaction(async (tx) => {
    const persona = personas.create(draft, tx.clock.now())
    insertPersona(tx, persona)
    await tx.emit(PersonaCreated, persona)
    return persona
  })

const { version: _, deleted_at: __, ...details } = personaFields
const detailNames = Object.keys(details) as (keyof typeof details)[]

/** Applies the patch as a new version. A response that was already requested from a model is judged by the new version. */
export const updatePersona = (ctx: Ctx, id: string, patch: PersonaPatch): Promise<Persona> =>
  ctx.transaction(async (tx) => {
    const before = requireMatch(ctx, orNotFound(await lockPersona(tx, id)))
    const patched = personas.applyPatch(before, patch, tx.clock.now())
    if (patched === undefined) return before
    const version = before.version + 1
    const after = { ...patched.after, version }
    savePersona(tx, after, { ...patched.changed, version })
    await tx.emit(PersonaUpdated, { ...after, changes: changesOf(personas, detailNames, before, after) })
    return after
  })

/** Deletes a persona. Its messages keep its name. Throws 409 `persona_in_use` while the persona is on. */
export const deletePersona = (ctx: Ctx, id: string): Promise<{ id: string; deleted: true }> =>
  ctx.transaction(async (tx) => {
    const persona = orNotFound(await lockPersona(tx, id))
    if (isOn(persona)) throw PersonaInUse()
    const now = tx.clock.now()
    const changed = { deleted_at: now.toISOString(), updated_at: timeAfter(persona.updated_at, now) }
    savePersona(tx, persona, changed)
    await tx.emit(PersonaDeleted, { id })
    return { id, deleted: true as const }
  })
