const started = performance.now()

/** Prints a line to standard error, with the time since the start. */
export function progress(line: string): void {
  const seconds = Math.round((performance.now() - started) / 1000)
  process.stderr.write(`${String(seconds).padStart(4)} s  ${line}\n`)
}
