import { expect, test } from 'vitest'
import { parseMail } from './parse-mail.ts'

const own = 'mx.lantern.example'

/** What is known about the author of a mail with these results, the topmost first. */
async function known(headers: readonly string[], from = 'Sam <sam@mail.reyes.example>') {
  const lines = headers.map((one) => `Authentication-Results: ${one}`)
  const raw = ['Received: by a', ...lines, 'Received: by b', `From: ${from}`, 'To: a@b.example', '', 'Hello']
  const mail = await parseMail(Buffer.from(raw.join('\r\n')), null, [own, 'lantern.example'])
  return 'message' in mail ? mail.message.email?.authentication : mail
}

test.for([
  ['DMARC passes', 'dmarc=pass header.from=mail.reyes.example', 'pass'],
  ['DMARC passes, without a domain', 'dmarc=pass', 'pass'],
  ['DMARC passes for another domain', 'dmarc=pass header.from=evil.example', 'fail'],
  ['DMARC fails', 'dmarc=fail; spf=pass smtp.mailfrom=reyes.example', 'fail'],
  ['DMARC could not be checked', 'dmarc=temperror; dkim=pass header.d=reyes.example', 'fail'],
  ['DMARC passes and fails', 'dmarc=pass; dmarc=fail', 'fail'],
  ['DMARC passes and there is no policy', 'dmarc=none; dmarc=pass', 'fail'],
  ['SPF passes for a sibling domain', 'dmarc=none; spf=pass smtp.mailfrom=x@bounce.reyes.example', 'pass'],
  ['SPF passes for the domain alone', 'spf=pass smtp.mailfrom=reyes.example', 'pass'],
  ['SPF passes for another domain', 'dmarc=none; spf=pass smtp.mailfrom=sam@evil.example', 'fail'],
  ['SPF passes for the host alone', 'spf=pass smtp.helo=reyes.example', 'fail'],
  ['SPF passes for no domain', 'spf=pass', 'fail'],
  ['SPF fails', 'spf=softfail smtp.mailfrom=reyes.example', 'fail'],
  ['DKIM passes', 'dmarc=none; dkim=pass header.d=reyes.example header.b=Ab+/=', 'pass'],
  ['DKIM passes, and names the author alone', 'dkim=pass header.i=@Reyes.Example header.s=a', 'pass'],
  ['DKIM passes for another domain', 'dkim=pass header.d=evil.example header.i=@reyes.example', 'fail'],
  ['DKIM passes for a similar domain', 'dkim=pass header.d=evil-reyes.example', 'fail'],
  [
    'a second DKIM signature passes',
    'dkim=fail header.d=x.example; dkim=pass header.d=reyes.example',
    'pass',
  ],
  [
    'another method passes',
    'auth=pass smtp.auth=sam@reyes.example; iprev=pass policy.iprev=192.0.2.1',
    'fail',
  ],
  ['nothing was checked', 'none', 'fail'],
  [
    'results are spread over lines, with comments',
    '\r\n\tdmarc (a;\r\n (b\\)) c) =\r\n pass (p=none)',
    'pass',
  ],
  [
    'a result has a version and a reason',
    'DMARC/1=PASS reason="a; dmarc=fail \\" (" header.from=reyes.example',
    'pass',
  ],
  ['an envelope sender contains a result', 'spf=pass smtp.mailfrom="x; dmarc=pass"@evil.example', 'fail'],
  ['an envelope sender contains a mark', 'spf=pass smtp.mailfrom=x=evil.example@reyes.example', 'pass'],
  ['a property has two values', 'spf=pass smtp.mailfrom=a@evil.example smtp.mailfrom=reyes.example', 'fail'],
  ['a comment does not end', 'dmarc=pass (; dmarc=fail', 'fail'],
  ['a quote does not end', 'dmarc=pass reason="; dmarc=fail', 'fail'],
  ['a word is not a result', 'dmarc=pass; and more', 'fail'],
] as const)('if %s: %s is a %s', async ([, results, expected]) => {
  expect(await known([`${own}; ${results}`])).toBe(expected)
})

test.for([
  ['no header', [], 'none'],
  ['a foreign server', ['mx.evil.example; dmarc=pass'], 'none'],
  ['a host of ours that is not named', ['other.lantern.example; dmarc=pass'], 'none'],
  ['no server', ['dmarc=pass; spf=pass'], 'none'],
  ['our server in a comment', [`(${own};) mx.evil.example; dmarc=pass`], 'none'],
  ['our other ID', ['lantern.example; dmarc=pass'], 'pass'],
  ['our server in capitals, quoted, with a version', [`(a) "${own.toUpperCase()}" 1; dmarc=pass`], 'pass'],
  ['our server in an unknown version', [`${own} 2; dmarc=pass`], 'fail'],
  ['our server below a foreign one', ['mx.evil.example; dmarc=fail', `${own}; dmarc=pass`], 'pass'],
  ['one that was added below ours', [`${own}; dmarc=fail`, `${own}; dmarc=pass`], 'fail'],
  ['one that was added below ours, which cannot be read', [`${own}; (`, `${own}; dmarc=pass`], 'fail'],
] as const)('results of %s', async ([, headers, expected]) => {
  expect(await known(headers)).toBe(expected)
})

test.for([
  ['two authors', 'sam@reyes.example, eve@evil.example'],
  ['no author', ''],
])('a mail of %s is not verified', async ([, from]) => {
  expect(await known([`${own}; dmarc=pass header.from=reyes.example`], from)).toBe('fail')
})

test('customers of a host with one domain for all are different organizations', async () => {
  const results = [`${own}; dmarc=none; dkim=pass header.d=eve.github.io`]
  expect(await known(results, 'sam@sam.github.io')).toBe('fail')
  expect(await known(results, 'eve@mail.eve.github.io')).toBe('pass')
})
