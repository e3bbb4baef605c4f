import { type Source, at, isTest, visit } from './source.ts'

/** A template with SQL, with the file and the function or constant that holds it. */
export interface SqlTemplate {
  key: string
  /** The beginning of a message about it. */
  place: string
  /** As it is written, expressions included. */
  text: string
}

/** The templates in the files that hold SQL. */
export const templatesIn = (sources: readonly Source[]): SqlTemplate[] =>
  sources
    .filter((source) => !isTest(source) && /[/-](queries|journal)\.ts$/.test(source.path))
    .flatMap((source) => {
      const found: SqlTemplate[] = []
      const file = source.path.split('/').slice(-2).join('/')
      visit(source, {
        TaggedTemplateExpression: ({ start, end }) => {
          const holder =
            /(?:const|function\*?) (\w+)(?![\s\S]*\n(?:export )?(?:async )?(?:const|function\*?) )/.exec(
              source.text.slice(0, start),
            )
          const key = `${file} ${holder?.[1] ?? '?'}`
          found.push({ key, place: at(source, start, ''), text: source.text.slice(start, end) })
        },
      })
      return found
    })
