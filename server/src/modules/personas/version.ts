import { type Static, type TUnsafe, Type } from 'typebox'
import { Timestamp } from '#kernel/schemas.ts'
import { type Persona, personaFields, personas } from './persona.ts'

const { version: _, deleted_at: __, ...contents } = personaFields
type Content = Omit<Persona, 'id' | 'version' | 'deleted_at' | 'created_at' | 'updated_at'>

const names = Object.keys(contents) as (keyof typeof contents)[]
const content = personas.part(names, { description: 'The fields of the persona at that version.' })

/** A version of a persona. It never changes. */
export const PersonaVersion = Type.Object(
  {
    id: Type.String(),
    persona_id: Type.String(),
    version: Type.Integer({ description: 'Counts from 1. Generations name the version that was used.' }),
    content: content.data as unknown as TUnsafe<Content>,
    created_at: Timestamp,
  },
  {
    title: 'PersonaVersion',
    examples: [
      {
        id: 'cmi8hf1c2000cq6t8v3n5b7m1',
        persona_id: 'cmi8h4v7t0002b6n9m1k3j5h7',
        version: 3,
        content: content.example,
        created_at: '2026-11-20T20:09:27.310Z',
      },
    ],
  },
)
export type PersonaVersion = Static<typeof PersonaVersion>

/** The persona as of that version. */
export const personaAt = ({ persona_id, version, content: then, created_at }: PersonaVersion): Persona => ({
  ...then,
  id: persona_id,
  version,
  deleted_at: null,
  created_at,
  updated_at: created_at,
})
