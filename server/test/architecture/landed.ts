import { createHash } from 'node:crypto'

/** What is wrong with the migrations, by the list of those that have landed: `sha256  name` for each. */
export function landedIssues(list: string, migrations: ReadonlyMap<string, string | Buffer>): string[] {
  const landed = new Map(
    list
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('  ').toReversed() as [name: string, hash: string]),
  )
  const issues = [...landed].flatMap(([name, hash]) => {
    const content = migrations.get(name)
    if (content !== undefined && createHash('sha256').update(content).digest('hex') === hash) return []
    const what = content === undefined ? 'is missing' : 'was changed'
    return `${name} ${what}. It has landed: databases that have run it never run it again. Restore it, and put the change into a new migration.`
  })
  const added = [...migrations.keys()].filter((name) => !landed.has(name))
  return [
    ...issues,
    ...added.map(
      (name) =>
        `${name} is not in server/migrations.txt. When it is as it should land: (cd server/migrations && sha256sum ${name} >> ../migrations.txt)`,
    ),
  ]
}
