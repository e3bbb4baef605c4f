interface Progress {
  /** The current step of the work. */
  label: string
  done: number
  /** Omitted if the total is unknown. */
  total?: number
}

const barWidth = 28

/** Shows progress on standard error: a bar in a terminal, otherwise a line every two seconds. */
export function progressDisplay({ unit }: { unit: string }) {
  const out = process.stderr
  const pauseMs = out.isTTY ? 80 : 2000
  let label: string | undefined
  let startedAt = 0
  let shownAt = 0
  let lineOpen = false

  function show(progress: Progress): void {
    const now = performance.now()
    if (progress.label !== label) {
      label = progress.label
      startedAt = shownAt = now
    }
    const finished = progress.done === progress.total
    if (!finished && now - shownAt < pauseMs) return
    shownAt = now
    const seconds = (now - startedAt) / 1000
    const text = `${progress.label}  ${out.isTTY ? bar(progress) : ''}${numbers(progress, seconds, unit)}`
    out.write(out.isTTY ? `\r${text}\x1b[K${finished ? '\n' : ''}` : `${text}\n`)
    lineOpen = out.isTTY && !finished
  }

  return {
    show,
    /** Ends the line of a bar that did not reach 100%. */
    [Symbol.dispose]: () => void (lineOpen && out.write('\n')),
  }
}

function bar({ done, total }: Progress): string {
  if (total === undefined) return ''
  const full = total === 0 ? barWidth : Math.floor((done / total) * barWidth)
  return `[${'█'.repeat(full)}${'·'.repeat(barWidth - full)}]  `
}

function numbers({ done, total }: Progress, seconds: number, unit: string): string {
  const of = total === undefined ? '' : ` of ${total.toLocaleString('en-US')}`
  const counts = `${done.toLocaleString('en-US')}${of} ${unit}`
  return seconds < 0.5 ? counts : `${counts}, ${Math.round(done / seconds).toLocaleString('en-US')} a second`
}
