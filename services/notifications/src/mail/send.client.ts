/** Sends e-mails to a mail server. If no mail server is configured, writes them to files. */
import { writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { fail } from '@murmuration/contracts/kit'
import { type Log, makeFolder, PermanentError } from '@murmuration/kernel'
import { readAuthorities } from '@murmuration/outbound'
import type { Config } from '../config.js'
import { headerText } from './mail.rules.js'
import { mailReason, refusalReason, type Trouble } from './reason.rules.js'
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
      log.info({ file: join(folder, name) }, 'an e-mail was written to a file, because SMTP_SERVER is not set')
    },
    close: () => {},
  }
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
  return fail('unavailable', 'The mail server does not currently accept e-mail', {
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
