import { Type } from 'typebox'
import { Changed, auditEvent } from '#kernel/events/event.ts'
import { automationRecord } from './automation.ts'

const { data, example } = automationRecord.part(['id', 'name', 'version', 'enabled'])

const changed = (what: string, summary: string) =>
  auditEvent(`automation.${what}`, 'automation', summary, data, example)

export const AutomationCreated = changed('created', 'An automation was created')
export const AutomationUpdated = auditEvent(
  'automation.updated',
  'automation',
  'The draft of an automation was changed',
  Type.Object({ ...data.properties, changed: Changed }),
  { ...example, changed: ['definition'] },
)
export const AutomationPublished = changed('published', 'A version of an automation was published')
export const AutomationEnabled = changed('enabled', 'An automation was enabled')
export const AutomationArchived = changed('archived', 'An automation was archived')
export const AutomationUnarchived = changed('unarchived', 'An archived automation was restored')
export const AutomationWasDisabled = changed('disabled', 'An automation was disabled')
export const AutomationMigrationStarted = changed(
  'migration_started',
  'Enrollments in an automation are moved to another version',
)
