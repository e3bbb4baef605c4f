import type { Static, TSchema } from 'typebox'
import type { Statement } from './pipeline-batch.ts'

/**
 * The members whose records the caller may read and write, or `all`. To the caller, a record out of reach does not
 * exist, just like a record of another workspace.
 */
export type Reach = 'all' | readonly string[]

/** A template tag that runs its SQL. Also takes a prepared `Statement`: `many(Row)(statement)`. */
export interface SqlTag<R> {
  (statement: Statement): R
  (text: TemplateStringsArray, ...values: unknown[]): R
}

/** Queries by row schema: ``db.many(ContactRow)`select … from contacts` ``. Tests check every row against its schema. */
export interface Queries {
  many<R extends TSchema>(row: R): SqlTag<Promise<Static<R>[]>>
  /** The only row, or undefined. Throws if there is more than one row, which is a bug in the query. */
  maybeOne<R extends TSchema>(row: R): SqlTag<Promise<Static<R> | undefined>>
  /** Exactly one row. Throws otherwise. */
  one<R extends TSchema>(row: R): SqlTag<Promise<Static<R>>>
  /** Runs a statement that returns no rows. Returns the number of rows it affected. */
  readonly run: SqlTag<Promise<number>>
}

interface Writes {
  /**
   * Writes without waiting for the result: the statement travels with the next query, or with the COMMIT at the
   * latest. Order is kept, and a statement that fails rolls back the whole transaction. For query files only.
   */
  readonly write: SqlTag<void>
  /** Sends pending writes now, for callers that must know before the commit whether the writes succeed. */
  flush(): Promise<void>
}

/** Reads tables of one workspace. Every statement names the workspace; row-level security enforces it as well. */
export interface Db extends Queries {
  readonly workspaceId: string
  /** Whose records its statements may touch. Every statement on a table of records must apply it; see `within`. */
  readonly reach: Reach
}

/**
 * Queries directory tables: workspaces, people, sessions, credentials, mails. It cannot see rows of workspace tables
 * and is not a `Db`.
 */
export interface DirectoryDb extends Queries {
  /**
   * Marks handles that may query the directory, so that the compiler rejects a workspace's handle for reads in their
   * place.
   */
  readonly directory: true
}

/** A transaction on directory tables. */
export interface DirectoryTx extends DirectoryDb, Writes {}

/**
 * A transaction in one workspace. In separate statements, it may also write directory tables, for changes that must
 * commit together, such as a member and the person who signs in.
 */
export interface WorkspaceTx extends Db, DirectoryTx {
  /** Whether to check rows against their schemas, and writes against the locks that they need. On in tests. */
  readonly checked: boolean
  /**
   * The same transaction with unlimited reach, for system work beyond the caller's reach: matching a lead to an
   * existing contact, routing it, running subscribers. First find what the caller named, within the caller's reach.
   */
  unrestricted(): WorkspaceTx
}

/** The directory. Each query outside `transaction` commits by itself. */
export interface Directory extends DirectoryDb {
  /** Commits when `work` returns, rolls back when it throws. */
  transaction<T>(work: (tx: DirectoryTx) => Promise<T>): Promise<T>
}
