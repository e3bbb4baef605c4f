/**
 * Returns a function that keeps the top-level members of a record that `fields` names, and always `id`. Ignores
 * unknown names. If `fields` is empty, the record stays whole.
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
