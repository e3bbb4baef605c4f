import { type Command, Option } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group, workspaceOption } from '#kernel/cli/declare.ts'
import type { CommandOutput } from '#kernel/cli/output.ts'
import { recordText } from '#kernel/cli/presentation.ts'
import { progressDisplay } from '#kernel/cli/progress-display.ts'
import { readJson } from '#kernel/cli/read-file.ts'
import { type Since, sinceForms, sinceOf } from '#kernel/cli/since.ts'
import { listAllAgents } from './agent-queries.ts'
import { agentAt } from './agent.ts'
import { openTally } from './decide/backtest-tally.ts'
import type { Replayed } from './decide/backtest.ts'
import { countDecisionsAfter } from './decision-queries.ts'
import { withNames } from './names.ts'
import { replayDecisions } from './replay-decisions.ts'
import { draftRules } from './set-rules.ts'

interface Options {
  workspace?: string
  rules: string
  since: Since
  json?: true
}

const description = [
  'Replays the leads since then with the draft, oldest first, and compares how many each agent got and would have got. The',
  'facts of each lead are those of its arrival. Agents have their current availability, begin with no leads, and get them',
  'only from the replay. Offers stay offers, because no one knows who would have claimed them. Changes nothing.',
].join(' ')

export function addBacktestCommand(program: Command, cli: Cli): void {
  declare(group(program, 'routing-rules'), 'backtest', {
    summary: 'replay past leads with a draft of the rules',
    description,
    example: 'routing-rules backtest --rules draft.json --since 30d',
    json: 'print exactly one JSON value, with every lead',
  })
    .requiredOption('--rules <file>', 'the draft, as for `routing-rules update --data`; - for standard input')
    .addOption(new Option('--since <when>', sinceForms).argParser(sinceOf).makeOptionMandatory())
    .addOption(workspaceOption())
    .action(cli.run(run))
}

async function run(command: CommandRuntime, options: Options): Promise<CommandOutput> {
  const ctx = await command.workspace(options.workspace)
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
  const agents = await listAllAgents(ctx.db)
  // They are paused in the replay as well.
  const paused = agents.filter((row) => agentAt(row, ctx.clock.now()).paused).map(({ id }) => id)
  const { outcomes, ...result } = tally.result()
  const shown = { since: since.toISOString(), ...result, paused }
  const byOutcome = Object.entries(outcomes).map(([outcome, counts]) => ({ outcome, ...counts }))
  return {
    value: { ...shown, outcomes, leads },
    text: await withNames(ctx.db, recordText({ ...shown, outcomes: byOutcome })),
  }
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
