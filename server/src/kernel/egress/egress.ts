import type { LookupFunction, Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Rules, Server } from './rules.ts'

export interface Address {
  address: string
  family: 4 | 6
}

export interface EgressOptions extends Rules {
  /** Resolves a host name. By default, queries the system's DNS servers. */
  resolve?: (hostname: string) => Promise<Address[]>
  /** Timeout of a whole exchange; 10,000 ms by default. */
  timeoutMs?: number
  /** An additional trusted certificate authority, as PEM. */
  ca?: string
}

/** The outcome of one POST. */
export interface Exchange {
  /**
   * HTTP status. Null if no complete response arrived within the timeout. A body is read up to 64 kB; a longer one
   * counts as complete.
   */
  status: number | null
  /** Whether a 2xx response arrived within the timeout. */
  ok: boolean
  /**
   * The first 1 kB of the response body, as text that PostgreSQL accepts: invalid UTF-8 and NUL are replaced with
   * U+FFFD. Null if no response arrived.
   */
  answer: string | null
  /** Why it failed, as a message for the customer's log. Null on success. */
  failure: string | null
  /** Milliseconds, an integer. */
  duration_ms: number
}

export interface Post {
  url: string
  headers: Record<string, string>
  body: string | Buffer
}

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PROPFIND'
  url: string
  headers: Record<string, string>
  body?: string
  /** If sending cannot begin within this time, nothing is sent at all. The time includes connecting. */
  startMs: number
  /** Maximum size of the response body in bytes; 512 kB by default. */
  maxBytes?: number
}

/** The result of one request. */
export interface Reply {
  /** HTTP status, whatever it is. Null if no complete response arrived within the timeout. */
  status: number | null
  /** Names are in lowercase. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The response body. A response whose body exceeds `maxBytes` is not complete. */
  body: Buffer
  /** Why there is no complete response. */
  failure: string | null
  /** Whether any byte of the request may have been sent. If false, none will be. */
  sent: boolean
}

export interface StreamRequest {
  method: 'GET' | 'PUT' | 'DELETE'
  url: string
  headers: Record<string, string>
  /** The headers must state its length. */
  body?: Readable
  /** In bytes. A longer response ends with an error, at most a megabyte later. */
  maxBytes: number
}

export interface StreamedReply {
  status: number
  /** Names are in lowercase. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The caller must read it to the end or destroy it. */
  body: Readable
}

/**
 * The only way to call addresses that people chose. The address must be allowed, and so must all addresses to which its
 * name resolves. Connections go to the addresses that were checked, so changing the name in between (DNS rebinding) has
 * no effect. Redirects are not followed, and nothing is sent twice.
 */
export interface Egress extends AsyncDisposable {
  /** The issue of a URL, or undefined. Checks only the text and does not use the network. */
  issueOf(url: string): string | undefined
  /**
   * The issue of a URL or of a server that does not speak HTTP. Like `issueOf`, but also resolves the name, for at most
   * 2 s. A name that resolves to a forbidden address is an issue. A name that does not resolve is not an issue, because
   * it may resolve later.
   */
  inspect(place: string | Server): Promise<string | undefined>
  /**
   * Opens a TCP connection to a server that does not speak HTTP. Rejects with an `EgressError`; with `AddressRejected`
   * if its address is not allowed, without connecting. The caller closes the socket.
   */
  connect(server: Server, signal: AbortSignal): Promise<Socket>
  /**
   * For a client that opens the connection itself: the lookup that it must use, which returns the addresses that were
   * checked. Rejects as `connect` does.
   */
  lookup(server: Server): Promise<LookupFunction>
  /**
   * Sends at most one request. Never throws. Calls back exactly once, in a later turn of the event loop and at most
   * 0.3 s after the timeout. The caller limits how many run at a time. It takes a callback instead of returning a
   * promise because a worker sends tens of thousands per second. If the callback throws, that is an uncaught
   * exception.
   */
  post(request: Post, done: (exchange: Exchange) => void): void
  /** Sends at most one request and returns its response. Never rejects, and ends at most 0.3 s after the timeout. */
  send(request: Request): Promise<Reply>
  /**
   * Sends at most one request, and streams its body and the response body because they are too large for memory.
   * Resolves when the response begins. Rejects if no response begins. Both streams end with an error if no data moves
   * for as long as the timeout.
   */
  stream(request: StreamRequest): Promise<StreamedReply>
}
