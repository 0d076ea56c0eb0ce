/** Reasons of failed e-mails for the operator, with the setting to check, by the response of the mail server. */

/** An error of sending, as nodemailer throws it. */
export interface Trouble {
  code?: unknown
  /** Error code of the operating system or of OpenSSL, which nodemailer replaces with a code of its own. */
  originalCode?: unknown
  responseCode?: unknown
  /** SMTP command that the mail server refused; `CONN` for the greeting. */
  command?: unknown
  message?: unknown
}

const LATER = 'it is busy: e-mails are sent again later'
const SENDING_LIMIT = 'its sending limit for this server is used up: e-mails are sent again later'
const PAUSED = 'it has paused sending for this server: e-mails are sent again later'
const RELAY = 'it sends no e-mails to other servers for this one: see SMTP_SERVER, SMTP_LOGIN and SMTP_PASSWORD'
const LOGIN = 'it requires a login: see SMTP_LOGIN and SMTP_PASSWORD'
const SENDER = 'it refuses the sender: see SMTP_FROM_ADDRESS and SMTP_RETURN_PATH'
const NAME = 'it refuses the name of this server: see SMTP_DOMAIN'
const CONNECTION = 'it refuses connections of this server: see SMTP_SERVER'
const TLS = 'it requires TLS: see SMTP_ENABLE_STARTTLS and SMTP_TLS'

/** Matches an SMTP response that requires TLS. The name of TLS alone does not match. */
const NEEDS_TLS =
  /^(?=.*(?:\bTLS\b|STARTTLS|\bSSL\b|encrypt))(?=.*\b(?:must|requir\w*|need\w*|first|mandatory|only|issue|without)\b)/is

/** Matches an SMTP response about load or greylisting, which end without a change of settings. */
const PASSING =
  /\bgr[ae]y-?list|\btoo (?:many|much|fast|frequent)|\bexceed|\brate\b|\blimit|\bquota|\bbusy\b|\b(?:over)?load\b|\bin progress\b|\bshutting down\b|\btemporary authentication failure/i

/** Matches an SMTP response that names a limit. Its subject may be something else than sent e-mails, such as a mailbox. */
const LIMIT = /limit|\b(?:exceed\w*|quota|reached|only \d+|max\w*|too many|insufficient|not enough)\b/i

const matches = (patterns: readonly RegExp[], text: string): boolean => patterns.some((one) => one.test(text))

/** Matches the period of a limit. */
const PERIOD = /\b(?:daily|hourly|monthly)\b|\b(?:hour|day|month) limit\b|\bper (?:second|minute|hour|day|month)\b/i

/** Matches an SMTP response about paused sending of all e-mails of this server. */
const PAUSED_SENDING =
  /\bsending(?: (?:from|for|by|of)(?: \w+){1,3})?(?: is| was| has been)? (?:suspended|paused|disabled)\b/i

