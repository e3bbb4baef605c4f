import { legs, ringMember } from '../voice/legs.ts'
import { officeGreeting } from '../voice/script.ts'
import {
  type CallEnd,
  type CarriedCall,
  type Party,
  type Switchboard,
  secondsOf,
} from '../voice/switchboard.ts'
import type { Callbacks } from './callbacks.ts'
import { type IncomingNumber, newSid } from './numbers.ts'
import { endStatuses } from './resource.ts'
import { type Verb, verbsIn } from './twiml.ts'

/** Handles calls from handsets: requests the number's TwiML and follows it. */
export function incomingCalls({
  switchboard,
  callbacks,
  tokenOf,
  now,
  origin,
}: {
  switchboard: Switchboard
  callbacks: Callbacks
  tokenOf: (account: string) => string
  now: () => Date
  origin: () => string
}): (number: IncomingNumber, from: string) => void {
  const { answer, end, say } = legs(now)

  return (number, from) =>
    callbacks.run(async () => {
      const { account, phoneNumber, voiceUrl, statusCallback } = number
      const party = switchboard.open()
      const id = newSid('CA')
      const caller = party.join({
        id,
        account,
        from,
        to: phoneNumber,
        more: { parent: id, member: phoneNumber, recording: null, isOutgoing: true },
      })
      const report = (url: string, form: Record<string, string>) =>
        callbacks.send(
          url,
          {
            AccountSid: account,
            ApiVersion: '2010-04-01',
            CallSid: id,
            Direction: 'inbound',
            From: from,
            To: phoneNumber,
            ...form,
          },
          tokenOf(account),
        )

      /** Reports that the recording is available. */
      async function record(url: string, seconds: number) {
        const recording = newSid('RE')
        caller.more['recording'] = recording
        await report(url, {
          RecordingSid: recording,
          RecordingUrl: `${origin()}/2010-04-01/Accounts/${account}/Recordings/${recording}`,
          RecordingStatus: 'completed',
          RecordingDuration: String(seconds),
        })
      }

      /** Follows TwiML, and the TwiML that its actions return, until the call ends. */
      async function follow(twiml: string): Promise<CallEnd> {
        for (const verb of verbsIn(twiml)) {
          if (verb.name === 'Reject') return 'declined'
          answer(caller)
          if (verb.name === 'Say') say(caller, 'agent', verb.text)
          if (verb.name === 'Dial') return dial(verb)
          if (verb.name === 'Record') return takeMessage(verb)
          if (verb.name === 'Hangup') break
        }
        return 'hung_up'
      }

      async function dial({ attributes, numbers: [rung] }: Verb): Promise<CallEnd> {
        if (rung === undefined) return 'hung_up'
        const leg = { id: newSid('CA'), account, from, to: rung.text, more: { parent: id, recording: null } }
        const member = party.join(leg)
        const reportLeg = async (status: string, more = {}) => {
          const url = rung.attributes['statusCallback'] ?? ''
          const of = { CallSid: member.id, ParentCallSid: id, To: rung.text, Direction: 'outbound-dial' }
          if (url !== '') await report(url, { ...of, CallStatus: status, ...more })
        }
        const how = await ringMember(switchboard, party, member)
        if (how === undefined) {
          answer(member)
          await reportLeg('in-progress')
          await talk(member)
        }
        end(member, how ?? 'hung_up')
        const seconds = String(secondsOf(member))
        if (how === undefined) {
          await reportLeg('completed', { CallDuration: seconds })
          const url = attributes['recordingStatusCallback'] ?? ''
          if (url !== '') await record(url, secondsOf(member))
        }
        const status = how === 'hung_up' ? 'canceled' : endStatuses[how ?? 'hung_up']
        const next = await report(attributes['action'] ?? '', {
          DialCallSid: member.id,
          DialCallStatus: status,
          DialCallDuration: seconds,
        })
        return how === 'hung_up' ? 'hung_up' : follow(next)
      }

      /** Runs the conversation until someone hangs up or no one speaks any more. */
      async function talk(member: CarriedCall): Promise<void> {
        const spoken = (by: CarriedCall, text: string) => {
          say(member, by === member ? 'user' : 'agent', text)
          say(caller, by === member ? 'agent' : 'user', text)
        }
        if (member.more['isAlone'] === true) spoken(member, officeGreeting)
        await hear(party, ({ call, text }) => spoken(call, text))
      }

      async function takeMessage({ attributes }: Verb): Promise<CallEnd> {
        const began = now().getTime()
        const before = caller.lines.length
        await hear(party, ({ text }) => say(caller, 'user', text))
        const seconds = Math.ceil((now().getTime() - began) / 1000)
        if (caller.lines.length > before) await record(attributes['recordingStatusCallback'] ?? '', seconds)
        return 'voicemail'
      }

      async function hear({ next }: Party, on: (said: { call: CarriedCall; text: string }) => void) {
        for (;;) {
          const pressed = await next(switchboard.patienceMs)
          if (pressed?.what.kind === 'key') continue
          if (pressed?.what.kind !== 'say') return
          on({ call: pressed.call, text: pressed.what.text })
        }
      }

      const twiml = voiceUrl === '' ? '' : await report(voiceUrl, { CallStatus: 'ringing' })
      end(caller, await follow(twiml))
      if (statusCallback !== '')
        await report(statusCallback, { CallStatus: 'completed', CallDuration: String(secondsOf(caller)) })
    })
}
