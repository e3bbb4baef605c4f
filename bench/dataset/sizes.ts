export interface Scale {
  database: string
  contacts: number
  workspaces: number
}

/**
 * The number of contacts of each workspace, largest first: a tenth in one workspace, and the rest in slowly
 * decreasing sizes.
 */
export function workspaceSizes({ contacts, workspaces }: Scale): number[] {
  const largest = Math.round(contacts / 10)
  const weights = Array.from({ length: workspaces - 1 }, (_, i) => 1 / (i + 11))
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const others = weights.map((weight) => Math.floor(((contacts - largest) * weight) / whole))
  const left = contacts - largest - others.reduce((sum, size) => sum + size, 0)
  return [largest, ...others.map((size, i) => (i < left ? size + 1 : size))]
}
