import { type Command, Option } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { type CommandOutput, type Columns, tableOf } from '#kernel/cli/output.ts'
import { progressDisplay } from '#kernel/cli/progress-display.ts'
import { readJson } from '#kernel/cli/read-file.ts'
import { type Since, sinceForms, sinceOf } from '#kernel/cli/since.ts'
import type { Db } from '#kernel/db/handles.ts'
import { listAllAgents } from '../agent-queries.ts'
import { agentAt } from '../agent.ts'
import { type BacktestTally, openTally } from '../decide/backtest-tally.ts'
import type { Replayed } from '../decide/backtest.ts'
import { countDecisionsAfter } from '../decision-queries.ts'
import { replayDecisions } from '../replay-decisions.ts'
import { draftRules } from '../set-rules.ts'
import type { Names } from './names.ts'
import { type RoutingTarget, declareRouting } from './target.ts'

interface BacktestOptions {
  rules: string
  since: Since
  json?: true
}

const description = [
  'Replays the leads since then with the draft, oldest first, and compares how many each agent got and would have got. The',
  'facts of each lead are those of its arrival. Agents have their current availability, begin with no leads, and get them',
  'only from the replay. Offers stay offers, because no one knows who would have claimed them. Changes nothing.',
].join(' ')

export function addBacktestCommand(routing: Command, cli: Cli): void {
  declareRouting<BacktestOptions>(
    cli,
    routing,
    'backtest',
    {
      summary: 'replay past leads with a draft of the rules',
      description,
      example: 'routing backtest --workspace ID --rules draft.json --since 30d',
      json: 'print exactly one JSON value, with every lead',
    },
    run,
  )
    .requiredOption(
      '--rules <path>',
      'the draft, in the same format as for `routing set`; - for standard input',
    )
    .addOption(new Option('--since <when>', sinceForms).argParser(sinceOf).makeOptionMandatory())
}

async function run({ ctx, names, options }: RoutingTarget<BacktestOptions>): Promise<CommandOutput> {
  const rules = await draftRules(ctx, await readJson(options.rules))
  const since = options.since(ctx.clock.now())
  const total = await countDecisionsAfter(ctx.searches(), since)
  using progress = progressDisplay({ unit: 'decisions' })
  let done = 0
  function onRead(count: number): void {
    done = Math.min(done + count, total)
    progress.show({ label: 'Backtest', done, total })
  }
  const tally = openTally()
  const leads: ReturnType<typeof presentReplayed>[] = []
  for await (const replayed of replayDecisions(ctx.searches(), { rules, since, onRead })) {
    tally.add(replayed)
    if (options.json === true) leads.push(presentReplayed(replayed))
  }
  const result = tally.result()
  const paused = await pausedAt(ctx.db, ctx.clock.now())
  const value = { since: since.toISOString(), ...result, paused, leads }
  const note =
    paused.length === 0
      ? ''
      : `\n\nPaused at present, and so here as well: ${paused.map(names.of).join(', ')}.`
  return { value, text: textOf(result, since, names) + note }
}

/** Ids of the members who are paused now. */
async function pausedAt(db: Db, now: Date): Promise<string[]> {
  const agents = await listAllAgents(db)
  return agents.filter((row) => agentAt(row, now).paused).map(({ id }) => id)
}

/** Omits the lead's facts. */
const presentReplayed = ({ lead_id, decided_at, by_hand, was, would_be, differs }: Replayed) => ({
  lead_id,
  decided_at,
  by_hand,
  was,
  would_be,
  differs,
})

function textOf(result: BacktestTally, since: Date, names: Names): string {
  const { total, by_hand, erased, differ, outcomes, members, rules } = result
  const played = total - by_hand - erased
  const left = [
    ...(by_hand === 0 ? [] : [`${by_hand} left out that a person assigned`]),
    ...(erased === 0 ? [] : [`${erased} left out that were erased`]),
  ]
  const head = `${played} leads since ${since.toISOString()} were replayed${left.map((one) => `, ${one}`).join('')}.`
  if (played === 0) return head
  const others = Object.entries(outcomes)
    .map(([outcome, counts]) => ({ outcome, ...counts }))
    .filter(({ outcome, was, would_be }) => outcome !== 'assigned' && was + would_be > 0)
  return [
    `${head}\n${differ} of them (${Math.round((100 * differ) / played)} %) would have gone another way.`,
    tableOf(members, { agent: (row) => names.of(row.member_id), ...counts }, 'No agent got any.').text,
    ...(others.length === 0 ? [] : [tableOf(others, { 'not assigned': outcomeText, ...counts }, '').text]),
    tableOf(rules, { rule: (row) => row.name, ...counts }, 'No rule decided.').text,
  ].join('\n\n')
}

interface Counts {
  was: number
  would_be: number
}

const counts: Columns<Counts> = {
  was: (row) => String(row.was),
  'would be': (row) => String(row.would_be),
  difference: ({ was, would_be }) =>
    was === would_be ? null : `${would_be > was ? '+' : '−'}${Math.abs(would_be - was)}`,
}

const outcomeWords: Record<string, string> = {
  offered: 'offered for a time',
  pond: 'in a pond',
  held: 'held until the hours of its rule',
  unassigned: 'no agent was available',
}
const outcomeText = ({ outcome }: { outcome: string }) => outcomeWords[outcome] ?? outcome
