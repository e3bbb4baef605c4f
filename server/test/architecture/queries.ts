import { type Source, at, isTest, visit } from './source.ts'

/** A template that contains SQL, with its file and the function or constant that holds it. */
export interface SqlTemplate {
  key: string
  /** The beginning of a message about it. */
  place: string
  /** As written, including expressions. */
  text: string
}

/** The templates in all files that contain SQL. */
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
