import { type Static, Type } from 'typebox'
import { type Issue, ValidationFailed } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import { nullable } from '#kernel/schemas.ts'
import { Line } from '../workspaces/public.ts'

/** The status of the deals in a stage. */
export const stageOutcomes = ['open', 'won', 'lost'] as const
export type StageOutcome = (typeof stageOutcomes)[number]

const maxStages = 50

const Color = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', description: 'A color, such as `#2563EB`.' })

const StageDraft = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'The ID of an existing stage of the pipeline. Omit it for a new stage.',
      }),
    ),
    name: Line,
    color: Type.Optional(nullable(Color)),
    probability: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'The previous value by default. For a new stage, 100 if it is a won stage, or else 0.',
      }),
    ),
    outcome: Type.Enum(stageOutcomes, {
      description:
        'The status of deals that move into the stage. You cannot change it while the stage has deals.',
    }),
  },
  { additionalProperties: false },
)
export type StageDraft = Static<typeof StageDraft>

export const Stages = Type.Array(StageDraft, { maxItems: maxStages })

export const PipelineStage = Type.Object({
  id: Type.String(),
  name: Type.String(),
  color: nullable(Type.String()),
  probability: Type.Integer({
    description: 'The probability, in percent, that a deal in the stage will be won.',
  }),
  outcome: Type.Enum(stageOutcomes, { description: 'The status of deals that move into the stage.' }),
})
export type PipelineStage = Static<typeof PipelineStage>

/** The stages of a pipeline that is created without any. */
export const plainStages: StageDraft[] = [
  { name: 'New', probability: 10, outcome: 'open' },
  { name: 'Won', outcome: 'won' },
  { name: 'Lost', outcome: 'lost' },
]

/**
 * The stages that replace the existing ones. A stage with a known ID keeps the color and probability that the draft
 * omits. Throws `ValidationFailed` if an ID is repeated or an outcome has no stage. `unknown` has the paths and IDs of
 * stages that did not exist before.
 */
export function arrangeStages(
  drafts: readonly StageDraft[],
  before: readonly PipelineStage[],
  at: Date,
): { stages: PipelineStage[]; unknown: [path: string, id: string][] } {
  const known = new Map(before.map((stage) => [stage.id, stage]))
  const unknown = drafts.flatMap(({ id }, i): [string, string][] =>
    id === undefined || known.has(id) ? [] : [[`stages.${i}.id`, id]],
  )
  const issues = [...repeated(drafts), ...missing(drafts)]
  if (issues.length > 0) throw ValidationFailed(issues)
  const stages = drafts.map(({ id, name, color, probability, outcome }): PipelineStage => {
    const old = known.get(id ?? '')
    return {
      id: id ?? newId(at),
      name,
      color: color === undefined ? (old?.color ?? null) : color,
      probability: probability ?? old?.probability ?? (outcome === 'won' ? 100 : 0),
      outcome,
    }
  })
  return { stages, unknown }
}

const repeated = (drafts: readonly StageDraft[]): Issue[] =>
  drafts.flatMap(({ id }, i) =>
    id !== undefined && drafts.findIndex((one) => one.id === id) < i
      ? [{ path: `stages.${i}.id`, message: 'is the id of a stage before it' }]
      : [],
  )

const missing = (drafts: readonly StageDraft[]): Issue[] =>
  stageOutcomes
    .filter((outcome) => drafts.every((one) => one.outcome !== outcome))
    .map((outcome) => ({ path: 'stages', message: `must have a stage with the outcome ${outcome}` }))

/** The first stage with an outcome. Every pipeline has at least one for each outcome. */
export function firstStage(stages: readonly PipelineStage[], outcome: StageOutcome): PipelineStage {
  const first = stages.find((stage) => stage.outcome === outcome)
  if (first === undefined) throw new Error(`A pipeline has no ${outcome} stage.`)
  return first
}
