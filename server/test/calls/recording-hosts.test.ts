import { expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import type { Egress } from '#kernel/egress/egress.ts'
import { twilioAccount } from '#test/support/accounts.ts'
import { retellCarrier } from '../../src/adapters/retell/retell-carrier.ts'
import { twilioVoice } from '../../src/adapters/twilio/twilio-voice.ts'
import { open } from '../../src/modules/compliance/public.ts'

const asked: string[] = []
const options = {
  egress: {
    async stream({ url }: { url: string }) {
      asked.push(url)
      throw new Error('asked')
    },
  } as unknown as Egress,
  open,
  clock: systemClock,
  origin: () => 'https://gable.example.com',
  simulatedUrl: () => 'http://127.0.0.1:9',
}
const carriers = { retell: retellCarrier(options), twilio: twilioVoice(options) }
const account = { ...twilioAccount, name: 'AC1', simulated: false }

test.for([
  ['retell', 'https://dxc03zgurdly9.cloudfront.net/1/recording.wav', true],
  ['retell', 'https://retellai.s3.us-west-2.amazonaws.com/1/recording.wav', true],
  ['retell', 'https://other.s3.us-west-2.amazonaws.com/1/recording.wav', false],
  ['retell', 'https://x.retellai.s3.us-west-2.amazonaws.com/1/recording.wav', false],
  ['retell', 'recording.wav', false],
  ['retell', 'http://dxc03zgurdly9.cloudfront.net/1/recording.wav', false],
  ['retell', 'https://dxc03zgurdly9.cloudfront.net.example.com/recording.wav', false],
  ['retell', 'https://other.cloudfront.net/recording.wav', false],
  ['retell', 'https://169.254.169.254/latest/meta-data', false],
  ['twilio', 'https://api.twilio.com/2010-04-01/Accounts/AC1/Recordings/RE1', true],
  ['twilio', 'https://api.twilio.com/2010-04-01/Accounts/AC2/Recordings/RE1', false],
  ['twilio', 'https://api.twilio.com/2010-04-01/Accounts/AC1/Recordings/../../AC2/Recordings/RE1', false],
  ['twilio', 'Recordings/RE1', false],
  ['twilio', 'https://api.twilio.com.example.com/2010-04-01/Accounts/AC1/Recordings/RE1', false],
] as const)('a recording of %s at %s is requested: %s', async ([provider, url, isTheirs]) => {
  asked.length = 0
  const fetched = carriers[provider].fetchRecording(account, url)
  if (isTheirs) await expect(fetched).rejects.toThrow('asked')
  else expect(await fetched).toBe('not_of_provider')
  expect(asked).toEqual(isTheirs ? [url] : [])
})
