import type { Dependencies } from '#kernel/module.ts'
import type { Cleared } from '../compliance/public.ts'
import type { FileDependencies } from '../files/public.ts'
import type { Failure, SendOutcome } from '../messages/public.ts'
import type { Callback, Provider, ProviderAccount } from '../senders/public.ts'
import type { CallStatus, Disposition, TranscriptTurn, sentiments } from './call.ts'

export type { Callback, ProviderAccount } from '../senders/public.ts'
export type { SendOutcome } from '../messages/public.ts'
export type { CallStatus, Disposition, TranscriptTurn } from './call.ts'

/** A call as it is placed. */
export interface OutgoingCall {
  /** Ours. It travels with the call; callbacks name it. */
  callId: string
  from: string
  to: string
  /** The number of the member, which rings first. Null where the AI talks. */
  member: string | null
  /** Whether it is recorded, and announced so. */
  recorded: boolean
  /** What the AI says first; it announces the recording, too. Null where a member talks. */
  opening: string | null
}

/** A call that may have been placed, or has come in. */
export interface SoughtCall extends Pick<OutgoingCall, 'callId' | 'from' | 'to' | 'member'> {
  direction: 'INBOUND' | 'OUTBOUND'
  providerCallId: string | null
  /** When it began. */
  since: Date
  /** Whether another call has this ID of the provider. */
  isAnother(providerCallId: string): Promise<boolean>
}

/** Opens a call to place it now. Throws if it was not cleared, was opened before, or its clearance has expired. */
export type OpenClearedCall = (cleared: Cleared<OutgoingCall>, now: Date) => OutgoingCall

/** What a provider reports of a call. What it does not say is left out. */
export interface CallReport {
  /** Ours, if the call is. */
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
  /** Why it failed. */
  error?: Failure
  transcript?: readonly TranscriptTurn[]
  /** What the person pressed on their phone: the keys of each time together. */
  keys?: readonly string[]
  recordingUrl?: string
  /** The caller left the recording as a message, and knows that it is one. */
  isVoicemail?: boolean
  /** What the provider made of the call once it was over. */
  analysis?: {
    summary: string | null
    /** One that is not in our list counts as `other`. */
    disposition: string | null
    sentiment: (typeof sentiments)[number] | null
    extracted: Record<string, unknown> | null
  }
}

/** How a call that came in goes on. */
export interface IncomingRoute {
  /** The number of the member whose phone rings. Where there is none, or no one answers, the caller can leave a message. */
  ring: string | null
  /** Whether it is recorded, and announced so. */
  recorded: boolean
}

/** What a member did who picked up for a call that was placed. */
export interface MemberConfirmation {
  /** Ours. */
  callId: string
  providerCallId: string
  /** Whether they pressed a key: a voicemail presses none. */
  isConfirmed: boolean
  /** How the call goes on; undefined where it ends. */
  response(cleared: Cleared<OutgoingCall> | undefined): ResponseBody
}

/** What a provider wants to read in response. */
export interface ResponseBody {
  type: string
  body: string
}

/** A provider that carries calls. The adapter speaks its protocol. */
export interface VoiceCarrier {
  /** Opens the call and places it, once. Never throws, and is done within 10 seconds. */
  place(account: ProviderAccount, cleared: Cleared<OutgoingCall>): Promise<SendOutcome>
  /** Asks whether the credentials are accepted, and whether the account is there. Never throws, and is done within 10 seconds. */
  test(account: ProviderAccount): Promise<'accepted' | 'rejected' | 'unknown_account' | 'unreachable'>
  /**
   * What a callback says, or undefined if its signature is not the provider's. `response`: the body, where one is asked for. Of a
   * call that came in it depends on where the call goes; undefined where it is with no number of ours.
   */
  parse(
    account: ProviderAccount,
    callback: Callback,
  ):
    | {
        report: CallReport | undefined
        response: ResponseBody | ((route: IncomingRoute | undefined) => ResponseBody)
      }
    | { confirmation: MemberConfirmation }
    | undefined
  /** Looks for a call of ours. Undefined if it is not found, or the provider cannot be reached. */
  find(account: ProviderAccount, sought: SoughtCall): Promise<CallReport | undefined>
  /** The recording at a URL that the provider reported. Throws `NotOfProvider` for a URL elsewhere, and where it cannot be read. */
  fetchRecording(account: ProviderAccount, url: string): Promise<AsyncIterable<Buffer>>
  /** Removes the call's recording and what was said from the provider. True if nothing is left of them there. */
  erase(account: ProviderAccount, providerCallId: string): Promise<boolean>
}

/** Of the providers that carry calls. */
export type VoiceCarriers = Readonly<Partial<Record<Provider, VoiceCarrier | undefined>>>

export interface CallDependencies extends Dependencies, FileDependencies {
  readonly voice: VoiceCarriers
}
