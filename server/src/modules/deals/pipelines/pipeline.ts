import { type Static, Type } from 'typebox'
import { extendBody, extendRecord } from '#kernel/records/extend.ts'
import {
  type RowOf,
  createdBy,
  defaulted,
  optional,
  readOnly,
  required,
  text,
} from '#kernel/records/fields.ts'
import { defineRecord } from '#kernel/records/record.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { Line } from '../../workspaces/public.ts'
import { PipelineStage, Stages } from './stage.ts'

export const dealTypes = ['buyer', 'seller', 'dual', 'tenant', 'landlord', 'referral', 'other'] as const

const fields = {
  name: required(Line),
  description: optional(text(2000)),
  deal_type: optional(
    Type.Enum(dealTypes, { description: 'The type of new deals in the pipeline that name none.' }),
  ),
  is_default: defaulted(
    Type.Boolean({
      description:
        'Whether new deals that name no pipeline begin in it. A workspace has one default pipeline; to replace it, make another one the default.',
    }),
    false,
  ),
  order_weight: defaulted(
    Type.Integer({
      minimum: -1_000_000,
      maximum: 1_000_000,
      description: 'Pipelines are shown in the order of their weights.',
    }),
    0,
  ),
  version: readOnly(Type.Integer({ description: 'Rises with each change.' }), 1),
  created_by: createdBy(),
  archived_at: readOnly(
    nullable({ ...Timestamp, description: 'Since when no deal can be added to it or moved into it.' }),
    null,
  ),
}

const exampleStages = [
  { name: 'Negotiation', probability: 40, outcome: 'open' as const },
  { name: 'Closed', probability: 100, outcome: 'won' as const },
  { name: 'Lost', probability: 0, outcome: 'lost' as const },
]

export const pipelineRecord = defineRecord('Pipeline', {
  fields,
  example: { name: 'Commercial', deal_type: 'other' },
  patchExample: { description: 'Offices and shops' },
})

/** A pipeline without its stages. */
export type PipelineRow = RowOf<typeof fields>
export interface PipelineWithStages extends PipelineRow {
  stages: PipelineStage[]
}

export const Pipeline = extendRecord(
  'Pipeline',
  pipelineRecord,
  { stages: Type.Array(PipelineStage, { description: 'In their order.' }) },
  {
    stages: exampleStages.map((stage, i) => ({ id: `cmi8g0a1b000${i}h8j9k1l2m3n4`, color: null, ...stage })),
  },
)

export const PipelineDraft = extendBody(pipelineRecord.Draft, {
  stages: {
    ...Stages,
    description: 'In their order: at least one of each outcome. By default `New`, `Won`, and `Lost`.',
  } as typeof Stages,
})
export type PipelineDraft = Static<typeof PipelineDraft>

export const PipelinePatch = extendBody(pipelineRecord.Patch, {
  archived: Type.Boolean({ description: 'Whether deals can no longer be added to it or moved into it.' }),
  stages: {
    ...Stages,
    description:
      'All stages, in their order: at least one of each outcome. One with an `id` is kept or changed, one without is added, and one that is left out is removed. Requires `version`.',
  } as typeof Stages,
  version: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'The version that you read. If the pipeline has changed since: 409 `version_conflict`.',
  }),
  move_to: Type.String({
    maxLength: 40,
    'x-references': 'stage',
    description: 'A stage of the pipeline, into which the deals of removed stages move.',
  }),
})
export type PipelinePatch = Static<typeof PipelinePatch>
