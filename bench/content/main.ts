import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { scanContent } from '@gable/server/src/modules/content/scan-content.ts'
import listing from '@gable/server/test/data/labelled-listing.json' with { type: 'json' }
import { readCases } from '@gable/server/test/data/read-cases.ts'
import { type Spread, spread } from '../statistics.ts'

const help = `Usage: npm run bench:content -- [options]

Measures the CPU time of the content scan on usual and on hostile texts, prints a page and keeps it in bench/content/CONTENT.md.
Needs no database.

  --quick       few rounds, no CONTENT.md: does it run?
  --rounds N    rounds of each text (15)
  --help        this text
`

const resultsFile = new URL('./CONTENT.md', import.meta.url)

const usual = readCases<{ text: string; expected: string | null }>('labelled-sentences')
  .filter(({ expected }) => expected === null)
  .map(({ text }) => text)
  .join(' ')
const hostile = [
  'no ',
  'n ',
  'perfect for a ',
  'no kids ',
  'a',
  'a!',
  'a.b.',
  '\u0301',
  '@',
  "n'",
  '1 a ',
  '$1,',
]
/** CPU microseconds per 1,000 characters, in rounds of about 100,000 characters. */
function time(text: string, context: object, rounds: number): Spread {
  const repeats = Math.ceil(100_000 / text.length)
  const scan = () => {
    const before = process.cpuUsage()
    for (let i = 0; i < repeats; i++) scanContent(text, context)
    const { user, system } = process.cpuUsage(before)
    return ((user + system) * 1000) / (repeats * text.length)
  }
  scan()
  return spread(Array.from({ length: rounds }, scan))
}

const figure = ({ median, least, greatest }: Spread) =>
  `${median.toFixed(0)} (${least.toFixed(0)}–${greatest.toFixed(0)})`

/** Measures the text at 4,000 and at 40,000 characters, and at 4,000 with facts and topics. */
function rowOf(name: string, part: string, rounds: number): string {
  const textOf = (length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length)
  const [short, long] = [time(textOf(4000), {}, rounds), time(textOf(40_000), {}, rounds)]
  const generated = time(textOf(4000), listing, rounds)
  return `| ${name} | ${figure(short)} | ${figure(long)} | ${(long.median / short.median).toFixed(2)} | ${figure(generated)} |`
}

const pageOf = (rounds: number) => `# Benchmark of the content scan

Made by \`npm run bench:content\` on ${new Date().toISOString().slice(0, 10)}; the next run overwrites this page.

- ${availableParallelism()} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}. One process, no database: \`scanContent\` is a function.
- CPU microseconds for 1,000 characters: medians of ${rounds} rounds after a warm-up, with the least and the greatest. The ratio is that of ten times the text; 1 is linear.
- The usual text is the harmless sentences of the labelled ones, in English and Spanish. Hostile ones repeat what makes rules begin. With facts, figures are looked for as well; the facts are read once.

| Text | 4,000 characters | 40,000 characters | Ratio | 4,000, with facts and topics |
| ---- | ---------------: | ----------------: | ----: | ---------------------------: |
${[['usual', usual] as const, ...hostile.map((part) => [`\`${JSON.stringify(part)}\` repeated`, part] as const)].map(([name, part]) => rowOf(name, part, rounds)).join('\n')}

The aim is at most 200 µs for 1,000 characters.
`

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) process.stdout.write(help)
else {
  const page = pageOf(Number(values.rounds ?? (values.quick ? 2 : 15)))
  process.stdout.write(page)
  if (!values.quick) await writeFile(resultsFile, page)
}
