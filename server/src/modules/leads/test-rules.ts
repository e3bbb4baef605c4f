import { type Static, Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { AppError, ReferenceNotFound, ValidationFailed } from '#kernel/errors.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { reference } from '#kernel/records/fields.ts'
import { Timestamp, isoTime } from '#kernel/schemas.ts'
import { RulesDocument, draftRules, presentPreview, previewRoute } from '../routing/public.ts'
import { findUnknownIds } from '../workspaces/public.ts'
import { unknownPersonFacts } from './facts.ts'
import { freeMap } from './lead.ts'
import { PreviewDraft } from './schemas.ts'

const closed = { additionalProperties: false }

const lead = {
  ...PreviewDraft.properties,
  context: Type.Optional(freeMap('Any other data about the lead.')),
  state: Type.Optional(Type.String({ maxLength: 40 })),
  area_code: Type.Optional(Type.String({ maxLength: 3 })),
  has_email: Type.Optional(Type.Boolean()),
  consent_status: Type.Optional(Type.Enum(['none', 'insufficient', 'sufficient'])),
  owner_id: Type.Optional(reference('member', 'The member who has the contact already.')),
  at: Type.Optional({ ...Timestamp, description: 'Decides as of this time. Now by default.' }),
}

/** A lead with everything that rules can test, and a draft of the rules. */
export const RoutingTest = Type.Object(
  { ...lead, rules: Type.Optional(RulesDocument) },
  {
    ...closed,
    title: 'RoutingTest',
    examples: [{ source: 'Website', zip: '60614', price: 450_000, context: { intent: 'rent' } }],
  },
)
type RoutingTest = Static<typeof RoutingTest>

/** Validates everything but what is in `rules`: `testedDraft` does. */
export const validateTest = bodyValidator(
  Type.Object({ ...lead, rules: Type.Optional(Type.Unknown()) }, closed),
)

/** The draft of the rules, if there is one. Throws `ValidationFailed` with the path of each issue. */
export const testedDraft = async (ctx: Ctx, { rules }: RoutingTest) =>
  rules === undefined
    ? undefined
    : draftRules(ctx, rules).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== ValidationFailed.code) throw error
        const { details = [] } = error.body
        throw ValidationFailed(
          details.map(({ path, message }) => ({
            path: path === 'body' ? 'rules' : `rules.${path}`,
            message,
          })),
        )
      })

/** Returns who would get the lead, by the draft or by the current rules. Changes nothing. */
export async function testRules(
  ctx: Ctx,
  { rules: _, at, ...facts }: RoutingTest,
  draft: Awaited<ReturnType<typeof testedDraft>>,
) {
  const clock = at === undefined ? ctx.clock : { ...ctx.clock, now: () => new Date(isoTime(at)) }
  return presentPreview(await previewRoute({ ...ctx, clock }, factsOfTest(facts), draft))
}

/** The facts of a lead from an unknown person with only a phone number, except for what the test says. */
export const factsOfTest = (facts: Omit<RoutingTest, 'rules' | 'at'>) => ({
  ...unknownPersonFacts,
  ...facts,
  tags: facts.tags ?? [],
})

/** Throws 404 with the names of the members that refer to nothing in this workspace. */
export async function requireKnownReferences({ db }: Ctx, references: Partial<RoutingTest>): Promise<void> {
  const { office_id, team_id, owner_id } = references
  const given = (id: string | undefined) => (id === undefined ? [] : [id])
  const ids = { member: given(owner_id), team: given(team_id), office: given(office_id) }
  if (Object.values(ids).every(({ length }) => length === 0)) return
  const isUnknown = await findUnknownIds(db, ids)
  const named = [
    ['office_id', 'office', office_id],
    ['team_id', 'team', team_id],
    ['owner_id', 'member', owner_id],
  ] as const
  const paths = named.flatMap(([path, noun, id]) => (id !== undefined && isUnknown(noun, id) ? [path] : []))
  if (paths.length > 0) throw ReferenceNotFound(...paths)
}
