/** The way out for mail: a mail server, or readable files where there is none. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { fail } from '@murmuration/contracts/kit'
import { type Log, makeFolder, PermanentError } from '@murmuration/kernel'
import type { Config } from '../config.js'
import { headerText } from './mail.rules.js'
import type { WrittenMail } from './view.js'

export interface OutgoingMail extends WrittenMail {
  /** The same for each try, so that a mail that came twice is shown once. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly at: Date
  /** Address that ends mails of this kind with one request (RFC 8058). */
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
  /** Shown as the sender. */
  readonly siteTitle: () => string
  readonly log: Log
}

/** `localhost:3000` → `localhost`: ports are no part of a mail domain. */
const mailDomain = (localDomain: string): string => localDomain.replace(/:\d+$/, '')

/** `Name <address>` or an address alone. */
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
      // Links to confirm and to reset stand in them: they are for nobody else on this machine.
      makeFolder(folder, 0o700)
      const name = `${mail.at.toISOString().replace(/[:.]/g, '-')}-${mail.id}.txt`
      const text = `To: ${mail.to}\nSubject: ${headerText(mail.subject)}\n\n${mail.text}`
      await writeFile(join(folder, name), text, { mode: 0o600 })
      log.info({ file: join(folder, name) }, 'a mail was written to a file: there is no SMTP_SERVER')
    },
    close: () => {},
  }
}

interface Trouble {
  code?: unknown
  responseCode?: unknown
}

/** Causes by the text of the system, each with its setting. Texts of mail servers are not kept: they may hold addresses. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /self[- ]signed|unable to verify|unable to get (local )?issuer/i,
    'its certificate is signed by nobody known here: name it in SMTP_CA_FILE',
  ],
  [/certificate has expired|CERT_HAS_EXPIRED/i, 'its certificate has expired'],
  [/altnames|ERR_TLS_CERT_ALTNAME/i, 'its certificate is for another name than SMTP_SERVER'],
  [
    /wrong version number|packet length too long|ssl3_get_record/i,
    'it does not begin with TLS: see SMTP_TLS and SMTP_PORT',
  ],
  [/ECONNREFUSED/, 'nothing listens there: see SMTP_SERVER and SMTP_PORT'],
  [/ENOTFOUND|EAI_AGAIN|EDNS/, 'its name was not found: see SMTP_SERVER'],
  [/EHOSTUNREACH|ENETUNREACH/, 'there is no way to it: see SMTP_SERVER'],
  [/EAUTH/, 'it refuses the login: see SMTP_LOGIN, SMTP_PASSWORD and SMTP_AUTH_METHOD'],
  [/STARTTLS|ETLS/, 'it offers no STARTTLS: see SMTP_ENABLE_STARTTLS'],
  [/ETIMEDOUT|timeout/i, 'it does not answer: see SMTP_SERVER and SMTP_PORT'],
  [/ECONNRESET|EPIPE|closed|ECONNECTION/i, 'it closed the connection: see SMTP_TLS and SMTP_PORT'],
]

/** Why mail does not go out, for the operator; null if only the code is known. */
export const mailReason = (error: unknown): string | null => {
  const { code, message, cause } = (error ?? {}) as { code?: unknown; message?: unknown; cause?: { code?: unknown } }
  const text = [cause?.code, code, message].map((one) => String(one ?? '')).join(' ')
  return REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

/** Refusals of this mail are for good; everything else, our own password among it, may be better later. */
const asFailure = (error: unknown): Error => {
  const { code, responseCode } = (error ?? {}) as Trouble
  const status = typeof responseCode === 'number' ? responseCode : 0
  // Responses of mail servers may contain addresses, so only their code is kept.
  if (status >= 500 && code !== 'EAUTH') return new PermanentError(`the mail server refused it with ${status}`)
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
  // Read now: a wrong file is told at the start and not with the first mail.
  const ca = config.smtpCaFile ? { ca: readFileSync(config.smtpCaFile) } : {}
  const open = async () =>
    // Wanted only where mail goes out.
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
      // Mails are made here from text alone; nothing is ever read from a file or an address.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  let opened: ReturnType<typeof open> | undefined
  let warnedAt = Number.NEGATIVE_INFINITY
  /** One line a minute for the terminal: with a wrong setting every mail fails. */
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
