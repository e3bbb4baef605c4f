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
import { Line } from '../workspaces/public.ts'
import { PipelineStage, Stages } from './stage.ts'

export const dealTypes = ['buyer', 'seller', 'dual', 'tenant', 'landlord', 'referral', 'other'] as const

const fields = {
  name: required(Line),
  description: optional(text(2000)),
  deal_type: optional(
    Type.Enum(dealTypes, { description: 'The default type of new deals in the pipeline.' }),
  ),
  is_default: defaulted(
    Type.Boolean({
      description:
        'Whether new deals start in this pipeline by default. A workspace has one default pipeline. To change it, make another pipeline the default.',
    }),
    false,
  ),
  order_weight: defaulted(
    Type.Integer({
      minimum: -1_000_000,
      maximum: 1_000_000,
      description: 'Pipelines are displayed in order of their weight.',
    }),
    0,
  ),
  version: readOnly(Type.Integer({ description: 'Increases with each change.' }), 1),
  created_by: createdBy(),
  archived_at: readOnly(
    nullable({
      ...Timestamp,
      description:
        'When the pipeline was archived. No deal can be added to an archived pipeline or moved into it.',
    }),
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
  { stages: Type.Array(PipelineStage, { description: 'The stages in order.' }) },
  {
    stages: exampleStages.map((stage, i) => ({ id: `cmi8g0a1b000${i}h8j9k1l2m3n4`, color: null, ...stage })),
  },
)

export const PipelineDraft = extendBody(pipelineRecord.Draft, {
  stages: {
    ...Stages,
    description:
      'The stages in order, with at least one for each outcome. `New`, `Won`, and `Lost` by default.',
  } as typeof Stages,
})
export type PipelineDraft = Static<typeof PipelineDraft>

export const PipelinePatch = extendBody(pipelineRecord.Patch, {
  archived: Type.Boolean({
    description:
      'Whether the pipeline is archived. No deal can be added to an archived pipeline or moved into it.',
  }),
  stages: {
    ...Stages,
    description:
      'All stages in order, with at least one for each outcome. Stages with an `id` are kept or changed, stages without an `id` are added, and stages that you omit are removed. Requires `version`.',
  } as typeof Stages,
  version: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description:
      'The version that you read. If the pipeline has changed since then, the response is 409 `version_conflict`.',
  }),
  move_to: Type.String({
    maxLength: 40,
    'x-references': 'stage',
    description: 'The stage of the pipeline that the deals of removed stages move to.',
  }),
})
export type PipelinePatch = Static<typeof PipelinePatch>
