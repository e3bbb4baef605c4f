import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type CommandOutput, type Columns, aligned, printing, tableOf } from '#kernel/cli/output.ts'
import { readJson } from '#kernel/cli/read-file.ts'
import type { Db } from '#kernel/db/handles.ts'
import { NotFound } from '#kernel/errors.ts'
import { ruleSetOf } from '../load-rules.ts'
import { type RuleSetRow, findRuleSet, findRulesVersion } from '../rule-set-queries.ts'
import { exportRules } from '../rules/parse-rules.ts'
import { readRules } from '../rules/read-rules.ts'
import { type RuleChanges, changesBetween } from '../rules/rule-changes.ts'
import { RulesDocument } from '../rules/rule-schema.ts'
import type { Rule } from '../rules/rule.ts'
import { planRules, replaceRules } from '../set-rules.ts'
import { addAgentCommands } from './agents.ts'
import { addBacktestCommand } from './backtest.ts'
import { changeLines, changeSummary } from './changes.ts'
import { type RoutingTarget, declareRouting } from './target.ts'
import { leadsText, methodText, poolText } from './words.ts'

const maxVersions = 200

export function addRoutingCommands(program: Command, cli: Cli): void {
  const routing = group(program, 'routing', 'who gets which leads: rules, and when agents take leads')

  declareRouting(
    cli,
    routing,
    'list',
    {
      summary: 'list the rules in the order in which Gable tries them',
      example: 'routing list --workspace ID',
    },
    list,
  )

  declareRouting<{ version?: number }>(
    cli,
    routing,
    'show',
    {
      summary: 'print the rules as a document for `set`',
      description: 'Edit the document, then apply it with `routing set`.',
      example: 'routing show --workspace ID > rules.json',
    },
    show,
  ).addOption(new Option('--version <number>', 'an earlier version').argParser(wholeNumber))

  declareRouting<{ limit: number }>(
    cli,
    routing,
    'history',
    {
      summary: 'list the versions of the rules, newest first, with their time, author, and changes',
      example: 'routing history --workspace ID',
    },
    history,
  ).addOption(
    new Option('--limit <number>', `how many to list, at most ${maxVersions}`)
      .default(20)
      .argParser(wholeNumber),
  )

  declareRouting<{ file: string; dryRun?: true }>(
    cli,
    routing,
    'set',
    {
      summary: 'replace the rules, and print what changed',
      description:
        'If the document has issues, the command prints them with their paths and changes nothing. The new rules apply starting with the next decision.',
      example: 'routing set --workspace ID --file rules.json --dry-run',
    },
    set,
  )
    .requiredOption('--file <path>', 'the document as JSON; - for standard input')
    .option('--dry-run', 'only check the document, and print what would change')

  declare(routing, 'schema', {
    summary: 'print the JSON Schema of a document of rules',
    description: 'Does not need a database.',
    example: 'routing schema > rules.schema.json',
  }).action(
    printing(async () => {
      const value = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...RulesDocument }
      return { value, text: JSON.stringify(value, null, 2) }
    }),
  )

  addBacktestCommand(routing, cli)
  addAgentCommands(routing, cli)
}

async function list({ ctx, names }: RoutingTarget<object>): Promise<CommandOutput> {
  const version = await findRulesVersion(ctx.db)
  const rules = await ruleSetOf(ctx.db, version)
  const columns: Columns<Rule> = {
    priority: (rule) => (rule === rules.default ? null : String(rule.priority)),
    name: (rule) => (rule === rules.default ? `${rule.name} (default)` : rule.name),
    method: (rule) => methodText(rule, names),
    pool: (rule) => poolText(rule.pool, names),
    version: (rule) => String(rule.version),
    enabled: (rule) => (rule.enabled ? 'yes' : 'no'),
    conditions: (rule) => (rule === rules.default ? 'that no rule matches' : leadsText(rule, names)),
  }
  const table = tableOf([...rules.rules, rules.default], columns, '').text
  const since = version === 0 ? 'The built-in rules; none were ever set.' : `Version ${version} of the rules.`
  return { value: rules, text: `${since} Times are those of ${rules.timezone}.\n\n${table}` }
}

async function show({ ctx, options }: RoutingTarget<{ version?: number }>): Promise<CommandOutput> {
  const current = await findRulesVersion(ctx.db)
  const { version = current } = options
  if (version !== 0 && version !== current) await requireVersion(ctx.db, version)
  const { version: made, ...rest } = exportRules(await ruleSetOf(ctx.db, version))
  // An earlier version omits its number, so that `routing set` accepts the document and goes back to it.
  const value = version === current ? { version: made, ...rest } : rest
  return { value, text: JSON.stringify(value, inOrder, 2) }
}

/** Puts the members of a test in the order in which people write them; the database keeps another order. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('operator' in value)) return value
  const test: object = value
  return { field: undefined, operator: undefined, ...test }
}

async function requireVersion(db: Db, version: number): Promise<RuleSetRow> {
  const row = await findRuleSet(db, version)
  if (row === undefined) throw NotFound(`The rules have no version ${version}.`)
  return row
}

async function history({ ctx, options }: RoutingTarget<{ limit: number }>): Promise<CommandOutput> {
  const versions = []
  let version = await findRulesVersion(ctx.db)
  let rules = await ruleSetOf(ctx.db, version)
  for (; version > 0 && versions.length < Math.min(options.limit, maxVersions); version--) {
    const { actor, created_at } = await requireVersion(ctx.db, version)
    const before = await ruleSetOf(ctx.db, version - 1)
    versions.push({ version, created_at, actor, ...changesBetween(before, rules) })
    rules = before
  }
  const columns: Columns<(typeof versions)[number]> = {
    version: (row) => String(row.version),
    since: (row) => row.created_at,
    by: (row) => row.actor.name,
    changes: changeSummary,
  }
  return tableOf(versions, columns, 'No rules were set yet: the built-in rules apply.')
}

async function set({ ctx, options }: RoutingTarget<{ file: string; dryRun?: true }>): Promise<CommandOutput> {
  const document = readRules(await readJson(options.file))
  const { version, ...planned } = await planRules(ctx, document)
  const dry = options.dryRun === true
  if (dry || changeLines(planned).length === 0) return outputOf(version, dry, planned)
  const rules = await replaceRules(ctx, document)
  const changes = changesBetween(await ruleSetOf(ctx.db, rules.version - 1), rules)
  return outputOf(rules.version, dry, changes)
}

function outputOf(version: number, dry: boolean, changes: RuleChanges): CommandOutput {
  const lines = changeLines(changes)
  const value = { version, dry_run: dry, ...changes }
  if (lines.length === 0) return { value, text: `Nothing to change: the document equals version ${version}.` }
  const head = dry
    ? 'The rules are valid. They would change:'
    : `Version ${version} of the rules is now in effect.`
  return { value, text: aligned([[head], ...lines.map((line) => [`  ${line}`])]) }
}

function wholeNumber(text: string): number {
  const number = Number(text)
  if (/^\d{1,6}$/.test(text) && number >= 1) return number
  throw new InvalidArgumentError('It must be a whole number, 1 or more.')
}
