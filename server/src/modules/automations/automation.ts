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
import { Timestamp, nullable } from '#kernel/schemas.ts'
import type { Definition } from './definition/definition.ts'

/** What can become of the contacts in an automation that is disabled. */
export const disablings = ['pause', 'finish', 'cancel'] as const
export type Disabling = (typeof disablings)[number]

const DefinitionField = Type.Unsafe<Definition>({
  type: 'object',
  description:
    'What starts it, its steps, and what ends it: the draft. `GET /automations/schema` has its JSON Schema. A change has an effect once it is published.',
})

export const automationFields = {
  name: required({ ...freeText(120), minLength: 1 }),
  description: optional(freeText(2000)),
  kind: internal(Type.Enum(['automation', 'campaign']), 'automation'),
  enabled: readOnly(Type.Boolean({ description: 'Whether it takes contacts.' }), false),
  definition: required(DefinitionField),
  version: readOnly(
    nullable(Type.Integer({ description: 'The newest published version. Null while none is published.' })),
    null,
  ),
  draft_version: readOnly(
    nullable(
      Type.Integer({
        description:
          'The version that publishing makes of the draft. Null while the draft is as it was published.',
      }),
    ),
    1,
  ),
  running: readOnly(
    nullable(
      Type.Enum(disablings, {
        description:
          'While it is disabled: what became of the contacts in it. `pause`: they wait until it is enabled; `finish`: they go on; `cancel`: they left.',
      }),
    ),
    null,
  ),
  change_id: readOnly(
    nullable(
      Type.String({
        description:
          'The change of its enrollments that is under way, such as their resumption: `GET /automation-changes/{id}`.',
      }),
    ),
    null,
  ),
  paced_until: internal(nullable(Timestamp), null),
  archived_at: readOnly(
    nullable({
      ...Timestamp,
      description: 'Since when it is archived: it cannot be enabled, and lists leave it out.',
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
    description: 'Whether it is archived. One that is enabled cannot be. Contacts in it stay as they are.',
  }),
})

const count = (description: string) => Type.Integer({ description })

/** An automation with how many contacts are in it. */
export const ShownAutomation = extendRecord(
  'AutomationWithStats',
  automationRecord,
  {
    stats: Type.Object(
      {
        queued: count('Contacts who are enrolled and have not begun.'),
        running: count('Contacts who go through it.'),
        paused: count('Contacts whose enrollment is paused.'),
        versions: Type.Array(Type.Object({ version: Type.Integer(), active: Type.Integer() }), {
          description: 'How many of these follow which version.',
        }),
      },
      { description: 'Contacts in it now, counted from the records.' },
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
