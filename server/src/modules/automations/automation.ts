import { type Static, Type } from 'typebox'
import { extendBody, extendRecord } from '#kernel/records/extend.ts'
import {
  type PatchOf,
  type RowOf,
  createdBy,
  freeText,
  internal,
  optional,
  readOnly,
  required,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable, oneLine } from '#kernel/schemas.ts'
import type { Definition } from './definition/definition.ts'

/** What can happen to enrolled contacts when an automation is disabled. */
export const disablings = ['pause', 'finish', 'cancel'] as const
export type Disabling = (typeof disablings)[number]

const DefinitionField = Type.Unsafe<Definition>({
  type: 'object',
  'x-text': 'prose',
  description:
    'The draft: what starts the automation, its steps, and what ends it. `GET /automations/schema` returns its JSON Schema. Changes take effect when you publish them.',
})

export const automationFields = {
  name: required({ ...freeText(120), minLength: 1, pattern: oneLine }),
  description: optional(freeText(2000)),
  kind: internal(Type.Enum(['automation', 'campaign']), 'automation'),
  enabled: readOnly(Type.Boolean({ description: 'Whether the automation can enroll contacts.' }), false),
  definition: required(DefinitionField),
  version: readOnly(
    nullable(
      Type.Integer({ description: 'The newest published version. Null if no version has been published.' }),
    ),
    null,
  ),
  draft_version: readOnly(
    nullable(
      Type.Integer({
        description:
          'The number that the draft will get when you publish it. Null if the draft has not changed since the last version.',
      }),
    ),
    1,
  ),
  running: readOnly(
    nullable(
      Type.Enum(disablings, {
        description:
          'What happened to enrolled contacts when the automation was disabled. `pause`: they wait until it is enabled; `finish`: they continue; `cancel`: their enrollments ended.',
      }),
    ),
    null,
  ),
  change_id: readOnly(
    nullable(
      Type.String({
        description:
          'The bulk change of its enrollments that is in progress, such as their resumption. See `GET /automation-changes/{id}`.',
      }),
    ),
    null,
  ),
  paced_until: internal(nullable(Timestamp), null),
  archived_at: readOnly(
    nullable({
      ...Timestamp,
      description:
        'When the automation was archived. An archived automation cannot be enabled, and lists omit it by default.',
    }),
    null,
  ),
  trigger_events: internal(Type.Array(Type.String()), []),
  created_by: createdBy(),
}

export const exampleDefinition: Definition = {
  triggers: [{ event: 'lead.created' }],
  exits: [{ when: 'replied' }, { when: 'booked' }],
  steps: [
    {
      key: 'hello',
      type: 'send',
      channel: 'sms',
      body: 'Hi {{contact.first_name|there}}, thanks for reaching out. When is a good time to talk?',
    },
    { key: 'day', type: 'wait', for: { days: 1 } },
    { key: 'call', type: 'task', title: 'Call the new lead', task_type: 'call', priority: 'high' },
  ],
}

export const automationRecord = defineRecord('Automation', {
  fields: automationFields,
  example: { name: 'Speed to lead', definition: exampleDefinition },
  patchExample: { name: 'Speed to lead, evenings' },
  shownExample: { version: 3, draft_version: null, enabled: true },
})
export const AutomationPatchBody = extendBody(automationRecord.Patch, {
  archived: Type.Boolean({
    description:
      'Whether the automation is archived. Disable it before you archive it. Contacts who are enrolled keep their state.',
  }),
})

const count = (description: string) => Type.Integer({ description })

/** An automation with counts of its enrolled contacts. */
export const ShownAutomation = extendRecord(
  'AutomationWithStats',
  automationRecord,
  {
    stats: Type.Object(
      {
        queued: count('Contacts who are enrolled but have not started.'),
        running: count('Contacts who are going through the steps.'),
        paused: count('Contacts whose enrollment is paused.'),
        versions: Type.Array(Type.Object({ version: Type.Integer(), active: Type.Integer() }), {
          description: 'How many of these contacts follow each version.',
        }),
      },
      { description: 'Contacts who are enrolled now, counted from the records.' },
    ),
  },
  { stats: { queued: 0, running: 41, paused: 1, versions: [{ version: 3, active: 42 }] } },
)

export type Automation = RowOf<typeof automationFields>
export type AutomationDraft = Static<typeof automationRecord.Draft>
export type AutomationPatch = PatchOf<typeof automationFields> & { archived?: boolean }

/** The automation for a response. */
export const presentAutomation = ({ trigger_events: _, paced_until: __, kind: ___, ...shown }: Automation) =>
  shown
