/** Reasons of failed e-mails: causes that nodemailer reports with one code are distinguished, and the setting is named. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { type Log, readConfig } from '@murmuration/kernel'
import { createAuthority } from '@murmuration/testkit/outside/certificate-authority'
import { startSmtpServer } from '@murmuration/testkit/outside/smtp-server'
import { expect, test } from 'vitest'
import { mailSettings } from '../mail-settings.js'
import { mailReason } from './reason.rules.js'
import { createMailClient } from './send.client.js'

const thrown = (code: string, message: string) => Object.assign(new Error(message), { code })

test.each([
  [thrown('ESOCKET', 'self-signed certificate'), 'SMTP_CA_FILE'],
  [thrown('ESOCKET', 'connect ECONNREFUSED 127.0.0.1:25'), 'SMTP_PORT'],
  [thrown('ESOCKET', "Hostname/IP does not match certificate's altnames: Host: a"), 'SMTP_SERVER'],
  [thrown('EDNS', 'getaddrinfo ENOTFOUND mail.invalid'), 'SMTP_SERVER'],
  [thrown('EAUTH', 'Invalid login: 535 5.7.8'), 'SMTP_PASSWORD'],
  [thrown('EAUTH', 'Invalid login: 535 5.7.8 Error: authentication failed'), 'SMTP_PASSWORD'],
  [thrown('EAUTH', 'Invalid login: 530 5.7.0 Must issue a STARTTLS command first'), 'SMTP_ENABLE_STARTTLS'],
  [thrown('EAUTH', 'Invalid login: 538 5.7.11 Encryption required for requested mechanism'), 'SMTP_TLS'],
  [thrown('ESOCKET', 'SSL routines:ssl3_get_record:wrong version number'), 'SMTP_TLS'],
  [thrown('ETIMEDOUT', 'Greeting never received'), 'SMTP_TLS'],
  [thrown('ETLS', 'Error upgrading connection with STARTTLS: 502 5.5.1 unknown'), 'no STARTTLS'],
  [thrown('ETLS', 'Connection closed unexpectedly'), 'before TLS was established'],
  [
    thrown('ESOCKET', 'Client network socket disconnected before secure TLS connection was established'),
    'before TLS was established',
  ],
  [thrown('ETLS', 'Error initiating TLS - self-signed certificate'), 'SMTP_CA_FILE'],
  [thrown('ETLS', 'Error initiating TLS - unsupported protocol'), 'TLS 1.2'],
  [thrown('ETLS', 'Error initiating TLS - bad extension'), 'TLS with it cannot be established'],
  [thrown('ESOCKET', 'SSL routines:ssl_choose_client_version:unsupported protocol'), 'TLS 1.2'],
  [thrown('ESOCKET', 'SSL routines:ssl3_read_bytes:tlsv1 alert protocol version'), 'TLS 1.2'],
  [thrown('ESOCKET', 'SSL routines:ssl3_read_bytes:ssl/tls alert handshake failure'), 'ciphers'],
  [thrown('ESOCKET', 'SSL routines:tls_process_ske_dhe:dh key too small'), 'keys'],
  [thrown('ESOCKET', 'EE certificate key too weak'), 'keys'],
  [thrown('ESOCKET', 'certificate is not yet valid'), 'clock'],
  [thrown('ESOCKET', 'certificate has expired'), 'expired'],
  [thrown('ESOCKET', 'certificate revoked'), 'revoked'],
  [thrown('ESOCKET', 'certificate signature failure'), 'SMTP_CA_FILE'],
  [thrown('ESOCKET', 'connect EACCES 192.0.2.1:587'), 'SMTP_PORT'],
  [thrown('ESOCKET', 'connect EPERM 192.0.2.1:587'), 'firewall'],
  [thrown('ESOCKET', 'connect EADDRNOTAVAIL 192.0.2.1:587'), 'no free port'],
  [Object.assign(thrown('ESOCKET', 'read'), { originalCode: 'ECONNRESET' }), 'SMTP_TLS'],
  [thrown('EPROTOCOL', 'Invalid greeting. response=HTTP/1.1 400 Bad Request'), 'SMTP_PORT'],
])('the reason of %s names the setting', (error, setting) => {
  expect(mailReason(error)).toContain(setting)
})

const refused = (command: string, text: string) =>
  Object.assign(new Error(`Refused: ${text}`), { code: 'EENVELOPE', command, responseCode: Number.parseInt(text, 10) })

test.each([
  ['CONN', '554 5.7.1 alice@mail.example is blocked', 'SMTP_SERVER'],
  ['EHLO', '550 5.7.1 no such name', 'SMTP_DOMAIN'],
  ['HELO', '501 no such name', 'SMTP_DOMAIN'],
  ['EHLO', '530 5.7.0 Must issue a STARTTLS command first', 'SMTP_ENABLE_STARTTLS'],
  ['EHLO', '538 5.7.11 Encryption required', 'SMTP_ENABLE_STARTTLS'],
  ['CONN', '554 5.7.0 TLS is required', 'SMTP_TLS'],
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
  ['RCPT TO', '550 Please authenticate first', 'SMTP_LOGIN'],
  ['RCPT TO', '553 5.7.1 <n@here.example>: Sender address rejected: not logged in', 'SMTP_LOGIN'],
  ['RCPT TO', '550 relaying mail to far.example is not allowed', 'SMTP_LOGIN'],
  ['RCPT TO', '550 this is not an open relay', 'SMTP_LOGIN'],
  ['RCPT TO', '553 5.7.1 <n@here.example>: Sender address rejected: not owned by user bob', 'SMTP_FROM_ADDRESS'],
  ['RCPT TO', '550 5.1.8 <n@here.example>: Sender address rejected: Domain not found', 'SMTP_FROM_ADDRESS'],
  ['RCPT TO', '550 5.1.0 <n@here.example>: Sender address rejected: no such recipient here', 'SMTP_FROM_ADDRESS'],
  ['RCPT TO', '550 5.1.7 undeliverable return path', 'SMTP_FROM_ADDRESS'],
  ['RCPT TO', '550 Sender verify failed', 'SMTP_FROM_ADDRESS'],
  ['RCPT TO', '504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname', 'SMTP_DOMAIN'],
  ['RCPT TO', '550 HELO name must be a domain', 'SMTP_DOMAIN'],
  ['MAIL FROM', '550 5.7.1 EHLO name refused', 'SMTP_DOMAIN'],
  ['MAIL FROM', '530 5.7.0 Sending over TLS is required', 'SMTP_TLS'],
  ['DATA', '554 Message rejected: Email address is not verified. Failed: n@here.example', 'SMTP_FROM_ADDRESS'],
  ['DATA', '550 The from address does not match a verified Sender Identity', 'SMTP_FROM_ADDRESS'],
  ['DATA', '554 5.2.252 SendAsDenied; n@here.example not allowed to send as', 'SMTP_FROM_ADDRESS'],
  ['DATA', '530 5.7.0 Authentication required', 'SMTP_LOGIN'],
])('the reason of a refused %s (%s) that concerns this server names the setting', (command, text, setting) => {
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
  ['RCPT TO', '550 our relay said: user not found'],
  ['RCPT TO', '550 5.1.1 <sender@far.example>: User unknown'],
  ['RCPT TO', '550 5.1.1 User unknown, sender notified'],
  ['RCPT TO', '550 no such user: sender'],
  ['RCPT TO', '550 no such user: helo'],
  ['RCPT TO', '550 5.7.1 the recipient does not accept e-mails of this sender'],
  ['RCPT TO', '550 5.7.133 authentication required; sender not authenticated for group'],
  ['RCPT TO', '550 5.2.2 mailbox full, the sender is informed'],
  ['RCPT TO', '550 5.2.2 user has reached the daily limit'],
  ['RCPT TO', '552 mailbox quota exceeded, e-mails per day: 5'],
  ['RCPT TO', '550 the recipient has exceeded the daily quota'],
  ['RCPT TO', '552 user quota exceeded'],
  ['RCPT TO', '550 our relay said: user is over quota'],
  ['DATA', '552 message size limit exceeded, 10 MB per day'],
  ['DATA', '552 5.3.4 message too large, sending limit exceeded'],
  ['DATA', '554 5.7.1 spam, the sender may complain'],
  ['DATA', '550 5.7.1 Too many links in message. Sending blocked'],
  ['DATA', '550 5.7.1 Too many links in message, sending limit reached'],
  ['DATA', '550 Rejected: over 90% spam rate'],
  ['DATA', '550 Rejected: spam rate exceeds 90%'],
  ['RCPT TO', '550 5.7.1 Sending to this group is only allowed for members'],
  ['RCPT TO', '550 5.7.1 The daily limit of this list is reached'],
  ['RCPT TO', '554 5.7.1 Incoming message limit reached for this address'],
  ['RCPT TO', '550 5.2.2 You have exceeded your quota'],
  ['RCPT TO', '552 4.5.3 you have exceeded your maximum recipients'],
  ['DATA', '552 5.7.0 This message was blocked: you have reached your attachment limit'],
  ['DATA', '550 message limit exceeded: 10485760 bytes'],
  ['DATA', '552 message limit exceeded: 10485760 bytes'],
  ['DATA', '550 message limit exceeded: 10MB'],
  ['MAIL FROM', '552 5.3.4 message too large'],
  ['DATA', '554 5.7.1 spam'],
  ['DATA', '550 5.7.1 The message you are sending exceeds the limit'],
  ['RCPT TO', '550 Sending to bob failed: over quota'],
  // Gmail
  [
    'RCPT TO',
    '552-5.2.2 The email account that you tried to reach is over quota.\n552 5.2.2 Please direct it elsewhere',
  ],
  ['RCPT TO', '550-5.2.1 The user you are trying to contact is receiving mail at a rate that\n550 5.2.1 prevents more'],
  ['DATA', "552-5.2.3 Your message exceeded Google's message size limits. Please visit\n552 5.2.3 gmail.example"],
  // Outlook, Postfix and Exim
  ['RCPT TO', '550 5.4.1 Recipient address rejected: Access denied'],
  ['DATA', '552 5.3.4 Message size exceeds fixed maximum message size'],
  ['RCPT TO', '552 5.2.2 <alice@mail.example>: Recipient address rejected: Mailbox quota exceeded'],
  ['DATA', '552 Message size exceeds maximum permitted'],
  // Yahoo, Postmark and SendGrid
  ['DATA', '554 30 Sorry, your message cannot be delivered. This mailbox is disabled (554.30).'],
  ['DATA', '550 You tried to send to a recipient that has been marked as inactive'],
  ['DATA', '552 The message exceeds the maximum size of 30 MB'],
])('a refused %s (%s) concerns one e-mail', (command, text) => {
  expect(mailReason(refused(command, text))).toBeNull()
})

test.each([
  ['MAIL FROM', '550 5.4.5 Daily user sending limit exceeded'],
  ['RCPT TO', '550 5.4.5 Daily user sending limit exceeded'],
  ['DATA', '550 5.4.5 Daily user sending limit exceeded'],
  ['MAIL FROM', '550 5.7.1 You have exceeded your daily sending limit'],
  ['DATA', '550 5.7.1 Email quota exceeded'],
  ['DATA', '550 Your sending is over the limit'],
  ['DATA', '550 5.4.6 Your sending has exceeded limit'],
  ['RCPT TO', '550 Sending volume from this account has exceeded the quota'],
  ['DATA', '550 5.7.1 sending suspended: limit reached'],
  ['MAIL FROM', '554 Sending from this account is suspended, limit reached'],
  ['DATA', '554 5.7.1 <DATA>: Data command rejected: only 10 messages per day'],
  ['DATA', '552 Message would take you over your relay quota of 500'],
  [
    'RCPT TO',
    '550 Domain here.example has exceeded the max emails per hour (101/100 (101%)) allowed. Message discarded.',
  ],
  ['RCPT TO', '554 5.7.1 <alice@mail.example>: Recipient address rejected: Message count quota exceeded'],
  ['DATA', '550 5.1.90 Your message cannot be sent: you have reached your daily limit for message recipients'],
  ['DATA', '550 5.7.233 your tenant exceeded its daily limit for sending email to external recipients'],
  [
    'DATA',
    "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Failed to process message due to a permanent exception with message The sender's submission quota was exceeded",
  ],
  ['RCPT TO', '554 5.7.1 <alice@mail.example>: Recipient address rejected: You have exceeded your Outmail quota.'],
  ['DATA', '550 n@here.example rejected: exceeded hour limit'],
  ['DATA', '550 You have reached your limit for sending'],
  ['DATA', '550 5.7.1 Too many messages. Sending blocked'],
  ['DATA', '550 daily limit of 500 MB exceeded'],
  ['DATA', '550 Limit exceeded: 500 MB per day'],
  [
    'RCPT TO',
    '550 User n@here.example has exceeded its 24-hour sending limit. Messages to 250 recipients out of 250 allowed have been sent.',
  ],
  ['DATA', '554 5.7.1 Too many messages in this session'],
  ['MAIL FROM', '550 5.7.1 Daily sending quota exceeded, closing connection'],
  ['RCPT TO', '550 5.7.1 You have exceeded your maximum recipients per day'],
  ['DATA', '550-5.7.1 Sending from this account is suspended\n550 5.7.1 limit reached'],
  ['DATA', '550-5.7.1 Your sending\n550 5.7.1 limit is reached'],
  // Gmail
  [
    'DATA',
    '550-5.4.5 Daily user sending limit exceeded. For more information on Gmail\n550 5.4.5 sending limits go to',
  ],
  ['MAIL FROM', '550-5.4.5 Daily SMTP relay limit exceeded for customer. For more\n550 5.4.5 information visit'],
  // Outlook
  ['DATA', "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients"],
  ['RCPT TO', '550 5.7.705 Access denied, tenant has exceeded threshold'],
  // SES
  ['MAIL FROM', '454 Throttling failure: Maximum sending rate exceeded.'],
  ['MAIL FROM', '454 Throttling failure: Daily message quota exceeded'],
  // Mailgun
  ['DATA', '550 Domain here.example is not allowed to send: recipient limit exceeded. Upgrade your account'],
  // Postfix with a policy service
  ['RCPT TO', '550 5.7.1 <alice@mail.example>: Recipient address rejected: Sender rate limit exceeded'],
  // Exim and cPanel
  ['RCPT TO', '550 "Sender rate overlimit" - 120.1 / 1h'],
  ['RCPT TO', '550 Domain here.example has exceeded the max defers and failures per hour (5/5 (100%)) allowed.'],
  ['MAIL FROM', '421 too many messages in this connection'],
  // OVH
  ['DATA', '550 5.7.1 Your account has sent too many mails, limit reached'],
  ['RCPT TO', '451 4.7.1 Ratelimit "outgoing" exceeded'],
])('a refused %s (%s) concerns the sending limit of this server', (command, text) => {
  expect(mailReason(refused(command, text))).toMatch(/sending limit .* sent again later/)
})

test('a refusal because sending is paused concerns this server', () => {
  // SES
  const text = '554 Message rejected: Sending paused for this account. For more information, please check the inbox'
  expect(mailReason(refused('DATA', text))).toMatch(/paused sending .* sent again later/)
})

test('a long response is read quickly', () => {
  const began = performance.now()
  const text = `550 5.4.5 Daily user sending limit exceeded ${'a'.repeat(500_000)}${'<'.repeat(500_000)}`
  expect(mailReason(refused('DATA', text))).toContain('sending limit')
  expect(performance.now() - began).toBeLessThan(1_000)
})

test.each([
  ['MAIL FROM', '451 4.3.0 try later'],
  ['CONN', '421 4.3.2 Service shutting down'],
  ['CONN', '421 4.7.0 Too many connections from your IP'],
  ['CONN', '421 4.7.0 client host rejected: rate limit'],
  ['EHLO', '421 4.3.0 try again'],
  ['RCPT TO', '450 4.2.0 <alice@mail.example>: Recipient address rejected: Greylisted'],
  ['RCPT TO', '451 4.7.1 Sender greylisted, try again'],
  ['RCPT TO', '450 4.1.7 <n@here.example>: Sender address rejected: unverified address: verification in progress'],
  ['RCPT TO', '452 4.2.2 mailbox full, the sender is informed'],
  ['RCPT TO', '450 4.1.1 <relay@far.example>: User unknown'],
  ['DATA', '451 4.6.0 tls.far.example said: try again'],
])('a temporarily refused %s (%s) is sent again later', (command, text) => {
  expect(mailReason(refused(command, text))).toContain('later')
})

test.each([
  ['CONN', '421 4.7.0 IP not in whitelist', 'SMTP_SERVER'],
  ['CONN', '450 4.7.1 client host rejected: cannot find your hostname', 'SMTP_SERVER'],
  ['EHLO', '450 4.7.1 <localhost>: Helo command rejected: Host not found', 'SMTP_DOMAIN'],
  ['MAIL FROM', '451 4.7.0 Must issue a STARTTLS command first', 'SMTP_ENABLE_STARTTLS'],
  ['MAIL FROM', '454 4.7.0 Authentication required', 'SMTP_LOGIN'],
  ['MAIL FROM', '451 4.1.8 Domain of sender address does not resolve', 'SMTP_FROM_ADDRESS'],
  ['RCPT TO', '454 4.7.1 <alice@mail.example>: Relay access denied', 'SMTP_LOGIN'],
  ['RCPT TO', '450 4.7.1 <localhost>: Helo command rejected: Host not found', 'SMTP_DOMAIN'],
  ['RCPT TO', '450 4.1.8 <n@here.example>: Sender address rejected: Domain not found', 'SMTP_FROM_ADDRESS'],
  ['RCPT TO', '450 4.7.1 <n@here.example>: Sender address rejected: not logged in', 'SMTP_LOGIN'],
  ['DATA', '450 4.7.1 Sender address rejected: not owned by user bob', 'SMTP_FROM_ADDRESS'],
])('the reason of a temporarily refused %s (%s) names the setting', (command, text, setting) => {
  expect(mailReason(refused(command, text))).toContain(setting)
})

test('a login that fails temporarily is tried again later', () => {
  const failure = (text: string) => Object.assign(refused('AUTH PLAIN', text), { code: 'EAUTH' })
  expect(mailReason(failure('454 4.7.0 Temporary authentication failure'))).toContain('later')
  expect(mailReason(failure('451 Authentication failed: Maximum credits exceeded'))).toMatch(/sending limit .* later/)
  expect(mailReason(failure('421 4.7.0 too many login attempts'))).toContain('later')
  expect(mailReason(failure('454 4.7.0 Encryption required'))).toContain('SMTP_TLS')
  expect(mailReason(failure('435 4.7.8 invalid credentials'))).toContain('SMTP_PASSWORD')
})

test('an unknown cause has no reason, and texts of mail servers are not repeated', () => {
  expect(mailReason(thrown('EENVELOPE', 'alice@mail.example is away'))).toBeNull()
  expect(mailReason(null)).toBeNull()
})

const mail = {
  id: '1',
  to: 'alice@mail.example',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
  at: new Date(),
}

/** A client of a mail server, and the lines that it logs. */
const clientOf = (settings: Record<string, string>) => {
  const lines: string[] = []
  const client = createMailClient({
    config: readConfig(mailSettings, settings) as never,
    localDomain: 'here.example',
    production: true,
    siteTitle: () => 'Here',
    log: { warn: (line: string) => lines.push(line) } as unknown as Log,
  })
  return { client, lines }
}
const addressOf = ({ host, port }: { host: string; port: number }) => ({ SMTP_SERVER: host, SMTP_PORT: String(port) })

