import type { Ctx } from '#kernel/context.ts'
import { type Issue, ReferenceNotFound, ValidationFailed } from '#kernel/errors.ts'
import { findPipelineOfStage } from '../deals/public.ts'
import { findPersona, isOn } from '../personas/public.ts'
import { findMember } from '../workspaces/public.ts'
import { definitionWarnings, readDefinition } from './definition/definition-issues.ts'
import type { Definition } from './definition/definition.ts'
import { placedSteps } from './definition/tree.ts'
import { listAutomationsById } from './queries.ts'
import { requireWebhooks } from './require-webhooks.ts'

/**
 * Validates a definition the way saving and publishing do. Throws `ValidationFailed`, also for inactive members and archived automations,
 * and 404 if the definition names a record that does not exist.
 */
export const requireDefinition = async (ctx: Ctx, input: unknown): Promise<Definition> =>
  (await examineDefinition(ctx, input)).definition

/** The same, with warnings about settings that are allowed but may have unexpected effects. */
export async function examineDefinition(
  ctx: Ctx,
  input: unknown,
): Promise<{ definition: Definition; warnings: Issue[] }> {
  const definition = readDefinition(input, ctx.eventTypes)
  const named = [...referencesIn(definition)]
  const states = await statesOf(ctx, named)
  const missing = named.find(({ id }) => states.get(id) === undefined)
  if (missing !== undefined) throw ReferenceNotFound(missing.path)
  const about = (level: State['level']): Issue[] =>
    named.flatMap(({ id, path }) => {
      const state = states.get(id)
      return state?.level === level ? [{ path, message: state.message }] : []
    })
  const issues = [...about('error'), ...(await strayStages(ctx, definition))]
  if (issues.length > 0) throw ValidationFailed(issues)
  await requireWebhooks(ctx, definition)
  return { definition, warnings: [...definitionWarnings(definition), ...about('warning')] }
}

interface State {
  level: 'fine' | 'warning' | 'error'
  message: string
}

const fine: State = { level: 'fine', message: '' }
const inactive: State = { level: 'error', message: 'is an inactive member' }
const archived: State = { level: 'error', message: 'is an archived automation' }
const disabled: State = { level: 'warning', message: 'is a disabled automation, which enrolls no one' }
const off: State = { level: 'warning', message: 'is a persona that is off, so the step is skipped' }

/** The state of each named record by ID, if it exists. */
async function statesOf({ db }: Ctx, named: readonly Reference[]): Promise<ReadonlyMap<string, State>> {
  const idsOf = (kind: Reference['kind']) => named.flatMap((one) => (one.kind === kind ? [one.id] : []))
  const [members, automations, personas] = await Promise.all([
    Promise.all(idsOf('member').map((id) => findMember(db, id))),
    listAutomationsById(db, idsOf('automation')),
    Promise.all(idsOf('persona').map((id) => findPersona(db, id))),
  ])
  const stateOf = ({ archived_at, enabled }: (typeof automations)[number]) => {
    if (archived_at !== null) return archived
    return enabled ? fine : disabled
  }
  return new Map([
    ...members.flatMap((one) => (one ? [[one.id, one.active ? fine : inactive] as const] : [])),
    ...automations.map((one) => [one.id, stateOf(one)] as const),
    ...personas.flatMap((one) => (one ? [[one.id, isOn(one) ? fine : off] as const] : [])),
  ])
}

async function strayStages({ db }: Ctx, { steps }: Definition): Promise<Issue[]> {
  const moves = placedSteps(steps, 'definition.steps')
    .flatMap(([step, path]) =>
      step.type === 'move_deal' && step.stage_id !== undefined ? [{ id: step.stage_id, path }] : [],
    )
    .toArray()
  const pipelines = await Promise.all(moves.map(({ id }) => findPipelineOfStage(db, id)))
  return moves
    .filter((_, i) => pipelines[i] === undefined)
    .map(({ path }) => ({ path: `${path}.stage_id`, message: 'is not a stage of a pipeline' }))
}

interface Reference {
  kind: 'member' | 'automation' | 'persona'
  id: string
  path: string
}

const references = {
  member_id: 'member',
  assignee_id: 'member',
  automation_id: 'automation',
  persona_id: 'persona',
} as const

/** The records that steps reference by ID. */
function* referencesIn({ steps }: Definition): Generator<Reference> {
  for (const [step, at] of placedSteps(steps, 'definition.steps'))
    for (const [name, kind] of Object.entries(references)) {
      const id = (step as unknown as Record<string, unknown>)[name]
      if (typeof id === 'string') yield { kind, id, path: `${at}.${name}` }
    }
}
