import type { Dependencies } from '#kernel/module.ts'
import type { Cleared } from '../compliance/public.ts'
import type { FileDependencies } from '../files/public.ts'
import type { Failure, InboundUrl, SendOutcome } from '../messages/public.ts'
import type { Callback, Provider, ProviderAccount } from '../senders/public.ts'
import type { CallStatus, Disposition, TranscriptTurn, sentiments } from './call.ts'

export type { Callback, ProviderAccount } from '../senders/public.ts'
export type { SendOutcome } from '../messages/public.ts'
export type { CallStatus, Disposition, TranscriptTurn } from './call.ts'

/** A call to place. */
export interface OutgoingCall {
  /** Gable's ID. It travels with the call, and callbacks include it. */
  callId: string
  from: string
  to: string
  /** The member's number, which rings first. Null if the AI talks. */
  member: string | null
  /** Whether the call is recorded and announced as recorded. */
  recorded: boolean
  /** The AI's first words, which include the recording notice. Null if a member talks. */
  opening: string | null
}

/** A call to look up at the provider: it may have been placed, or it came in. Numbers are null if they were erased. */
export interface SoughtCall extends Pick<OutgoingCall, 'callId' | 'member'> {
  from: string | null
  to: string | null
  direction: 'INBOUND' | 'OUTBOUND'
  providerCallId: string | null
  /** When the call began. */
  since: Date
  /** Whether a different call already has this provider ID. */
  isAnother(providerCallId: string): Promise<boolean>
}

/**
 * Opens a cleared call for placing. Throws if the call was not cleared, was opened before, or its clearance has
 * expired.
 */
export type OpenClearedCall = (cleared: Cleared<OutgoingCall>, now: Date) => OutgoingCall

/** A provider's report about a call. Fields that the provider does not report are omitted. */
export interface CallReport {
  /** Gable's ID, if Gable placed the call. */
  callId: string | null
  providerCallId: string
  direction: 'INBOUND' | 'OUTBOUND'
  handledBy: 'ai' | 'human'
  from: string | null
  to: string | null
  status: Exclude<CallStatus, 'queued' | 'blocked' | 'unknown'>
  startedAt?: Date
  answeredAt?: Date
  endedAt?: Date
  durationSeconds?: number
  disposition?: Disposition
  /** Why the call failed. */
  error?: Failure
  transcript?: readonly TranscriptTurn[]
  /** Keys that the person pressed, one string for each time they entered some. */
  keys?: readonly string[]
  recordingUrl?: string
  /** True if the caller knowingly left the recording as a voicemail. */
  isVoicemail?: boolean
  /** The provider's analysis after the call. */
  analysis?: {
    summary: string | null
    /** A value outside Gable's list counts as `other`. */
    disposition: string | null
    sentiment: (typeof sentiments)[number] | null
    extracted: Record<string, unknown> | null
  }
}

/** How to route an incoming call. */
export interface IncomingRoute {
  /** The number of the member to ring. If null, or if no one answers, the caller can leave a message. */
  ring: string | null
  /** Whether the call is recorded and announced as recorded. */
  recorded: boolean
}

/** What happened when a member's phone was picked up for an outgoing call. */
export interface MemberConfirmation {
  /** Gable's ID. */
  callId: string
  providerCallId: string
  /** Whether the member pressed a key. A voicemail never does. */
  isConfirmed: boolean
  /** The response that continues the call, or ends it if `cleared` is undefined. */
  response(cleared: Cleared<OutgoingCall> | undefined): ResponseBody
}

/** The response body that a provider expects. */
export interface ResponseBody {
  type: string
  body: string
}

/** `response`: the body to return. For an incoming call it is a function of the route; see `VoiceCarrier`. */
type ParsedCallback =
  | {
      report: CallReport | undefined
      response: ResponseBody | ((route: IncomingRoute | undefined) => ResponseBody)
    }
  | { confirmation: MemberConfirmation }

/** A provider that carries calls. Adapters implement its protocol. */
export interface VoiceCarrier {
  /** Opens the cleared call and places it once. Never throws, and returns within 10 seconds. */
  place(account: ProviderAccount, cleared: Cleared<OutgoingCall>): Promise<SendOutcome>
  /**
   * Checks whether the provider accepts the credentials and knows the account. Never throws, and returns within 10
   * seconds.
   */
  test(account: ProviderAccount): Promise<'accepted' | 'rejected' | 'unknown_account' | 'unreachable'>
  /**
   * Where the provider reports calls that come in. Throws if it cannot be reached. The method is missing if that is set for
   * each number, and not for the account.
   */
  readInboundUrl?(account: ProviderAccount): Promise<InboundUrl>
  /**
   * Where the provider reports calls to a number, and that they ended. Undefined if the account does not have the number. Throws
   * if the provider cannot be reached. The method is missing if that is set for the account.
   */
  readNumberUrls?(account: ProviderAccount, number: string): Promise<readonly InboundUrl[] | undefined>
  /**
   * Parses a callback. Returns undefined if the provider's signature is invalid. `response` is the body to return. For
   * an incoming call it is a function of the route, which is undefined if the call involves no number of the workspace.
   */
  parse(account: ProviderAccount, callback: Callback): ParsedCallback | undefined | Promise<ParsedCallback>
  /**
   * Looks up a call at the provider: its status, and after it ends, its recording and the provider's analysis. Returns
   * undefined if the call isn't found or the provider is unreachable.
   */
  find(account: ProviderAccount, sought: SoughtCall): Promise<CallReport | undefined>
  /**
   * Downloads the recording at a URL that the provider reported. Returns `not_of_provider`, without a request, if the
   * URL is not the provider's. Throws if the recording can't be read.
   */
  fetchRecording(account: ProviderAccount, url: string): Promise<AsyncIterable<Buffer> | 'not_of_provider'>
  /** Deletes the call's recording and transcript at the provider. Returns true once nothing is left there. */
  erase(account: ProviderAccount, providerCallId: string): Promise<boolean>
}

/** Carriers by provider, for the providers that carry calls. */
export type VoiceCarriers = Readonly<Partial<Record<Provider, VoiceCarrier | undefined>>>

export interface CallDependencies extends Dependencies, FileDependencies {
  readonly voice: VoiceCarriers
}
