/**
 * The least CPU time of several rounds on this thread, in milliseconds: what else the machine does does not count. Ends
 * with the first round below `enough`. Short work is repeated, because the kernel counts in steps of some milliseconds.
 */
export async function cpuOf(work: () => unknown, enough = 1): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  let total = 0
  // The first round also compiles patterns, so it is never the only one.
  for (let round = 0; least > enough && (round < 2 || total < 500); round++) {
    const begin = process.threadCpuUsage()
    let spent = 0
    let times = 0
    do {
      await attempt(work)
      times++
      const { user, system } = process.threadCpuUsage(begin)
      spent = (user + system) / 1000
    } while (spent < 20 && spent / times > enough)
    least = Math.min(least, spent / times)
    total += spent
  }
  return least
}

/**
 * The mean CPU time of work that is repeated for a tenth of a second on this thread, in milliseconds. It is exact for short
 * work, too, and the collection of garbage is part of it.
 */
export async function meanCpuOf(work: () => unknown): Promise<number> {
  // The first time also compiles patterns and code.
  await attempt(work)
  const begin = process.threadCpuUsage()
  for (let times = 1; ; times++) {
    await attempt(work)
    const { user, system } = process.threadCpuUsage(begin)
    const spent = (user + system) / 1000
    if (times >= 3 && spent >= 100) return spent / times
  }
}

async function attempt(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch {
    // A rejection is a result, too.
  }
}

/** What one input may take on the thread that serves. */
export const servingMs = 50
