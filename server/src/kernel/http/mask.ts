/**
 * Keeps of a record the top-level members that `fields` names, and `id` always. Names that a record lacks mean
 * nothing; of an empty `fields` the record stays whole.
 */
export function fieldMask(fields: string): (record: object) => object {
  const wanted = fields
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (wanted.length === 0) return (record) => record
  const kept = new Set(['id', ...wanted])
  return (record) => Object.fromEntries(Object.entries(record).filter(([name]) => kept.has(name)))
}
