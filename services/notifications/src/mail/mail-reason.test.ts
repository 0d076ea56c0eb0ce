/** Reasons of failed e-mails: causes that nodemailer reports with one code are distinguished, and the setting is named. */
import { expect, test } from 'vitest'
import { mailReason } from './send.client.js'

const thrown = (code: string, message: string) => Object.assign(new Error(message), { code })

test.each([
  [thrown('ESOCKET', 'self-signed certificate'), 'SMTP_CA_FILE'],
  [thrown('ESOCKET', 'connect ECONNREFUSED 127.0.0.1:25'), 'SMTP_PORT'],
  [thrown('ESOCKET', "Hostname/IP does not match certificate's altnames: Host: a"), 'SMTP_SERVER'],
  [thrown('EDNS', 'getaddrinfo ENOTFOUND mail.invalid'), 'SMTP_SERVER'],
  [thrown('EAUTH', 'Invalid login: 535 5.7.8'), 'SMTP_PASSWORD'],
  [thrown('ESOCKET', 'SSL routines:ssl3_get_record:wrong version number'), 'SMTP_TLS'],
  [thrown('ETIMEDOUT', 'Greeting never received'), 'SMTP_SERVER'],
])('%s is told with its setting', (error, setting) => {
  expect(mailReason(error)).toContain(setting)
})

test('an unknown cause has no reason, and texts of mail servers are not repeated', () => {
  expect(mailReason(thrown('EENVELOPE', '450 alice@mail.example is away'))).toBeNull()
  expect(mailReason(null)).toBeNull()
})
