/**
 * npm run test:mutants: changes one decision of the product at a time and runs the tests that should notice. Prints what share of the
 * changes each area's tests notice, and each change that they do not.
 */
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type Area, areas } from './areas.ts'
import { type Mutant, mutantsOf } from './mutants-of.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const preload = new URL('./plant-mutant.js', import.meta.url).href

/** How much longer than the unchanged code the tests may take with a mutant, which may loop forever. */
const patience = 5
const leastMs = 30_000

const help = `Usage: npm run test:mutants -- [options]

Changes one decision of the product at a time (a comparison, a condition, an argument) and runs the tests that should notice.

  --area NAME    one of ${areas.map(({ name }) => name).join(', ')}; may be repeated (all)
  --count N      mutants in each area, chosen by the seed (40)
  --seed N       which ones (random; printed)
  --minutes N    start no further mutant after this time (90)
  --list         print the mutants without running the tests
  --help         this text
`

const { values: options } = parseArgs({
  options: {
    area: { type: 'string', multiple: true },
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    minutes: { type: 'string', default: '90' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

interface Planted extends Mutant {
  path: string
  source: string
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Some mutants of an area, in random order. */
function sampleOf({ files }: Area, count: number, random: () => number): Planted[] {
  const paths = globSync([...files], { cwd: root }).filter(
    (path) => !/\.test\.ts$|\.fixtures\.ts$|-command\.ts$/.test(path),
  )
  if (paths.length === 0) throw new Error(`No file is called ${files.join(' or ')}.`)
  const all = paths.toSorted().flatMap((path) => {
    const source = readFileSync(root + path, 'utf8')
    return mutantsOf(path, source).map((mutant) => ({ ...mutant, path, source, at: random() }))
  })
  return all.toSorted((one, other) => one.at - other.at).slice(0, count)
}

/** Runs an area's tests with a mutant, or with none. Returns whether they pass, and how long they took. */
function runTests(
  { tests }: Area,
  mutant: Planted | undefined,
  limitMs: number,
): Promise<{ passed: boolean; ms: number }> {
  const began = performance.now()
  const planted = mutant && {
    NODE_OPTIONS: `--import ${preload}`,
    GABLE_MUTANT: JSON.stringify({
      ...mutant,
      url: pathToFileURL(root + mutant.path).href,
      source: undefined,
    }),
  }
  const child = spawn(process.execPath, [vitest, 'run', ...tests, '--bail=1', '--reporter=dot'], {
    cwd: root,
    // The files of all suites. A few lives are enough for most mutants of the engine.
    env: { ...process.env, GABLE_AUTOMATION_SEEDS: '20', ...planted },
    stdio: 'ignore',
    detached: true,
  })
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      // The whole group: the test runner has started a database and workers.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    }, limitMs)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ passed: code === 0, ms: performance.now() - began })
    })
  })
}

function describeMutant({ path, source, start, end, text, kind }: Planted): string {
  const line = source.slice(0, start).split('\n').length
  const shorten = (code: string) => code.replaceAll(/\s+/g, ' ').slice(0, 80)
  return `${relative(root, root + path)}:${line}: ${kind}: \`${shorten(source.slice(start, end))}\` → \`${shorten(text)}\``
}

async function main(): Promise<void> {
  if (options.help) return void process.stdout.write(help)
  const names = options.area ?? areas.map(({ name }) => name)
  const unknown = names.filter((name) => !areas.some((area) => area.name === name))
  if (unknown.length > 0) throw new Error(`There is no area ${unknown.join(', ')}.`)
  const deadline = performance.now() + Number(options.minutes) * 60_000
  console.log(`seed ${options.seed}`)
  const rows: string[] = []
  const chosen = areas.filter(({ name }) => names.includes(name))
  for (const [index, area] of chosen.entries()) {
    const sample = sampleOf(area, Number(options.count), randomOf(Number(options.seed)))
    if (options.list) {
      for (const mutant of sample) console.log(describeMutant(mutant))
      continue
    }
    const whole = await runTests(area, undefined, 30 * 60_000)
    if (!whole.passed) throw new Error(`The tests of ${area.name} fail without a mutant.`)
    // Each area gets its share of the time that is left.
    const until = performance.now() + (deadline - performance.now()) / (chosen.length - index)
    const survivors: string[] = []
    let run = 0
    for (const mutant of sample) {
      if (performance.now() > until) break
      run++
      const { passed } = await runTests(area, mutant, Math.max(leastMs, whole.ms * patience))
      if (passed) {
        survivors.push(describeMutant(mutant))
        console.log(`survives: ${describeMutant(mutant)}`)
      }
    }
    const killed = run - survivors.length
    rows.push(
      `| ${area.name} | ${killed} of ${run} | ${run === 0 ? '–' : Math.round((100 * killed) / run)} % |`,
    )
    console.log(`${area.name}: ${killed} of ${run} noticed`)
  }
  if (options.list) return
  console.log(['', '| Area | Noticed | Share |', '|---|---|---|', ...rows].join('\n'))
}

await main()
