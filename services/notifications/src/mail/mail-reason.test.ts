/** Reasons of failed e-mails: causes that nodemailer reports with one code are distinguished, and the setting is named. */
import { type Log, readConfig } from '@murmuration/kernel'
import { startSmtpServer } from '@murmuration/testkit/outside/smtp-server'
import { expect, test } from 'vitest'
import { mailSettings } from '../mail-settings.js'
import { createMailClient, mailReason } from './send.client.js'

const thrown = (code: string, message: string) => Object.assign(new Error(message), { code })

test.each([
  [thrown('ESOCKET', 'self-signed certificate'), 'SMTP_CA_FILE'],
  [thrown('ESOCKET', 'connect ECONNREFUSED 127.0.0.1:25'), 'SMTP_PORT'],
  [thrown('ESOCKET', "Hostname/IP does not match certificate's altnames: Host: a"), 'SMTP_SERVER'],
  [thrown('EDNS', 'getaddrinfo ENOTFOUND mail.invalid'), 'SMTP_SERVER'],
  [thrown('EAUTH', 'Invalid login: 535 5.7.8'), 'SMTP_PASSWORD'],
  [thrown('ESOCKET', 'SSL routines:ssl3_get_record:wrong version number'), 'SMTP_TLS'],
  [thrown('ETIMEDOUT', 'Greeting never received'), 'SMTP_TLS'],
  [thrown('EPROTOCOL', 'Invalid greeting. response=HTTP/1.1 400 Bad Request'), 'SMTP_PORT'],
])('%s is told with its setting', (error, setting) => {
  expect(mailReason(error)).toContain(setting)
})

const refused = (command: string, text: string) =>
  Object.assign(new Error(`Refused: ${text}`), { code: 'EENVELOPE', command, responseCode: Number.parseInt(text, 10) })

test.each([
  ['CONN', '554 5.7.1 alice@mail.example is blocked', 'SMTP_SERVER'],
  ['EHLO', '550 5.7.1 no such name', 'SMTP_DOMAIN'],
  ['HELO', '501 no such name', 'SMTP_DOMAIN'],
  ['MAIL FROM', '530 5.7.0 Authentication required', 'SMTP_LOGIN'],
  ['MAIL FROM', '530 5.7.0 Must issue a STARTTLS command first', 'SMTP_ENABLE_STARTTLS'],
  ['MAIL FROM', '553 5.7.1 Sender address not owned by user', 'SMTP_FROM_ADDRESS'],
  ['MAIL FROM', '550 5.7.60 client has no permission to send as this sender', 'SMTP_FROM_ADDRESS'],
  ['RCPT TO', '554 5.7.1 <alice@mail.example>: Relay access denied', 'SMTP_LOGIN'],
  ['RCPT TO', '550 5.7.1 Unable to relay', 'SMTP_LOGIN'],
  ['RCPT TO', '530 5.7.1 Client was not authenticated', 'SMTP_LOGIN'],
  ['RCPT TO', '554 5.7.1 Client host rejected: Access denied', 'SMTP_SERVER'],
  ['RCPT TO', '550 relay not permitted', 'SMTP_LOGIN'],
  ['RCPT TO', '550 <alice@mail.example>: Relaying denied', 'SMTP_LOGIN'],
  ['RCPT TO', '550 Authentication required', 'SMTP_LOGIN'],
])('a refused %s (%s) concerns this server, and is told with its setting', (command, text, setting) => {
  const reason = mailReason(refused(command, text))
  expect(reason).toContain(setting)
  expect(reason).not.toContain('@')
})

test.each([
  ['RCPT TO', '550 5.1.1 no such user'],
  ['RCPT TO', '550 5.1.1 <relay@far.example>: User unknown'],
  ['RCPT TO', '550-5.1.1 relay: no such user'],
  ['RCPT TO', '550 <starttls@far.example>: User unknown'],
  ['RCPT TO', '550 no such user: authenticate@far.example'],
  ['RCPT TO', '550 no such user: relay'],
  ['RCPT TO', '554 5.7.1 <tls@relay.example>: Access denied'],
  ['RCPT TO', '550 5.2.1 relay.far.example said: mailbox disabled'],
  ['RCPT TO', '554 5.7.1 relay.far.example said: message refused'],
  ['RCPT TO', '554 5.4.0 mx.far.example said: 550 5.1.1 User unknown, see our relay'],
  ['MAIL FROM', '552 5.3.4 message too large'],
  ['DATA', '554 5.7.1 spam'],
])('a refused %s (%s) concerns one e-mail', (command, text) => {
  expect(mailReason(refused(command, text))).toBeNull()
})

test('a temporary refusal is told as such', () => {
  expect(mailReason(refused('MAIL FROM', '451 4.3.0 try later'))).toContain('later')
})

test('an unknown cause has no reason, and texts of mail servers are not repeated', () => {
  expect(mailReason(thrown('EENVELOPE', 'alice@mail.example is away'))).toBeNull()
  expect(mailReason(null)).toBeNull()
})

test('an e-mail to a server that requires a login is retryable, and the missing setting is logged', async () => {
  const server = await startSmtpServer({ credentials: { user: 'a', password: 'b' } })
  const lines: string[] = []
  const client = createMailClient({
    config: readConfig(mailSettings, { SMTP_SERVER: server.host, SMTP_PORT: String(server.port) }) as never,
    localDomain: 'here.example',
    production: true,
    siteTitle: () => 'Here',
    log: { warn: (line: string) => lines.push(line) } as unknown as Log,
  })
  const mail = {
    id: '1',
    to: 'alice@mail.example',
    subject: 'Hello',
    text: 'Hello',
    html: '<p>Hello</p>',
    at: new Date(),
  }
  await expect(client.send(mail)).rejects.toMatchObject({ code: 'unavailable' })
  expect(lines).toEqual([expect.stringContaining('it requires a login: see SMTP_LOGIN and SMTP_PASSWORD')])
  client.close()
  await server.close()
})
