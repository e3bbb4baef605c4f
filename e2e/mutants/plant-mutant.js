/**
 * Preloaded into every process of a test run (`NODE_OPTIONS`): loads one source file with one change. GABLE_MUTANT is the JSON of
 * `{ url, start, end, text }`.
 */
import { registerHooks } from 'node:module'

const { url, start, end, text } = JSON.parse(process.env.GABLE_MUTANT ?? '{}')

registerHooks({
  load(loading, context, nextLoad) {
    const loaded = nextLoad(loading, context)
    if (loading !== url) return loaded
    const source = String(loaded.source)
    return { ...loaded, source: source.slice(0, start) + text + source.slice(end) }
  },
})
