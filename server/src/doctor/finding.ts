/** What a check found, and what to do about it. */
export interface CheckFinding {
  check: string
  /** What was checked, if the check has several subjects: a connection, a sender, a folder. */
  subject: string | null
  result: 'ok' | 'warning' | 'failed'
  found: string
  /** What to do, in one sentence. Null if nothing has to be done. */
  action: string | null
}

type Said = Pick<CheckFinding, 'result' | 'found' | 'action'>

export const fine = (found: string): Said => ({ result: 'ok', found, action: null })
export const warning = (found: string, action: string): Said => ({ result: 'warning', found, action })
export const failed = (found: string, action: string): Said => ({ result: 'failed', found, action })

export const finding = (check: string, said: Said, subject: string | null = null): CheckFinding => ({
  check,
  subject,
  ...said,
})

/** How long one check may take. */
export const checkMs = 15_000

/**
 * Runs a check. One that throws, or takes longer than `limitMs`, has failed; its work may go on, and its result is
 * ignored.
 */
export async function inTime(
  check: string,
  subject: string | null,
  work: (signal: AbortSignal) => Promise<CheckFinding[]>,
  limitMs = checkMs,
): Promise<CheckFinding[]> {
  const stop = new AbortController()
  const { promise: late, resolve } = Promise.withResolvers<CheckFinding[]>()
  const give = (said: Said) => [finding(check, said, subject)]
  const timer = setTimeout(
    () =>
      resolve(
        give(
          failed(
            `There is no result after ${limitMs / 1000} s.`,
            'Find out why it takes so long, such as a firewall that drops connections.',
          ),
        ),
      ),
    limitMs,
  )
  try {
    return await Promise.race([late, work(stop.signal).catch(broken(check, subject))])
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

/** The finding about a check that throws. */
export const broken =
  (check: string, subject: string | null) =>
  (error: unknown): CheckFinding[] => [
    finding(
      check,
      failed(error instanceof Error ? error.message : 'defect', 'Fix what it says, then check again.'),
      subject,
    ),
  ]