/** Expressions for SMTP responses about a limit of the account or server that sends. */
const OF_SENDER: readonly RegExp[] = [
  PERIOD,
  PAUSED_SENDING,
  /\bsending is over\b/i,
  /\bsend limit|\b(?:sending|sender|relay(?:ing)?|outgoing|outbound|submission|e-?mail|message)(?: \w+)? (?:limit|quota|rate)/i,
  /\b(?:your sending|sending volume)\b.*\b(?:limit|quota)/i,
  /\b(?:limit|quota)s? (?:for|of|on) sending\b|\bnot allowed to send\b(?! to\b)/i,
  /\byou(?:'ve| have)? (?:exceeded|reached) your\b|\bexceeded (?:the |its |your )?threshold\b/i,
  /\btoo many (?:e-?mails|mails|messages)\b|\bcredits?\b|\brate(?:[- ]?limit\w*)?\b/i,
]

/** Expressions for SMTP responses about a limit of one recipient or one message. */
const OF_ONE_EMAIL: readonly RegExp[] = [
  // 5.1.90 is the code of Exchange for the daily limit of a sender.
  /\b[45]\d\d[ -]#?[45]\.(?:[12]\.(?!90\b)\d|3\.4\b)/,
  // Postfix quotes `Recipient address rejected` before each reason. A `recipient limit` is one of the sender.
  /\bmailbox|\brecipient\b(?! (?:address rejected|limit))|\busers?(?:'s)? (?:is )?(?:over )?quota/i,
  /\breceiv|\b(?:incoming|inbound)\b|\b(?:this|the) (?:group|list)\b|\bstorage\b/i,
  /\bsize\b|\btoo (?:large|big)\b|\btoo many links\b|\battachments?\b|\bscore\b|\bspam (?:rate|level|limit)\b/i,
]

/** Matches a limit of one message, unless it is a limit of a period. */
const AMOUNT = /\bbytes\b|\d ?[kmg]i?b\b|\bmaximum recipients\b/i

/** Matches an SMTP response about the limit of a sender. Exchange gives it with 5.2.0, which is a code of mailboxes. */
const LIMIT_OF_SENDER = /\bsender's submission quota\b/i

/**
 * Reason if this server may not send further e-mails for some time; null for other SMTP responses. They include those
 * about a limit of one recipient or one message.
 */
const sendingReason = (text: string): string | null => {
  if (LIMIT_OF_SENDER.test(text)) return SENDING_LIMIT
  if (matches(OF_ONE_EMAIL, text) || (AMOUNT.test(text) && !PERIOD.test(text))) return null
  if (LIMIT.test(text) && matches(OF_SENDER, text)) return SENDING_LIMIT
  return PAUSED_SENDING.test(text) ? PAUSED : null
}

/** Matches an SMTP response that refuses the connection because of the address of this server. */
const NO_CONNECTION =
  /\b(?:white|black|allow|block|deny)[- ]?list|\b(?:access|connections?|client|host|ip)\b[^.]*\b(?:denied|rejected|refused|blocked|banned|prohibited|not (?:allowed|permitted|authori[sz]ed|accepted))/i

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
 * Matches SMTP responses that mail servers use only for refused senders, never for recipients. 5.1.7 and 5.1.8, and
 * the temporary 4.1.7 and 4.1.8, are codes of refused senders.
 */
const SURE_SENDER =
  /\b[45]\d\d[ -]#?[45]\.1\.[78]\b|\bsender address rejected|\bsendas|\bemail address is not verified|\bverified sender/i

/** Matches an SMTP response about one recipient or one message. Such a response may also mention the sender. */
const ONE_EMAIL =
  /\b[45]\d\d[ -]#?[45]\.[12]\.\d|\brecipients?\b|\bmailbox|\bno such\b|\bunknown user\b|\buser unknown\b|\b(?:group|list)\b|\b(?:not|n't) (?:accept|want|receive)\b|\bblocked (?:by|the) |\bspam|\bvirus|\bmalware|\bcontent/i

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

/** Number of characters of an SMTP response that are read. The time of the expressions grows with the square of the length. */
const MAX_RESPONSE = 2_000

/**
 * Text of an SMTP response in one line, without addresses and host names. Mail servers quote these, and they may contain
 * any word. Each line of a response repeats its codes.
 */
const plainResponse = (message: unknown): string => {
  const [first = '', ...more] = String(message ?? '')
    .slice(0, MAX_RESPONSE)
    .split(/\r?\n/)
  const codes = /\b\d{3}[ -]\d\.\d+\.\d+ /.test(first) ? /^\d{3}[ -]\d\.\d+\.\d+ / : /^\d{3}[ -](?!\d\.\d)/
  const line = [first, ...more.map((one) => one.replace(codes, ''))].join(' ')
  return line.replace(/<[^>]*>|\S*(?:@|[a-z\d-]\.[a-z])\S*/gi, '')
}

/**
 * Reason of a temporary refusal. Mail servers that are still being set up give temporary codes for wrong settings, too
 * (`soft_bounce` and the `reject_code` settings of Postfix).
 */
const temporaryReason = ({ command, message }: Trouble): string => {
  const text = plainResponse(message)
  const sending = command === 'CONN' ? null : sendingReason(text)
  if (sending !== null) return sending
  if (PASSING.test(text)) return LATER
  if (NEEDS_TLS.test(text)) return TLS
  if (command === 'CONN') return NO_CONNECTION.test(text) ? CONNECTION : LATER
  if (isAboutName(text)) return NAME
  if (NO_LOGIN.test(text)) return LOGIN
  if (isAboutSender(text)) return SENDER
  return NO_RELAY.test(text) ? RELAY : LATER
}

/**
 * Reason if a command is refused because of this server; null if it is refused because of one e-mail. A refusal because
 * of this server affects every e-mail, so the e-mails are retried.
 */
export const refusalReason = ({ command, responseCode, message }: Trouble): string | null => {
  const step = String(command ?? '')
  const text = plainResponse(message)
  if (typeof responseCode !== 'number' || responseCode < 500) return null
  const sending = /^(?:MAIL FROM|RCPT TO|DATA)$/.test(step) ? sendingReason(text) : null
  if (sending !== null) return sending
  if (responseCode === 552) return null
  if (step === 'CONN') return NEEDS_TLS.test(text) ? TLS : CONNECTION
  if (/^(?:EHLO|HELO|LHLO)$/.test(step)) return NEEDS_TLS.test(text) ? TLS : NAME
  if (step === 'RCPT TO' || step === 'DATA') {
    const delayed = delayedReason(responseCode, text)
    if (delayed !== null) return delayed
    if (step === 'DATA' ? responseCode !== 530 : !mayConcernServer(responseCode, text)) return null
  } else if (step !== 'MAIL FROM') return null
  if (/\bTLS|STARTTLS|encrypt/i.test(text)) return TLS
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
  [/ETIMEDOUT|timeout/i, 'it does not respond: see SMTP_SERVER, SMTP_PORT and SMTP_TLS'],
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
  const isTemporary = Math.floor(Number(more.responseCode) / 100) === 4
  if (code === 'EAUTH') {
    const response = plainResponse(message)
    const sending = sendingReason(response)
    if (sending !== null) return sending
    if (NEEDS_TLS.test(response)) return TLS
    if (isTemporary && PASSING.test(response)) return LATER
  } else if (isTemporary && code !== 'ETLS') return temporaryReason({ message, ...more })
  const text = [cause?.code, code, originalCode, message].map((one) => String(one ?? '')).join(' ')
  return REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? null
}
