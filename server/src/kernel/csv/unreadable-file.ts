/** Why a file cannot be read, from the line on. */
export class UnreadableFile extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}
