/** Something happened that must never happen. */
export class Violation extends Error {
  override name = 'Violation'
}

export function mustBe(holds: boolean, what: () => string): void {
  if (!holds) throw new Violation(what())
}
