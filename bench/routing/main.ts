import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { compileRules } from '@gable/server/src/modules/routing/rules/compile-rules.ts'
import { progress } from '../progress.ts'
import { type Spread, spread } from '../statistics.ts'
import { type Work, findRules, possible, route, withoutIndex } from './measure.ts'
import { someAgents, someLeads, someRules } from './workload.ts'

const help = `Usage: npm run bench:routing -- [options]

Measures the CPU time of a routing decision with and without the index over the rules, and how it grows with their
number, prints a page and keeps it in bench/ROUTING.md. Needs no database.

  --quick       small numbers, no ROUTING.md: does it run?
  --rounds N    rounds of each case (9)
  --help        this text
`

const resultsFile = new URL('../ROUTING.md', import.meta.url)

interface Measured {
  count: number
  tried: number
  compileMs: number
  indexed: number[]
  naive: number[]
  found: number[]
  foundNaive: number[]
}

async function bench({ quick, rounds }: { quick: boolean; rounds: number }): Promise<void> {
  const leadCount = quick ? 500 : 10_000
  const agents = someAgents(200)
  const cases = [50, 500, 5000].map((count) => {
    const set = someRules(count, agents)
    const started = performance.now()
    const rules = compileRules(set)
    const compileMs = performance.now() - started
    const indexed: Work = { rules, leads: someLeads(leadCount, count), agents }
    const naive: Work = { ...indexed, rules: withoutIndex(rules) }
    const measured: Measured = {
      count,
      tried: possible(indexed),
      compileMs,
      indexed: [],
      naive: [],
      found: [],
      foundNaive: [],
    }
    return { indexed, naive, measured }
  })
  // The first round warms up. All rounds check that both assign every lead to the same agent.
  for (let round = 0; round <= rounds; round++) {
    for (const { indexed, naive, measured } of cases) {
      const [fast, slow] = [route(indexed), route(naive)]
      const [found, foundNaive] = [findRules(indexed), findRules(naive)]
      if (fast.assignees.some((id, i) => id !== slow.assignees[i]))
        throw new Error('The index changes a decision.')
      if (round === 0) continue
      measured.indexed.push(fast.cpuMicros)
      measured.naive.push(slow.cpuMicros)
      measured.found.push(found)
      measured.foundNaive.push(foundNaive)
      progress(
        `round ${round}, ${measured.count} rules: ${fast.cpuMicros.toFixed(1)} µs, without index ${slow.cpuMicros.toFixed(1)} µs`,
      )
    }
  }
  const page = pageOf(
    cases.map(({ measured }) => measured),
    leadCount,
    agents.length,
    rounds,
  )
  process.stdout.write(page)
  if (!quick) await writeFile(resultsFile, page)
}

const pageOf = (
  all: readonly Measured[],
  leads: number,
  agents: number,
  rounds: number,
) => `# Benchmark of routing

Made by \`npm run bench:routing\` on ${new Date().toISOString().slice(0, 10)}; the next run overwrites this page.

- ${availableParallelism()} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}. One process, no database: \`decideRoute\` is a function.
- ${leads.toLocaleString('en-US')} leads one after the other over ${agents} agents in ten teams, with shifts and caps; rules by zip, price, source and tag with all four rotations. Each lead is decided on what became of those before it.
- CPU time of the process a lead, in microseconds: medians of ${rounds} rounds after a warm-up, with the least and the greatest. The same leads with and without the index, in turns; a lead that the two give to different agents fails the run.
- Whatever the number of rules, three name the zip of a lead, and ten name nothing to be looked up by.

| Rules | Tried a lead | Decision | Without index | Finding the rule | Without index | Compiling, once, ms |
| ----: | -----------: | -------: | ------------: | ---------------: | ------------: | ------------------: |
${all.map(rowOf).join('\n')}

The aim is a decision below 1,000 µs with 500 rules and 200 agents.
`

const rowOf = ({ count, tried, compileMs, indexed, naive, found, foundNaive }: Measured) =>
  `| ${count.toLocaleString('en-US')} | ${tried.toFixed(1)} | ${[indexed, naive, found, foundNaive].map((times) => timesOf(spread(times))).join(' | ')} | ${compileMs.toFixed(1)} |`

const timesOf = ({ median, least, greatest }: Spread) =>
  `${median.toFixed(1)} (${least.toFixed(1)}–${greatest.toFixed(1)})`

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) process.stdout.write(help)
else await bench({ quick: values.quick, rounds: Number(values.rounds ?? (values.quick ? 1 : 9)) })
