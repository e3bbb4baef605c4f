/** A word in a text, with its position. */
export interface Word {
  /** The id of the word in the vocabulary; 0 if no rule uses it. */
  id: number
  start: number
  end: number
  /** The number of its clause. No match extends beyond it. */
  clause: number
  /** Like `clause`, but also increases at a line that starts with a capital. Only matches of two words extend beyond it. */
  line: number
  /** Whether a comma, a colon, or a dash precedes it. */
  afterComma: boolean
}
