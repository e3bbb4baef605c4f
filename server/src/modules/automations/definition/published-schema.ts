import type { EventTypes } from '#kernel/events/event.ts'
import { DefinitionSchema } from './definition.ts'
import { heardEvents } from './heard-events.ts'
import { stepSchemas } from './step-types.ts'

interface ListSchema {
  items: { properties: object }
}

const withEvents = ({ items, ...list }: ListSchema, names: readonly string[]) => ({
  ...list,
  items: { ...items, properties: { ...items.properties, event: { enum: names } } },
})

/** The JSON Schema of definitions, including the names of the events that can start an automation or that a step can wait for. */
export function publishedSchema(eventTypes: EventTypes) {
  const { properties, $defs } = DefinitionSchema
  const names = heardEvents(eventTypes)
  const waits = stepSchemas.get('wait_for') as { properties: { events: ListSchema } }
  const events = withEvents(waits.properties.events, names)
  const steps = new Map(stepSchemas).set('wait_for', {
    ...waits,
    properties: { ...waits.properties, events },
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...DefinitionSchema,
    properties: {
      ...properties,
      triggers: withEvents(properties.triggers, names),
    },
    $defs: { ...$defs, AutomationStep: { ...$defs.AutomationStep, anyOf: [...steps.values()] } },
  }
}
