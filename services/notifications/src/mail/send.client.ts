/** Sends e-mails to a mail server. If no mail server is configured, writes them to files. */
import { writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { fail } from '@murmuration/contracts/kit'
import { type Log, makeFolder, PermanentError } from '@murmuration/kernel'
import { readAuthorities } from '@murmuration/outbound'
import type { Config } from '../config.js'
import { headerText } from './mail.rules.js'
import type { WrittenMail } from './view.js'

export interface OutgoingMail extends WrittenMail {
  /** Message id of the e-mail. It is the same for each try, so that clients show a repeated e-mail once. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly at: Date
  /** URL for one-click unsubscription (RFC 8058). */
  readonly unsubscribe?: string | undefined
}

export interface MailClient {
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

interface Options {
  readonly config: Config
  readonly localDomain: string
  readonly production: boolean
  /** Name of the server, which e-mails have as the name of their sender. */
  readonly siteTitle: () => string
  readonly log: Log
}

/** Domain for e-mail addresses: the local domain without its port. `localhost:3000` becomes `localhost`. */
const mailDomain = (localDomain: string): string => localDomain.replace(/:\d+$/, '')

/** Parses the configured sender: `Name <address>`, or an address alone. `name`: the name if the text contains none. */
const senderOf = (text: string, name: string): { name: string; address: string } => {
  const match = /^(.*)<([^<>]+)>\s*$/.exec(text)
  return match
    ? { name: headerText((match[1] ?? '').replaceAll('"', '')), address: (match[2] ?? '').trim() }
    : { name: headerText(name), address: text.trim() }
}

const createFiles = ({ config, log }: Options): MailClient => {
  const folder = resolve(config.mailDir)
  return {
    async send(mail) {
      const name = `${mail.at.toISOString().replace(/[:.]/g, '-')}-${mail.id}.txt`
      const text = `To: ${mail.to}\nSubject: ${headerText(mail.subject)}\n\n${mail.text}`
      try {
        // The folder is private, because the e-mails in it contain links for confirmation and password reset.
        makeFolder(folder, 0o700)
        await writeFile(join(folder, name), text, { mode: 0o600 })
      } catch (error) {
        throw new Error(`MAIL_DIR is no folder that can be written: ${(error as Error).message}`)
      }
      log.info({ file: join(folder, name) }, 'a mail was written to a file: there is no SMTP_SERVER')
    },
    close: () => {},
  }
}

interface Trouble {
  code?: unknown
  /** Error code of the operating system or of OpenSSL, which nodemailer replaces with a code of its own. */
  originalCode?: unknown
  responseCode?: unknown
  /** SMTP command that the mail server refused; `CONN` for the greeting. */
  command?: unknown
  message?: unknown
}

const LATER = 'it is busy: e-mails are sent again later'
const RELAY = 'it sends no e-mails to other servers for this one: see SMTP_SERVER, SMTP_LOGIN and SMTP_PASSWORD'
const LOGIN = 'it requires a login: see SMTP_LOGIN and SMTP_PASSWORD'
const SENDER = 'it refuses the sender: see SMTP_FROM_ADDRESS and SMTP_RETURN_PATH'
const NAME = 'it refuses the name of this server: see SMTP_DOMAIN'

/**
 * Matches an SMTP response about a missing login. The word `authenticate` alone does not match, because it may be the
 * name of a mailbox.
 */
const NO_LOGIN =
  /\bnot (?:yet )?(?:authenticated|logged in)\b|\bauthenticat(?:e|ion) (?:is )?(?:first|needed|required)\b|\bauth(?:orization)? required\b|\b(?:please|must|need to|have to) (?:be )?(?:authenticate|log ?in\b)/i

/** Matches an SMTP response about refused relaying. The names of servers were removed from the response before. */
const NO_RELAY =
  /\brelay(?:ing)?(?:\s+(?:mail|e-?mails?|messages?|access|attempt|to|for|from|is|was))*\s+(?:denied|not\s|prohibited|forbidden|disallowed|refused|rejected)|\b(?:to|not|no|cannot)(?: an?)?(?: open)? relay(?:ing)?\b/i

/**
 * Matches SMTP responses that mail servers use only for refused senders, never for recipients. 5.1.7 and 5.1.8 are
 * codes of refused senders.
 */
const SURE_SENDER =
  /\b5\d\d[ -]#?5\.1\.[78]\b|\bsender address rejected|\bsendas|\bemail address is not verified|\bverified sender/i

/** Matches an SMTP response about one recipient or one message. Such a response may also mention the sender. */
const ONE_EMAIL =
  /\b5\d\d[ -]#?5\.[12]\.\d|\brecipients?\b|\bmailbox|\bno such\b|\bunknown user\b|\buser unknown\b|\b(?:group|list)\b|\b(?:not|n't) (?:accept|want|receive)\b|\bblocked (?:by|the) |\bspam|\bvirus|\bmalware|\bcontent/i

/** Whether an SMTP response gives the sender as the reason of a refusal. The sender is the same in every e-mail. */
const isAboutSender = (text: string): boolean =>
  SURE_SENDER.test(text) || (/\bsender|\bfrom address/i.test(text) && !ONE_EMAIL.test(text))

/** Whether an SMTP response gives the host name in EHLO as the reason of a refusal. */
const isAboutName = (text: string): boolean =>
  /\b(?:helo|ehlo) command rejected/i.test(text) || (/\b(?:helo|ehlo)\b/i.test(text) && !ONE_EMAIL.test(text))

/**
 * Whether the refusal of a recipient may be caused by this server. False for the codes of mailboxes (5.1.x and 5.2.x).
 * A response without an enhanced code must say that relaying, TLS or a login is missing.
 */
const mayConcernServer = (responseCode: number, text: string): boolean => {
  if (/\b5\d\d[ -]#?5\.[12]\.\d|\bfor (?:this |the )?(?:group|list)\b/i.test(text)) return false
  return (
    responseCode === 530 ||
    /\b5\d\d[ -]#?5\.\d+\.\d/.test(text) ||
    NO_LOGIN.test(text) ||
    NO_RELAY.test(text) ||
    /\b(?:required|must issue)\b/i.test(text)
  )
}

/**
 * Reason if the mail server refused the sender or the host name in EHLO; null for other refusals. Many servers check
 * both only when they receive the recipient (`smtpd_delay_reject` of Postfix) or the message.
 */
const delayedReason = (responseCode: number, text: string): string | null => {
  if (responseCode !== 503 && isAboutName(text)) return NAME
  if (!isAboutSender(text)) return null
  return NO_LOGIN.test(text) ? LOGIN : SENDER
}

/**
 * Reason if a command is refused because of this server; null if it is refused because of one e-mail. A refusal because
 * of this server affects every e-mail, so the e-mails are retried.
 */
const refusalReason = ({ command, responseCode, message }: Trouble): string | null => {
  const step = String(command ?? '')
  // Addresses and host names are removed from the response, because mail servers quote them and they may contain any word.
  const text = String(message ?? '').replace(/<[^>]*>|\S*(?:@|[a-z\d-]\.[a-z])\S*/gi, '')
  if (typeof responseCode !== 'number' || responseCode < 500 || responseCode === 552) return null
  if (step === 'CONN') return 'it refuses connections of this server: see SMTP_SERVER'
  if (/^(?:EHLO|HELO|LHLO)$/.test(step)) return NAME
  if (step === 'RCPT TO' || step === 'DATA') {
    const delayed = delayedReason(responseCode, text)
    if (delayed !== null) return delayed
    if (step === 'DATA' ? responseCode !== 530 : !mayConcernServer(responseCode, text)) return null
  } else if (step !== 'MAIL FROM') return null
  if (/\bTLS|STARTTLS|encrypt/i.test(text)) return 'it requires TLS: see SMTP_ENABLE_STARTTLS and SMTP_TLS'
  if (responseCode === 530 || NO_LOGIN.test(text) || /authenticat/i.test(text)) return LOGIN
  if (step === 'MAIL FROM') return responseCode !== 503 && isAboutName(text) ? NAME : SENDER
  return /relay|client host/i.test(text) ? RELAY : null
}

/**
 * Reasons for the operator, with the setting to check, by pattern of an error text. The error texts themselves are not
 * shown, because they may contain addresses.
 */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /self[- ]signed|unable to verify|unable to get (local )?issuer/i,
    'its certificate is signed by nobody known here: name it in SMTP_CA_FILE',
  ],
  [/certificate has expired|CERT_HAS_EXPIRED/i, 'its certificate has expired'],
  [
    /certificate is not yet valid|CERT_NOT_YET_VALID/i,
    'its certificate is not valid yet: compare the clock of this machine with the time',
  ],
  [/certificate (?:is |has been )?revoked|CERT_REVOKED/i, 'its certificate was revoked'],
  [/altnames|ERR_TLS_CERT_ALTNAME/i, 'its certificate is for another name than SMTP_SERVER'],
  [
    /wrong version number|packet length too long|ssl3_get_record/i,
    'it does not begin with TLS: see SMTP_TLS and SMTP_PORT',
  ],
  [
    /unsupported protocol|protocol version|version too low|no protocols available/i,
    'it offers no version of TLS that is accepted here: it must offer TLS 1.2 or later',
  ],
  [
    /handshake failure|key too (?:small|weak)|md too weak|insufficient security|no shared cipher|no ciphers? |bad ecpoint|wrong signature type|legacy renegotiation/i,
    'its keys or ciphers are too weak, or it accepts none of this server',
  ],
  [
    /\b(?:EACCES|EPERM)\b/,
    'this machine may not connect to it: see the firewall for outgoing connections, and SMTP_PORT',
  ],
  [/EADDRNOTAVAIL/, 'this machine has no free port or address for a connection to it: see SMTP_SERVER'],
  [/ECONNREFUSED/, 'nothing listens there: see SMTP_SERVER and SMTP_PORT'],
  [/ENOTFOUND|EAI_AGAIN|EDNS/, 'its name was not found: see SMTP_SERVER'],
  [/EHOSTUNREACH|ENETUNREACH|ENETDOWN/, 'there is no way to it: see SMTP_SERVER'],
  [/EAUTH/, 'it refuses the login: see SMTP_LOGIN, SMTP_PASSWORD and SMTP_AUTH_METHOD'],
  [/Error upgrading connection/, 'it offers no STARTTLS: see SMTP_ENABLE_STARTTLS'],
  [
    /ETLS .*closed|before secure TLS connection/i,
    'it closed the connection before TLS was established: see SMTP_TLS, SMTP_PORT and SMTP_ENABLE_STARTTLS',
  ],
  [/ETIMEDOUT|timeout/i, 'it does not answer: see SMTP_SERVER, SMTP_PORT and SMTP_TLS'],
  [/EPROTOCOL/, 'its greeting is not that of a mail server: see SMTP_SERVER and SMTP_PORT'],
  [/ECONNRESET|ECONNABORTED|EPIPE|closed|ECONNECTION/i, 'it closed the connection: see SMTP_TLS and SMTP_PORT'],
  [
    /ESOCKET .*certificate|ETLS .*certificate|\bCERT_/,
    'its certificate is refused: see SMTP_CA_FILE and SMTP_OPENSSL_VERIFY_MODE',
  ],
  [
    /Error initiating TLS|\bERR_SSL_|\bERR_TLS_|\bEPROTO\b/,
    'TLS with it cannot be established: see SMTP_TLS and SMTP_PORT',
  ],
]

/** Reason why e-mails are not sent, for the operator; null if only the error code is known. */
export const mailReason = (error: unknown): string | null => {
  const { code, originalCode, message, cause, ...more } = (error ?? {}) as Trouble & { cause?: { code?: unknown } }
  const refusal = refusalReason({ code, message, ...more })
  if (refusal !== null) return refusal
  if (Math.floor(Number(more.responseCode) / 100) === 4 && !/^(?:EAUTH|ETLS)$/.test(String(code))) return LATER
  const text = [cause?.code, code, originalCode, message].map((one) => String(one ?? '')).join(' ')
  return REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

/** SMTP commands that may be refused because of one e-mail. Other commands, such as STARTTLS and AUTH, precede every e-mail. */
const EMAIL_STEPS = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])

