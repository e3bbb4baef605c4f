import type { Ctx } from '#kernel/context.ts'
import { type Issue, ReferenceNotFound, ValidationFailed, doesNotExist, maxIssues } from '#kernel/errors.ts'
import type { ReferenceCheck } from '#kernel/steps/step-type.ts'
import { definitionWarnings, maxSteps, readDefinition } from './definition/definition-issues.ts'
import type { Definition } from './definition/definition.ts'
import { stepShapes } from './definition/step-types.ts'
import { placedSteps } from './definition/tree.ts'
import { findAutomationOfOwn } from './queries.ts'

/**
 * Validates a definition the way saving and publishing do. Uses the network, so never call it inside a transaction. Throws
 * `ValidationFailed` with all faults, also for inactive members and archived automations, and 404 if the only fault is that the definition
 * names records that do not exist.
 */
export const requireDefinition = async (ctx: Ctx, input: unknown): Promise<Definition> =>
  (await examineDefinition(ctx, input)).definition

/** The same, with warnings about settings that are allowed but may have unexpected effects. */
export async function examineDefinition(
  ctx: Ctx,
  input: unknown,
): Promise<{ definition: Definition; warnings: Issue[] }> {
  const { definition, issues } = readDefinition(input, ctx.eventTypes)
  const isFaulty = issues.length > 0
  const examined = await Promise.all(
    referencesIn(definition)
      .take(maxReferences)
      .map(async ({ path, id, check }) => {
        // What the credential may not do counts only for a definition that could be saved.
        const fault = await check(ctx, id).catch((error: unknown) => {
          if (!isFaulty) throw error
        })
        return { path, fault }
      }),
  )
  const about = (level: 'error' | 'warning'): Issue[] =>
    examined.flatMap(({ path, fault }) =>
      typeof fault === 'object' && fault.level === level ? [{ path, message: fault.message }] : [],
    )
  const missing = examined.flatMap(({ path, fault }) => (fault === 'missing' ? [path] : []))
  const errors = [...issues, ...about('error')]
  if (errors.length > 0)
    throw ValidationFailed(
      [...errors, ...missing.map((path) => ({ path, message: doesNotExist }))].slice(0, maxIssues),
    )
  if (missing.length > 0) throw ReferenceNotFound(...missing)
  return { definition, warnings: [...definitionWarnings(definition), ...about('warning')] }
}

/** More than a definition without faults can have. */
const maxReferences = 2 * maxSteps

const activeAutomation: ReferenceCheck = async ({ db }, id) => {
  const automation = await findAutomationOfOwn(db, id)
  if (automation === undefined) return 'missing'
  if (automation.archived_at !== null) return { level: 'error', message: 'is an archived automation' }
  return automation.enabled
    ? undefined
    : { level: 'warning', message: 'is a disabled automation, which enrolls no one' }
}

/** The members of steps that name automations, which no other module knows. */
const own = { automation_id: activeAutomation }

interface Reference {
  path: string
  id: string
  check: ReferenceCheck
}

/** The records that steps name by ID. */
function* referencesIn({ steps }: Definition): Generator<Reference> {
  for (const [step, at] of placedSteps(steps, 'definition.steps'))
    for (const [member, check] of Object.entries({ ...own, ...stepShapes.get(step.type)?.references })) {
      const id: unknown = Object.entries(step).find(([name]) => name === member)?.[1]
      if (typeof id === 'string' && check !== undefined) yield { path: `${at}.${member}`, id, check }
    }
}
