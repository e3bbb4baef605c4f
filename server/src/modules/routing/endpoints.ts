import { Type } from 'typebox'
import { orNotFound } from '#kernel/errors.ts'
import { endpoint, ok } from '#kernel/http/endpoint.ts'
import { listEndpoint } from '#kernel/http/list-endpoint.ts'
import { idPattern } from '#kernel/ids.ts'
import { Timestamp, nullable } from '#kernel/schemas.ts'
import { currentRules, ruleSetIn } from './load-rules.ts'
import { findRuleSetById, listRuleSets, ruleSetFilters } from './rule-set-queries.ts'
import { exportRules } from './rules/parse-rules.ts'
import { readRules } from './rules/read-rules.ts'
import { RulesDocument, rulesExample } from './rules/rule-schema.ts'
import { planRules, replaceRules } from './set-rules.ts'

const scope = 'settings:manage'

export const getRoutingRules = endpoint('GET /routing-rules', {
  scope,
  summary: 'Retrieve the routing rules',
  description:
    'Returns the current rules as a document for `PUT`. Omits default values. Version 0 is the built-in rules: round robin among all members.',
  responses: { 200: RulesDocument },
  handle: async (ctx) => ok(exportRules(await currentRules(ctx.db))),
})

export const putRoutingRules = endpoint('PUT /routing-rules', {
  scope,
  summary: 'Replace the routing rules',
  description:
    'Replaces all rules at once, starting with the next decision, and returns the stored document. Rules are matched by `id`, then by name. A rule that stays also keeps its rotation. Send the `version` that you read, so that you do not undo a change that you have not seen. A document that changes nothing creates no version.',
  body: RulesDocument,
  validateBody: readRules,
  responses: { 200: RulesDocument },
  errors: { 409: '`conflict`: the rules have changed since the `version` in the document.' },
  handle: async (ctx, { body }) => ok(exportRules(await replaceRules(ctx, body))),
})

export const getRoutingRulesSchema = endpoint('GET /routing-rules/schema', {
  scope,
  summary: 'Retrieve the JSON Schema of routing rules',
  description: 'For editors: it describes every member of a document for `PUT /routing-rules`.',
  responses: { 200: Type.Object({}, { title: 'RoutingRulesSchema', additionalProperties: true }) },
  handle: async () => ok({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...RulesDocument }),
})

const RuleNames = Type.Array(Type.Object({ id: nullable(Type.String()), name: Type.String() }))

const RulesChanges = Type.Object(
  {
    version: Type.Integer({ description: 'The current version, which the document was compared with.' }),
    added: RuleNames,
    changed: RuleNames,
    removed: RuleNames,
    default_changed: Type.Boolean(),
    timezone: Type.Union([Type.Object({ from: Type.String(), to: Type.String() }), Type.Null()], {
      description: 'Null if it does not change.',
    }),
  },
  {
    title: 'RoutingRulesChanges',
    examples: [
      {
        version: 12,
        added: [{ id: null, name: 'Evanston condos above 600,000' }],
        changed: [],
        removed: [{ id: 'cmi8h0x2d0000q1w4e7r9t2y5', name: 'Luxury' }],
        default_changed: false,
        timezone: { from: 'America/New_York', to: 'America/Chicago' },
      },
    ],
  },
)

export const postRoutingRulesValidate = endpoint('POST /routing-rules/validate', {
  scope,
  summary: 'Validate routing rules',
  description:
    'Checks a document the way `PUT /routing-rules` does, and returns what it would change. Changes nothing.',
  body: RulesDocument,
  validateBody: readRules,
  readOnly: true,
  responses: { 200: RulesChanges },
  handle: async (ctx, { body }) => ok(await planRules(ctx, body)),
})

const version = {
  id: Type.String({ pattern: idPattern }),
  version: Type.Integer({ description: 'The number of the version. Decisions name it as `rules_version`.' }),
  actor: Type.Object(
    { type: Type.String(), id: nullable(Type.String()), name: Type.String() },
    { description: 'Who set these rules.' },
  ),
  created_at: Timestamp,
}

const exampleVersion = {
  id: 'cmi8h0x2d0003m5n7b9v1c3x5',
  version: 12,
  actor: { type: 'member', id: 'cmi8h2k5p0000y7w2d5g8j1m4', name: 'Ada Reyes' },
  created_at: '2026-11-20T20:11:04.817Z',
}

export const getRoutingRulesVersions = listEndpoint('GET /routing-rules/versions', {
  scope,
  summary: 'List the versions of the routing rules',
  description: 'Newest first. Omits the built-in rules, version 0.',
  item: Type.Object(version, { title: 'RoutingRulesVersion', examples: [exampleVersion] }),
  filters: ruleSetFilters,
  rows: (ctx, { query, page }) => listRuleSets(ctx.db, query, page),
})

export const getRoutingRulesVersion = endpoint('GET /routing-rules/versions/{id}', {
  scope,
  summary: 'Retrieve a version of the routing rules',
  description:
    'Versions never change. The `document` has no `version`. To go back to these rules, `PUT` the document.',
  fields: true,
  responses: {
    200: Type.Object(
      {
        ...version,
        document: RulesDocument,
      },
      {
        title: 'RoutingRulesVersionDetails',
        examples: [{ ...exampleVersion, document: rulesExample }],
      },
    ),
  },
  async handle(ctx, { params }) {
    const row = orNotFound(await findRuleSetById(ctx.db, params.id))
    const { version: number, ...document } = exportRules(ruleSetIn(row))
    const { id, actor, created_at } = row
    return ok({ id, version: row.version, actor, created_at, document })
  },
})
