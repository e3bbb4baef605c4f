import { type Command, Option } from 'commander'
import type { Db } from '#kernel/db/tenant.ts'
import {
  type BacktestTally,
  type Replayed,
  countDecisionsAfter,
  draftRules,
  listAvailability,
  openTally,
  replayDecisions,
} from '../modules/routing/public.ts'
import { progressDisplay } from '../seed/progress-display.ts'
import { type Answer, type Columns, listing } from './answer.ts'
import type { Names } from './routing-names.ts'
import { type Target, declareRouting, readJson } from './routing-target.ts'
import { type Since, sinceForms, sinceOf } from './since.ts'

interface BacktestOptions {
  rules: string
  since: Since
  json?: true
}

const description = [
  'Plays the leads since then by the draft, oldest first, and counts who would have got how many beside who did. What was',
  'known of each lead is what was known when it came. Agents take leads as they do at present, begin with none, and get',
  'them by the replay alone. Offers stay offers: nobody knows who would have claimed them. Changes nothing.',
].join(' ')

export function addBacktestCommand(routing: Command): void {
  declareRouting<BacktestOptions>(
    routing,
    'backtest',
    {
      summary: 'say who would have got past leads by a draft of rules',
      description,
      example: 'routing backtest --workspace ID --rules draft.json --since 30d',
      json: 'answer with exactly one JSON value, which has every lead',
    },
    run,
  )
    .requiredOption('--rules <path>', 'the draft, a document as `routing set` takes it; - for standard input')
    .addOption(new Option('--since <when>', sinceForms).argParser(sinceOf).makeOptionMandatory())
}

async function run({ ctx, names, options }: Target<BacktestOptions>): Promise<Answer> {
  const rules = await draftRules(ctx, await readJson(options.rules))
  const since = options.since(ctx.clock.now())
  const total = await countDecisionsAfter(ctx.searches, since)
  using progress = progressDisplay({ unit: 'decisions' })
  let done = 0
  function onRead(count: number): void {
    done = Math.min(done + count, total)
    progress.show({ label: 'Backtest', done, total })
  }
  const tally = openTally()
  const leads: ReturnType<typeof presentReplayed>[] = []
  for await (const replayed of replayDecisions(ctx.searches, { rules, since, onRead })) {
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

/** The members who take no leads now because of a pause. */
async function pausedAt(db: Db, now: Date): Promise<string[]> {
  const rows = await listAvailability(db)
  const isPaused = ({ paused, paused_until }: (typeof rows)[number]) =>
    paused && (paused_until === null || paused_until > now.toISOString())
  return rows.filter(isPaused).map(({ member_id }) => member_id)
}

/** Without what was known of the lead. */
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
  const head = `${played} leads since ${since.toISOString()} were played anew${left.map((one) => `, ${one}`).join('')}.`
  if (played === 0) return head
  const others = Object.entries(outcomes)
    .map(([outcome, counts]) => ({ outcome, ...counts }))
    .filter(({ outcome, was, would_be }) => outcome !== 'assigned' && was + would_be > 0)
  return [
    `${head}\n${differ} of them (${Math.round((100 * differ) / played)} %) would have gone another way.`,
    listing(members, { agent: (row) => names.of(row.member_id), ...counts }, 'Nobody got any.').text,
    ...(others.length === 0 ? [] : [listing(others, { 'nobody yet': outcomeText, ...counts }, '').text]),
    listing(rules, { rule: (row) => row.name, ...counts }, 'No rule decided.').text,
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
  unassigned: 'nobody could have it',
}
const outcomeText = ({ outcome }: { outcome: string }) => outcomeWords[outcome] ?? outcome
