import { Type } from 'typebox'
import { type Change, Changes, auditEvent } from '#kernel/events/event.ts'
import { AiSettings, defaultAiSettings } from './ai-settings.ts'
import { personas } from './persona.ts'

const { data, example } = personas.part(['id', 'name', 'enabled', 'mode', 'version'])

export const PersonaCreated = auditEvent(
  'persona.created',
  'persona',
  'A persona of the AI was created',
  data,
  example,
)

const changes: Change[] = [{ field: 'mode', from: 'off', to: 'approve' }]

export const PersonaUpdated = auditEvent(
  'persona.updated',
  'persona',
  'A persona of the AI was changed',
  Type.Object({ ...data.properties, changes: Changes }),
  { ...example, changes },
)

export const PersonaDeleted = auditEvent(
  'persona.deleted',
  'persona',
  'A persona of the AI was deleted',
  Type.Object({ id: Type.String() }),
  { id: example.id },
)

export const AiSettingsChanged = auditEvent(
  'ai_settings.changed',
  'workspace',
  'The settings of the AI were changed',
  Type.Object({ id: Type.String(), from: AiSettings, to: AiSettings }),
  { id: example.id, from: defaultAiSettings, to: { ...defaultAiSettings, enabled: false } },
)
