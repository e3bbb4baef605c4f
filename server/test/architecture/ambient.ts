import type { Expression, PrivateIdentifier, PropertyKey } from 'oxc-parser'
import { type Source, at, isTest, literals, visit } from './source.ts'

/** SQL functions and keywords that read the server's clock. */
const sqlTime =
  /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(\s*\)|\b(?:current_timestamp|current_time|current_date|localtimestamp|localtime)\b/gi

const clock = 'server/src/kernel/clock.ts'
/** Compares with times that graphile-worker takes from PostgreSQL. */
const dueJobs = 'server/src/kernel/jobs/due-jobs.ts'
/** What processes share goes by PostgreSQL's clock. */
const sharedNow = 'server/src/kernel/db/shared-now.ts'
const config = 'server/src/config.ts'

/** Uses of the current time, in code or in SQL, that bypass the injected clock. */
export const ambientTime = (sources: readonly Source[]): string[] =>
  sources
    .filter((source) => ![clock, dueJobs, sharedNow].includes(source.path) && !isTest(source))
    .flatMap((source) => {
      const found: string[] = []
      const report = (offset: number, what: string) =>
        void found.push(at(source, offset, `${what}: the present comes from the clock that was handed in`))
      visit(source, {
        NewExpression: ({ callee, arguments: given, start }) => {
          if (callee.type === 'Identifier' && callee.name === 'Date' && given.length === 0)
            report(start, 'new Date()')
        },
        CallExpression: ({ callee, start }) => {
          if (callee.type === 'Identifier' && callee.name === 'Date') report(start, 'Date()')
        },
        MemberExpression: ({ object, property, start }) => {
          if (object.type !== 'Identifier' || property.type !== 'Identifier') return
          const name = `${object.name}.${property.name}`
          if (['Date.now', 'Temporal.Now', 'performance.timeOrigin'].includes(name)) report(start, name)
        },
      })
      for (const { text, offset } of literals(source))
        for (const [word] of text.matchAll(sqlTime)) report(offset, word)
      return found
    })

/** The same in a migration: a column default can read the clock too. */
export const migrationTime = (path: string, text: string): string[] => {
  const code = text.replaceAll(/--.*|\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
  return [...code.matchAll(sqlTime)].map((match) =>
    at({ path, text }, match.index, `${match[0]}: times are written by the server's clock`),
  )
}

/** Queues in which workers look for what is due across workspaces, and jobs. */
const sharedQueue = /\b(?:into|update) (?:outbox|webhook_deliveries|automation_lanes)\b|add_job/
/** A time before an expression, or a member with one, that says when a row of a queue is due. */
const dueBefore = /\b(?:due_at =|next_at =|run_at =>)(?: case [^;]* else)? $/
const dueMember = /\b(?:due_at|next_at): ([^\n]*)/
/** The machine's time, recognized by its name, or that of a lease. */
const isReal = /\.due\(|^real|^leaseEnd\(/

/** Times of tenant work that a shared queue gets without `WorkspaceClock.due`: in test mode they would come too late. */
export const workspaceDueTimes = (sources: readonly Source[]): string[] =>
  sources
    .filter((source) => !isTest(source) && !source.path.includes('.fixtures.'))
    .flatMap((source) => {
      const found: string[] = []
      visit(source, {
        TemplateLiteral: ({ quasis, expressions, start, end }) => {
          if (!sharedQueue.test(source.text.slice(start, end))) return
          for (const [i, expression] of expressions.entries()) {
            const written = source.text.slice(expression.start, expression.end)
            const before = (quasis[i]?.value.raw ?? '').replaceAll(/\s+/g, ' ')
            const due = dueBefore.test(before) ? written : dueMember.exec(written)?.[1]
            if (due !== undefined && !isReal.test(due))
              found.push(at(source, expression.start, `${due}: use the workspace's clock.due`))
          }
        },
      })
      return found
    })

/** Reads of the environment outside config.ts. */
export const ambientEnvironment = (sources: readonly Source[]): string[] =>
  sources
    .filter((source) => source.path !== config && !isTest(source))
    .flatMap((source) => {
      const found = source.imports
        .filter(
          ({ target, names }) =>
            /^(node:)?process$/.test(target) && (names.includes('env') || names.length === 0),
        )
        .map(({ offset }) => at(source, offset, 'only config.ts reads the environment'))
      const report = (start: number) =>
        void found.push(at(source, start, 'process.env: only config.ts reads the environment'))
      const isEnv = (key: Expression | PropertyKey | PrivateIdentifier) =>
        key.type === 'Identifier' ? key.name === 'env' : key.type === 'Literal' && key.value === 'env'
      const isProcess = (value: Expression | null) => value?.type === 'Identifier' && value.name === 'process'
      visit(source, {
        MemberExpression: ({ object, property, start }) => {
          if (isProcess(object) && isEnv(property)) report(start)
        },
        VariableDeclarator: ({ id, init, start }) => {
          if (!isProcess(init) || id.type !== 'ObjectPattern') return
          if (id.properties.some((one) => one.type === 'Property' && isEnv(one.key))) report(start)
        },
      })
      return found
    })

/** Statements of the form `void work()`: promises whose completion and errors are lost. */
export const forgottenPromises = (sources: readonly Source[]): string[] =>
  sources.flatMap((source) => {
    const found: string[] = []
    visit(source, {
      ExpressionStatement: ({ expression, start }) => {
        if (expression.type === 'UnaryExpression' && expression.operator === 'void') {
          found.push(at(source, start, 'a bare void promise: await it or return it'))
        }
      },
    })
    return found
  })