/** Sends an e-mail to a server, which fails. Returns the logged lines. */
const failing = async (given: Parameters<typeof startSmtpServer>[0], settings: Record<string, string> = {}) => {
  const server = await startSmtpServer(given)
  const { client, lines } = clientOf({ ...addressOf(server), ...settings })
  await expect(client.send(mail)).rejects.toMatchObject({ code: 'unavailable' })
  client.close()
  await server.close()
  return lines
}

test('an e-mail to a server that requires a login is retryable, and the missing setting is logged', async () => {
  expect(await failing({ credentials: { user: 'a', password: 'b' } })).toEqual([
    expect.stringContaining('it requires a login: see SMTP_LOGIN and SMTP_PASSWORD'),
  ])
})

test('an e-mail to a server that refuses STARTTLS is retryable, and the setting is logged', async () => {
  expect(await failing({}, { SMTP_ENABLE_STARTTLS: 'always' })).toEqual([
    expect.stringContaining('it offers no STARTTLS: see SMTP_ENABLE_STARTTLS'),
  ])
})

test('SMTP_CA_FILE adds authorities to those of Node.js', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mail-authorities-'))
  const usual = tls.getCACertificates('default')
  const [ofNode, ofFile, unknown] = [createAuthority('Node'), createAuthority('File'), createAuthority('Unknown')]
  const SMTP_CA_FILE = join(folder, 'authorities.pem')
  await writeFile(SMTP_CA_FILE, ofFile.certificate)
  tls.setDefaultCACertificates([...usual, ofNode.certificate])
  try {
    for (const authority of [ofNode, ofFile]) {
      const server = await startSmtpServer({ tls: authority.issue(['127.0.0.1']) })
      const { client } = clientOf({ ...addressOf(server), SMTP_CA_FILE })
      await client.send(mail)
      expect(server.mails.all.map(({ secure }) => secure)).toEqual([true])
      client.close()
      await server.close()
    }
    expect(await failing({ tls: unknown.issue(['127.0.0.1']) }, { SMTP_CA_FILE })).toEqual([
      expect.stringContaining('name it in SMTP_CA_FILE'),
    ])
  } finally {
    tls.setDefaultCACertificates(usual)
    await rm(folder, { recursive: true })
  }
})

test('an e-mail that cannot be written to a file names the setting of the folder', async () => {
  const client = createMailClient({
    config: readConfig(mailSettings, { MAIL_DIR: '/dev/null/mail' }) as never,
    localDomain: 'here.example',
    production: false,
    siteTitle: () => 'Here',
    log: {} as unknown as Log,
  })
  await expect(client.send(mail)).rejects.toThrow(/^MAIL_DIR is no folder that can be written: /)
})
