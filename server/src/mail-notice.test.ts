import { expect, test } from 'vitest'
import { mailNotice } from './mail-notice.ts'

const mail = {
  id: 'c1',
  to: 'ada@lantern.example',
  subject: 'Set your password',
  text: 'Hello',
  links: ['http://127.0.0.1:8080/welcome?token=x'],
  page: 'http://127.0.0.1:8080/mail/c1',
}

test('a notice shows the recipient, the subject, the links, and where to read the whole email', () => {
  expect(mailNotice(mail)).toBe(
    '\nMail to ada@lantern.example: Set your password\n  http://127.0.0.1:8080/welcome?token=x\n  whole: http://127.0.0.1:8080/mail/c1\n',
  )
  expect(mailNotice({ ...mail, links: [], page: undefined })).toContain(
    'whole: npm run -s gable -- mail show c1\n',
  )
})

test('an email cannot inject control characters into the terminal', () => {
  const hostile = '\u001b]0;x\u0007\u001b[2J\r\n\u202eevil\u009b2J'
  const said = mailNotice({ ...mail, to: hostile, subject: hostile })
  expect(said.replaceAll('\n', '')).toMatch(/^\P{C}*$/u)
  expect(said.split('\n')).toHaveLength(5)
})
