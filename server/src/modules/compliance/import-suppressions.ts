import type { CommandOutput } from '#kernel/cli/output.ts'
import { progressDisplay } from '#kernel/cli/progress-display.ts'
import { linesOf } from '#kernel/cli/read-file.ts'
import type { Ctx } from '#kernel/context.ts'
import { AppError } from '#kernel/errors.ts'
import { suppress } from './suppress.ts'
import { type SuppressionDraft, requireSound, subjectOf } from './suppression.ts'

/** Lines per transaction; each line takes locks. Finished batches stay committed, so an interrupted import can be repeated. */
const batchSize = 500

/** The most issues that are reported individually. */
const maxFaults = 100

interface LineFault {
  line: number
  message: string
}

/**
 * Suppresses the number or address of each line of a file, or of standard input for `-`. Skips blank lines and lines that
 * begin with #. Counts and reports bad lines; if there are any, the process exits with code 1.
 */
export async function importSuppressions(
  ctx: Ctx,
  file: string,
  what: Pick<SuppressionDraft, 'kind' | 'channels'>,
): Promise<CommandOutput> {
  using progress = progressDisplay({ unit: 'lines' })
  const counts = { lines: 0, suppressed: 0, unchanged: 0, refused: 0 }
  const faults: LineFault[] = []
  let batch: SuppressionDraft[] = []
  async function keep(): Promise<void> {
    if (batch.length === 0) return
    const changed = (await suppress(ctx, batch)).length
    counts.suppressed += changed
    counts.unchanged += batch.length - changed
    batch = []
  }
  let line = 0
  for await (const text of linesOf(file)) {
    line++
    const trimmed = text.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    counts.lines++
    const draft = draftOf(trimmed, what)
    if ('fault' in draft) {
      counts.refused++
      if (faults.length < maxFaults) faults.push({ line, message: draft.fault })
    } else batch.push(draft)
    if (batch.length === batchSize) await keep()
    progress.show({ label: 'Suppress', done: counts.lines })
  }
  await keep()
  // A script that runs this must be able to detect that some people can still be contacted.
  if (counts.refused > 0) process.exitCode = 1
  return outputOf(counts, faults)
}

function draftOf(
  text: string,
  what: Pick<SuppressionDraft, 'kind' | 'channels'>,
): SuppressionDraft | { fault: string } {
  try {
    const subject = subjectOf(text.includes('@') ? 'email' : 'phone', text)
    const draft = { subject, source: 'import', ...what } as const
    requireSound(draft)
    return draft
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { fault: error.body.details?.map(({ path, message }) => `${path} ${message}`).join(', ') ?? '' }
  }
}

function outputOf(
  counts: { lines: number; suppressed: number; unchanged: number; refused: number },
  faults: readonly LineFault[],
): CommandOutput {
  const number = (count: number) => count.toLocaleString('en-US')
  const { lines, suppressed, unchanged, refused } = counts
  const head = `${number(lines)} lines: ${number(suppressed)} suppressed, ${number(unchanged)} were already, ${number(refused)} not taken.`
  const more = refused > faults.length ? [`… and ${number(refused - faults.length)} more`] : []
  const bad = faults.map(({ line, message }) => `Line ${line}: ${message}`)
  return { value: { ...counts, faults }, text: [head, ...bad, ...more].join('\n') }
}
