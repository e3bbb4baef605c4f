import { type Static, Type } from 'typebox'
import {
  type PatchOf,
  type RowOf,
  createOnly,
  defaulted,
  reference,
  required,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { omittedConnection } from './connection.ts'
import { maxStateLength } from './registration.ts'

const templateCategories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const

/** Meta's statuses of templates. A person may set no others; what WhatsApp reports is stored as it comes. */
const statedStatuses = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'IN_APPEAL',
  'PAUSED',
  'DISABLED',
  'DELETED',
] as const
const statusText =
  'Only an `APPROVED` template can be sent. After a change of its text or category, the template waits for approval.'

const fields = {
  connection_id: createOnly(
    defaulted(reference('connection', `The WhatsApp account of the template. ${omittedConnection}`), ''),
  ),
  name: createOnly(
    required(
      Type.String({
        minLength: 1,
        maxLength: 512,
        pattern: '^[a-z0-9_]+$',
        description: 'The name at WhatsApp.',
      }),
    ),
  ),
  language: createOnly(
    required(
      Type.String({
        minLength: 2,
        maxLength: 10,
        pattern: '^[a-z]{2,3}(_[A-Z]{2,4})?$',
        description: 'Such as `en_US`.',
      }),
    ),
  ),
  category: required(
    Type.Enum([...templateCategories], {
      description: 'WhatsApp does not deliver marketing templates to US numbers.',
    }),
  ),
  status: defaulted(
    Type.Unsafe<string>(
      Type.Enum([...statedStatuses], { title: 'MessageTemplateStatus', description: statusText }),
    ),
    'PENDING',
    {
      stored: Type.String({ maxLength: maxStateLength, description: statusText }),
    },
  ),
  body: required(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'The text, with `{{1}}`, `{{2}}`, … for its variables.',
    }),
  ),
}

/** A text that WhatsApp must approve before it may begin a conversation. */
export const templates = defineRecord('MessageTemplate', {
  fields,
  example: {
    name: 'showing_confirmed',
    language: 'en_US',
    category: 'UTILITY',
    body: 'Hi {{1}}, your showing at {{2}} is confirmed.',
  },
  shownExample: { connection_id: 'cmi8hc1x2000bm2n6a9s3d5f2', status: 'APPROVED' },
  patchExample: { body: 'Hi {{1}}, see you at {{2}}.' },
})

export type MessageTemplate = RowOf<typeof fields>
export type TemplateDraft = Static<typeof templates.Draft>
export type TemplatePatch = PatchOf<typeof fields>