/**
 * Converts an error of sending. An e-mail that the mail server refused gives a permanent error. All other errors are
 * retryable, also those that concern this server.
 */
const asFailure = (error: unknown): Error => {
  const { code, command, responseCode } = (error ?? {}) as Trouble
  const status = typeof responseCode === 'number' ? responseCode : 0
  // Only the code of an SMTP response is kept, because its text may contain addresses.
  if (status >= 500 && EMAIL_STEPS.has(String(command)) && refusalReason(error as Trouble) === null)
    return new PermanentError(`the mail server refused it with ${status}`)
  return fail('unavailable', 'The mail server does not take mail at the moment', {
    cause: new Error(
      `mail server: ${mailReason(error) ?? ''} (${[String(code ?? 'unknown'), status || ''].join(' ').trim()})`,
    ),
  })
}

const WARN_MS = 60_000

const createSmtp = ({ config, localDomain, siteTitle, log }: Options): MailClient => {
  const domain = mailDomain(localDomain)
  const from = config.smtpFrom || `notifications@${domain}`
  // The file with certificates is read at the start of the process, so that a wrong file is reported before the first e-mail.
  const ca = config.smtpCaFile ? { ca: readAuthorities(config.smtpCaFile) } : {}
  const open = async () =>
    // The library `nodemailer` is loaded only by processes that send e-mails.
    (await import('nodemailer')).createTransport({
      host: config.smtpServer,
      port: config.smtpPort,
      name: config.smtpDomain || domain,
      secure: config.smtpTls || config.smtpSsl,
      ignoreTLS: config.smtpStartTls === 'never',
      requireTLS: config.smtpStartTls === 'always',
      tls: {
        rejectUnauthorized: config.smtpVerify === 'peer',
        ...ca,
        ...(isIP(config.smtpServer) ? {} : { servername: config.smtpServer }),
      },
      ...(config.smtpLogin && config.smtpAuth !== 'none'
        ? {
            auth: { user: config.smtpLogin, pass: config.smtpPassword },
            authMethod: config.smtpAuth.toUpperCase().replace('_', '-'),
          }
        : {}),
      pool: true,
      maxConnections: 4,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      // E-mails consist of text only, so the library need not read files or URLs.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  let opened: ReturnType<typeof open> | undefined
  let warnedAt = Number.NEGATIVE_INFINITY
  /** Logs that an e-mail could not be sent, at most once a minute, because with a wrong setting every e-mail fails. */
  const warn = (failure: Error): void => {
    if (failure instanceof PermanentError || performance.now() - warnedAt < WARN_MS) return
    warnedAt = performance.now()
    const { cause } = failure
    log.warn(
      `mail does not go out through ${config.smtpServer}:${config.smtpPort}: ${cause instanceof Error ? cause.message : ''}`,
    )
  }
  return {
    async send({ id, to, subject, text, html, at, unsubscribe }) {
      const sender = senderOf(from, siteTitle())
      try {
        opened ??= open().catch((error: unknown) => {
          opened = undefined
          throw error
        })
        const transport = await opened
        await transport.sendMail({
          envelope: { from: config.smtpReturnPath || sender.address, to: [to] },
          from: sender,
          to: { name: '', address: to },
          ...(config.smtpReplyTo ? { replyTo: config.smtpReplyTo } : {}),
          subject: headerText(subject),
          text,
          html,
          date: at,
          messageId: `<${id}@${domain}>`,
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            ...(unsubscribe
              ? { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
              : {}),
          },
        })
      } catch (error) {
        const failure = asFailure(error)
        warn(failure)
        throw failure
      }
    },
    close: () => void opened?.then((transport) => transport.close()),
  }
}

const noServer: MailClient = {
  send: () => Promise.reject(new PermanentError('there is no SMTP_SERVER')),
  close: () => {},
}

export const createMailClient = (options: Options): MailClient =>
  options.config.smtpServer ? createSmtp(options) : options.production ? noServer : createFiles(options)
