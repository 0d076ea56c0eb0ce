/** Parses a received e-mail: headers, and the text parts of its MIME body (RFC 5322, RFC 2045–2047). */

export interface Mail {
  /** Address of the envelope sender (`MAIL FROM`). */
  from: string
  /** Addresses of the envelope recipients (`RCPT TO`). */
  to: string[]
  subject: string
  /** Headers by lower-case name. Of a repeated header, only the last value is present. */
  headers: Record<string, string>
  /** The text/plain part, decoded; empty when there is none. */
  text: string
  /** The text/html part, decoded; empty when there is none. */
  html: string
  /** True when the e-mail was received over TLS. */
  secure: boolean
  /** The message as the client sent it, without dot stuffing. */
  raw: string
}

/**
 * Parses a received e-mail. `from` and `to`: addresses of the envelope. `raw`: message as received. `secure`: whether it
 * arrived over TLS.
 */
export const readMail = (from: string, to: string[], raw: string, secure: boolean): Mail => {
  const whole = readPart(raw)
  const parts = leavesOf(raw, 0)
  const find = (type: string) => parts.find((part) => part.type === type)?.content ?? ''
  const { headers } = whole
  return {
    from,
    to,
    headers,
    subject: decodeWords(headers.subject ?? ''),
    text: find('text/plain'),
    html: find('text/html'),
    secure,
    raw,
  }
}

const readPart = (raw: string) => {
  const cut = raw.indexOf('\r\n\r\n')
  const head = (cut < 0 ? raw : raw.slice(0, cut)).replace(/\r\n[ \t]+/g, ' ')
  const headers: Record<string, string> = {}
  for (const line of head.split('\r\n')) {
    const at = line.indexOf(':')
    if (at > 0) headers[line.slice(0, at).toLowerCase()] = line.slice(at + 1).trim()
  }
  return { headers, body: cut < 0 ? '' : raw.slice(cut + 4) }
}

interface Leaf {
  type: string
  content: string
}

/** Parts of the body that are not multipart themselves, at most five levels deep. */
const leavesOf = (raw: string, depth: number): Leaf[] => {
  const { headers, body } = readPart(raw)
  const [type = '', ...parameters] = (headers['content-type'] ?? 'text/plain').split(';')
  const kind = type.trim().toLowerCase()
  const boundary = /boundary="?([^";]+)"?/i.exec(parameters.join(';'))?.[1]
  if (!kind.startsWith('multipart/') || !boundary || depth === 5)
    return [{ type: kind, content: decodeBody(body, headers['content-transfer-encoding'] ?? '') }]
  return `\r\n${body}`
    .split(`\r\n--${boundary}`)
    .slice(1)
    .filter((part) => !part.startsWith('--'))
    .flatMap((part) => leavesOf(part.replace(/^[ \t]*\r\n/, ''), depth + 1))
}

const decodeBody = (body: string, encoding: string): string => {
  const name = encoding.trim().toLowerCase()
  if (name === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (name !== 'quoted-printable') return body
  return fromHex(body.replace(/=[ \t]*\r\n/g, ''), '=')
}

/** Decodes bytes such as `=C3=A9` to UTF-8 text. `sign` is the character before the two hex digits. */
const fromHex = (text: string, sign: string): string => {
  const bytes = text.replace(new RegExp(`${sign}([0-9A-F]{2})`, 'gi'), (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Decodes the encoded words of a header: `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=`. */
const decodeWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : fromHex(word.replaceAll('_', ' '), '='),
    )
